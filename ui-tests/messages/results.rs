//! Results of elements, extremes and histograms: wrong types and attributes, and keys that do not support them.

#[repr(C)] #[derive(Clone, Copy, DeviceType)] struct Force { x: f32 }

#[td_kernel]
unsafe fn types(
    #[each] a: &mut Sums<Force>, #[each] b: &mut Sums<u8>, #[each] c: &mut Minima<Force>, #[each] d: &mut Maxima,
    #[each] e: &Sum<f32>, #[each] f: &mut Sums<bool>, #[each] g: &mut Maxima<[f32; 5]>, h: &mut Sum<Vec<f32>>,
) {
    r#" a.i += 1; "#
}

#[td_kernel]
unsafe fn partners(
    #[each] a: &mut Minima<(f32, u32), f32>, #[each] b: &mut Minima<(f32, u32, u32)>, #[each] c: &mut Maxima<(f32, usize)>,
    #[each] d: &mut Maxima<(f32, i32)>, #[each] e: &mut Minima<(f64, u32)>, #[each] f: &mut Minima<([f32; 2], u32)>,
    #[each] g: &mut Maxima<(bool, String)>,
) {
    r#" a.offer(1); "#
}

#[td_kernel] unsafe fn unmarked(#[each] p: &[f32], a: &mut Minima<f32>, b: &mut Maxima<(f32, u32)>) { r#" a.offer(p.i); "# }
#[td_kernel] unsafe fn marked(#[each] a: &mut Packed<f32>, #[each] b: &mut Pairs, #[row] c: f32) { r#" a = 1; "# }
#[td_kernel] unsafe fn mixed(#[row] a: &[f32], #[column] b: &[f32], #[each] c: &mut Sums<f32>) { r#" c.i += a; "# }
#[td_kernel] unsafe fn of_one_set(#[each] p: &[f32], #[row] c: &mut Sums<f32>) { r#" c += p.i; "# }

#[td_kernel]
unsafe fn of_one_set_twice(
    #[each] p: &[f32], #[row] c: &mut Sums<f32>, #[column] d: &mut Minima<f32>, #[each] e: &mut Maxima<f32>, f: &mut Packed<f32>,
) {
    r#" c += f = p.i; d.offer(p.j); e.offer(1); "#
}

#[td_kernel] unsafe fn wrong_and_empty(#[each] p: &[bool], c: Vec<f32>) { r#" "# }
#[td_kernel(sweep = "rotate")] unsafe fn rotate(#[row] a: &[f32], #[column] b: &[f32], #[row] c: &mut Sums<f32>) { r#" c += b; "# }
#[td_kernel(sweep = "rotate")] unsafe fn rotated_slots(#[each] p: &[f32], c: &mut Sum<f32>) { r#" c += p.j; "# }

#[td_kernel(deterministic = true)]
unsafe fn of_integers(#[each] p: &[f32], #[each] c: &mut Sums<u32>, #[each] m: &mut Minima<f32>) {
    r#" c.i += 1; m.offer(p.i); "#
}

#[td_kernel(deterministic = true, map = "walk")] unsafe fn walking(#[each] p: &[f32], c: &mut Sum<f32>) { r#" c += p.j; "# }
#[td_kernel] unsafe fn vector_of_all(#[each] p: &[f32], c: &mut Sum<[f32; 65]>) { r#" c[0] += p.j; "# }

mistakes! {
    #[td_kernel(MISTAKE)] unsafe fn kernel(#[each] p: &[f32], #[each] c: &mut Sums<f32>) { r#" c.i += p.j; "# }
    { sweep = "columns" }
    { deterministic = 1 }
    { deterministic = true, map = "auto" }
}

mistakes! {
    #[td_kernel(MISTAKE)] unsafe fn kernel(#[each] p: &[f32], #[each] c: &mut Sums<f32>, d: &mut Packed<f32>) {
        r#" c.i += d = p.i - p.j; "#
    }

    { tile = 96 }
    { sweep = "rows", deterministic = true }
    { sweep = "mirror" }
}

#[td_kernel] unsafe fn extremes(#[each] p: &[f32], a: &mut Max<[f32; 2]>, b: &mut Min<bool>, c: &Max<f32>) { r#" a.offer(p.i); "# }
#[td_kernel] unsafe fn marked_extremes(#[each] p: &[f32], #[each] far: &mut Max<f32>, #[each] near: &mut Min<f32>) { r#" far.offer(p.i); "# }
#[td_kernel] unsafe fn unused_extreme(#[each] p: &[f32], far: &mut Max<f32>, sum: &mut Sum<f32>) { r#" sum += p.j; "# }

#[td_kernel] unsafe fn histograms(#[each] p: &[f32], a: &mut Histogram<u32>, b: &mut Histogram, c: &Histogram<u64>) {
    r#" a.add(p.i); "#
}

#[td_kernel] unsafe fn marked_histogram(#[each] p: &[f32], #[each] h: &mut Histogram<u64>) { r#" h.add(p.i); "# }

#[td_kernel(deterministic = true, map = "walk")]
unsafe fn of_floats(#[each] p: &[f32], h: &mut Histogram<f32>, sum: &mut Sum<f32>) {
    r#" h.add(p.i); sum += p.j; "#
}

#[td_kernel(deterministic = true)] unsafe fn of_counts(#[each] p: &[f32], h: &mut Histogram<u64>) { r#" h.add(p.i); "# }
#[td_kernel] unsafe fn unused_histogram(#[each] p: &[f32], h: &mut Histogram<u64>, sum: &mut Sum<f32>) { r#" sum += p.j; "# }

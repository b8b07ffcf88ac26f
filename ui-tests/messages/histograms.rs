//! Histograms: wrong types, attributes and keys.

#[td_kernel] unsafe fn types(#[each] p: &[f32], a: &mut Histogram<u32>, b: &mut Histogram, c: &Histogram<u64>) {
    r#" a.add(p.i); "#
}

#[td_kernel] unsafe fn marked(#[each] p: &[f32], #[each] h: &mut Histogram<u64>) { r#" h.add(p.i); "# }

#[td_kernel(deterministic = true, map = "walk")]
unsafe fn of_floats(#[each] p: &[f32], h: &mut Histogram<f32>, sum: &mut Sum<f32>) {
    r#" h.add(p.i); sum += p.j; "#
}

#[td_kernel(deterministic = true)] unsafe fn of_counts(#[each] p: &[f32], h: &mut Histogram<u64>) { r#" h.add(p.i); "# }
#[td_kernel] unsafe fn unused(#[each] p: &[f32], h: &mut Histogram<u64>, sum: &mut Sum<f32>) { r#" sum += p.j; "# }

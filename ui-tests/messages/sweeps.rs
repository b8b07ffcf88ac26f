//! Keys of the sweep that contradict each other, and sweeps that do not support the kernel's outputs.

mistakes! {
    #[td_kernel(MISTAKE)] unsafe fn kernel(#[each] p: &[f32], d: &mut Packed<f32>) { r#" d = p.i - p.j; "# }
    { sweep = "classic", tile = 64 }
    { sweep = "rows", tile = 0 }
    { sweep = "rows", block = 16 }
    { sweep = "rows", space = "thread" }
    { sweep = "columns" }
    { sweep = "mirror" }
    { map = "auto", space = "thread" }
}

mistakes! {
    #[td_kernel(MISTAKE)] unsafe fn kernel(total: &mut Sum<u64>) { r#" total += 1; "# }
    { tile = 128, block = 16 }
    { tile = 128, space = "thread" }
}

mistakes! {
    #[td_kernel(MISTAKE)] unsafe fn kernel(#[each] p: &[f32], d: &mut Packed<f32>, e: &mut Square<f32>) {
        r#" d = e = p.i - p.j; "#
    }

    { sweep = "rows" }
}

#[td_kernel(sweep = "rows")] unsafe fn rows_of_nothing(#[each] p: &[f32], s: &mut Sum<f32>) { r#" s += p.i - p.j; "# }

#[td_kernel(sweep = "rows")] unsafe fn twice(#[each] p: &[f32], d: &mut Square<f32>, s: &mut Sum<f32>) {
    r#" d = p.i - p.j; s += 1; "#
}

#[td_kernel(space = "thread")] unsafe fn square_of_threads(#[each] p: &[f32], d: &mut Square<f32>) { r#" d = p.i - p.j; "# }

#[td_kernel(space = "thread", diagonal = true)] unsafe fn square_of_threads_with_diagonal(#[each] p: &[f32], d: &mut Square<f32>) {
    r#" d = p.i - p.j; "#
}

//! Keys of the sweep that do not go together, and sweeps that cannot do what the kernel writes.

#[td_kernel(sweep = "classic", tile = 64)]
unsafe fn classic_tile(#[each] p: &[f32], d: &mut Packed<f32>) {
    r#" d = p.i - p.j; "#
}

#[td_kernel(sweep = "rows", tile = 0)]
unsafe fn no_tile(#[each] p: &[f32], d: &mut Packed<f32>) {
    r#" d = p.i - p.j; "#
}

#[td_kernel(sweep = "rows", block = 16)]
unsafe fn block_and_rows(#[each] p: &[f32], d: &mut Packed<f32>) {
    r#" d = p.i - p.j; "#
}

#[td_kernel(sweep = "rows", space = "thread")]
unsafe fn rows_of_threads(#[each] p: &[f32], d: &mut Packed<f32>) {
    r#" d = p.i - p.j; "#
}

#[td_kernel(sweep = "columns")]
unsafe fn columns_of_slots(#[each] p: &[f32], d: &mut Packed<f32>) {
    r#" d = p.i - p.j; "#
}

#[td_kernel(sweep = "rows")]
unsafe fn rows_of_nothing(#[each] p: &[f32], s: &mut Sum<f32>) {
    r#" s += p.i - p.j; "#
}

#[td_kernel(sweep = "mirror")]
unsafe fn mirror_of_slots(#[each] p: &[f32], d: &mut Packed<f32>) {
    r#" d = p.i - p.j; "#
}

#[td_kernel(sweep = "rows")]
unsafe fn both_kinds(#[each] p: &[f32], d: &mut Packed<f32>, e: &mut Square<f32>) {
    r#" d = e = p.i - p.j; "#
}

#[td_kernel(sweep = "rows")]
unsafe fn twice(#[each] p: &[f32], d: &mut Square<f32>, s: &mut Sum<f32>) {
    r#" d = p.i - p.j; s += 1; "#
}

#[td_kernel(space = "thread")]
unsafe fn square_of_threads(#[each] p: &[f32], d: &mut Square<f32>) {
    r#" d = p.i - p.j; "#
}

#[td_kernel(map = "auto", space = "thread")]
unsafe fn any_threads(#[each] p: &[f32], d: &mut Packed<f32>) {
    r#" d = p.i - p.j; "#
}

#[td_kernel(tile = 128, block = 16)]
unsafe fn block_beside_tile(total: &mut Sum<u64>) {
    r#" total += 1; "#
}

#[td_kernel(tile = 128, space = "thread")]
unsafe fn tile_in_thread_space(total: &mut Sum<u64>) {
    r#" total += 1; "#
}

#[td_kernel(tile = 64)]
unsafe fn no_tiles_in_common(#[each] p: &[f32], d: &mut Packed<f32>, e: &mut Square<f32>) {
    r#" d = e = p.i - p.j; "#
}

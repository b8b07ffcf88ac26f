//! The extreme of all pairs: wrong types and attributes.

#[td_kernel] unsafe fn types(#[each] p: &[f32], a: &mut Max<[f32; 2]>, b: &mut Min<bool>, c: &Max<f32>) { r#" a.offer(p.i); "# }
#[td_kernel] unsafe fn marked(#[each] p: &[f32], #[each] far: &mut Max<f32>, #[each] near: &mut Min<f32>) { r#" far.offer(p.i); "# }
#[td_kernel] unsafe fn unused(#[each] p: &[f32], far: &mut Max<f32>, sum: &mut Sum<f32>) { r#" sum += p.j; "# }

//! Parameters that a kernel cannot have.

#[td_kernel]
unsafe fn receiver(&self, out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel]
unsafe fn patterns((a, b): (f32, f32), mut c: usize, ref d: f32, e @ f: f32, _: f32) {
    r#" return; "#
}

#[td_kernel]
unsafe fn without_names(f: &mut Packed(f32), out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel]
unsafe fn variadic(out: &mut Packed<f32>, rest: ...) {
    r#" out = 1; "#
}

#[td_kernel]
unsafe fn twice(x: f32, x: usize, r#x: f32, out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel]
unsafe fn each(#[each] x: &mut [f32], #[each] s: f32, #[each(1)] y: &[f32], #[each] #[each] z: &[f32]) {
    r#" return; "#
}

#[td_kernel]
unsafe fn attribute(
    /// The points.
    x: &[f32],
    #[allow(unused)] y: &[f32],
) {
    r#" return; "#
}

#[td_kernel]
unsafe fn lifetime(x: &'static [usize]) {
    r#" return; "#
}

#[td_kernel]
unsafe fn not_written(a: &Packed<f32>, b: Square<f32>, c: Sum<f32>, d: &Pairs, e: Pairs) {
    r#" return; "#
}

#[td_kernel]
unsafe fn wrong_arguments(c: &mut Packed, d: &mut Sum<f32, f32>, e: &mut Pairs<()>, f: &mut Square<'static>) {
    r#" return; "#
}

#[td_kernel]
unsafe fn wrong_values(a: &mut Pairs<usize>, b: &mut Pairs<f32, f32>, c: &Pairs<f32>, d: &mut Pairs<[f32; 5]>) {
    r#" return; "#
}

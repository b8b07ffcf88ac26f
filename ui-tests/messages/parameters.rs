//! Parameters that a kernel cannot have.

mistakes! {
    #[td_kernel] unsafe fn kernel(MISTAKE) { r#" return; "# }
    { &self, out: &mut Packed<f32> }
    { (a, b): (f32, f32), mut c: usize, ref d: f32, e @ f: f32, _: f32 }
    { f: &mut Packed(f32), out: &mut Packed<f32> }
    { out: &mut Packed<f32>, rest: ... }
    { x: f32, x: usize, r#x: f32, out: &mut Packed<f32> }
    { #[each] x: &mut [f32], #[each] s: f32, #[each(1)] y: &[f32], #[each] #[each] z: &[f32] }
    { x: &'static [usize] }
    { a: &Packed<f32>, b: Square<f32>, c: Sum<f32>, d: &Pairs, e: Pairs }
    { c: &mut Packed, d: &mut Sum<f32, f32>, e: &mut Pairs<()>, f: &mut Square<'static> }
    { a: &mut Pairs<usize>, b: &mut Pairs<f32, f32>, c: &Pairs<f32>, d: &mut Pairs<[f32; 5]> }
    {
        /// The points.
        x: &[f32], #[allow(unused)] y: &[f32],
    }
}

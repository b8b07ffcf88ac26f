#[td_kernel(diagonal = true, fmad = true)]
unsafe fn product(
    #[each] p: &[[f32; 4]],
    #[each] v: &[f32],
    scale: f32,
    #[each] product: &mut Sums<f32>,
) {
    r#"
    float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z, w = p.i.w - p.j.w;
    float k = expf(-scale * (x * x + y * y + z * z + w * w));
    product.i += k * v.j;
    product.j += k * v.i;
    "#
}

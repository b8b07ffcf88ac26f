#[td_kernel]
unsafe fn distances(#[each] p: &[[f32; 4]], distance: &mut Packed<f32>) {
    r#"
    float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z, w = p.i.w - p.j.w;
    distance = sqrtf(x * x + y * y + z * z + w * w);
    "#
}

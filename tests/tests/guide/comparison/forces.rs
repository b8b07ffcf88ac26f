#[td_kernel(fmad = true)]
unsafe fn forces(#[each] p: &[[f32; 4]], #[each] pull: &mut Sums<[f32; 3]>) {
    r#"
    float x = p.j.x - p.i.x, y = p.j.y - p.i.y, z = p.j.z - p.i.z;
    float w = rsqrtf(x * x + y * y + z * z + 1e-4f), cube = w * w * w;
    float by_j = p.j.w * cube, by_i = p.i.w * cube;
    pull.i += make_float3(by_j * x, by_j * y, by_j * z);
    pull.j -= make_float3(by_i * x, by_i * y, by_i * z);
    "#
}

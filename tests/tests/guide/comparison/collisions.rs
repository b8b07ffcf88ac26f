#[td_kernel(fmad = true)]
unsafe fn collisions(#[each] p: &[[f32; 4]], touching: &mut Sum<u64>) {
    r#"
    float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z, reach = p.i.w + p.j.w;
    if (x * x + y * y + z * z <= reach * reach) touching += 1;
    "#
}

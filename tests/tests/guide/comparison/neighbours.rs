#[td_kernel]
unsafe fn neighbours(
    #[each] p: &Features<f32>,
    #[fold] sum: f32,
    #[each] norm: &[f32],
    #[each] near: &mut Nearest<f32, 10>,
) {
    let feature = r#" float d = p.i - p.j; sum = fmaf(d, d, sum); "#;
    let pair = r#" near.push(sum); "#;
    let lower_bound = r#" fmaf(-2.0f, dot_upper, norm.i + norm.j) "#; // may be left out
}

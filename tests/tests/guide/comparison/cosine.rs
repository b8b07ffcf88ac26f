#[td_kernel]
unsafe fn cosine(
    #[each] p: &Features<f32>,
    #[dot] dot: f32,
    #[each] norm: &[f32],
    cosine: &mut Packed<f32>,
) {
    r#" cosine = dot / (norm.i * norm.j); "#
}

//! `#[dot]`, the product of a pair's features: wrong types, attributes, features, names and bodies.

mistakes! {
    #[td_kernel]
    unsafe fn kernel(#[each] p: &Features<f32>, MISTAKE, out: &mut Packed<f32>) {
        r#" out = dot; "#
    }

    { #[dot] dot: f64 }
    { #[dot(exact)] dot: f32 }
    { #[dot] #[dot] dot: f32 }
    { #[dot] #[each] dot: f32 }
    { #[dot] dot: f32, #[dot] other: f32 }
    { #[dot] dot: f32, #[fold] sum: f32 }
    { #[dot] dot: f32, dot_error: f32 }
    { #[dot] product: f32, dot: f32 }
}

mistakes! {
    #[td_kernel]
    unsafe fn kernel(MISTAKE, #[dot] dot: f32, total: &mut Sum<f32>) {
        r#" total += dot; "#
    }

    { #[each] p: &[f32] }
    { #[row] p: &Features<f32>, #[column] q: &[f32] }
    { #[each] p: &Features<f32>, #[each] q: &Features<f32> }
    { #[each] p: &Features<f64> }
    { #[each] p: &Features<[i8; 4]> }
}

mistakes! {
    #[td_kernel]
    unsafe fn kernel(#[each] p: &Features<f32>, #[dot] dot: f32, out: &mut Packed<f32>) {
        MISTAKE
    }

    { let pair = r#" out = dot; "#; }
    { r#" out = dot - p.i; "# }
    {}
}

#[td_kernel]
unsafe fn of_two_sets(
    #[row] q: &Features<f32>,
    #[column] p: &Features<f32>,
    #[dot] dot: f32,
    out: &mut Matrix<f32>,
) {
    r#" out = dot + q; "#
}

//! `#[dot]`, the product of a pair's features: wrong types, attributes, features, names and bodies.

mistakes! {
    #[td_kernel] unsafe fn kernel(#[each] p: &Features<f32>, MISTAKE, out: &mut Packed<f32>) { r#" out = dot; "# }
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
    #[td_kernel] unsafe fn kernel(MISTAKE, #[dot] dot: f32, total: &mut Sum<f32>) { r#" total += dot; "# }
    { #[each] p: &[f32] }
    { #[row] p: &Features<f32>, #[column] q: &[f32] }
    { #[each] p: &Features<f32>, #[each] q: &Features<f32> }
    { #[each] p: &Features<f64> }
    { #[each] p: &Features<[i8; 4]> }
    { #[each] p: &Features<i8> }
}

mistakes! {
    #[td_kernel] unsafe fn kernel(MISTAKE, #[dot] dot: i32, out: &mut Packed<i32>) { r#" out = dot; "# }
    { #[each] p: &Features<f32> }
    { #[each] p: &Features<i16> }
}

#[td_kernel] unsafe fn unsigned_product(#[each] p: &Features<u8>, #[dot] dot: u32, out: &mut Packed<u32>) { r#" out = dot; "# }

#[td_kernel] unsafe fn error_of_integers(#[each] p: &Features<i8>, #[dot] dot: i32, out: &mut Packed<i32>) {
    r#" out = dot + dot_error; "#
}

mistakes! {
    #[td_kernel] unsafe fn kernel(#[each] p: &Features<f32>, #[dot] dot: f32, out: &mut Packed<f32>) { MISTAKE }
    { let pair = r#" out = dot; "#; }
    { let pair = r#" out = dot; "#; let lower_bound = r#" dot_upper "#; }
    { r#" out = dot - p.i; "# }
    {}
}

#[td_kernel] unsafe fn of_two_sets(#[row] q: &Features<f32>, #[column] p: &Features<f32>, #[dot] dot: f32, out: &mut Matrix<f32>) {
    r#" out = dot + q; "#
}

mistakes! {
    #[td_kernel] unsafe fn kernel(#[each] p: &Features<f32>, #[dot] dot: f32, #[fold] sum: f32, out: &mut Packed<f32>) {
        MISTAKE
        let feature = r#" sum += p.i * p.j; "#; let pair = r#" out = sum; "#;
    }

    {}
    { let lower_bound = r#" dot_upper "#; }
    { let other = r#" out = dot; "#; }
    { 3 }
    { let quick = r#" out = 1; exact(); "#; }
    { let quick = r#" out = dot; "#; }
    { let quick = r#" if (dot > 1) exact(); "#; }
    { let quick = r#" out = dot - p.i; exact(); "#; }
    { let quick = r#" out = dot - sum; exact(); "#; }
    { let quick = r#" out = sum; exact(); "#; }
    { let quick = r#" out = dot; if (dot_error > 1) exact; "#; }
}

mistakes! {
    #[td_kernel] unsafe fn kernel(#[each] p: &Features<f32>, #[dot] dot: f32, #[fold] sum: f32, MISTAKE) {
        let quick = r#" near.push(dot); exact(); "#; let feature = r#" sum += dot * p.i * p.j; "#;
        let pair = r#" near.push(sum); if (dot_error > 1) return exact(); "#;
    }

    { near: &mut Pairs<f32> }
    { exact: f32, near: &mut Pairs<f32> }
    { #[fold] dot_error: f32, near: &mut Pairs<f32> }
}

mistakes! {
    #[td_kernel] unsafe fn kernel(#[each] p: &Features<f32>, #[dot] dot: f32, #[fold] sum: f32, out: &mut Packed<f32>, MISTAKE) {
        let quick = r#" out = dot; count += 1; exact(); "#; let feature = r#" sum += p.i * p.j; "#; let pair = r#" out = sum; "#;
    }

    { count: &mut Sum<u64> }
    { total: &mut Sum<f32>, count: &mut Sum<u64> }
}

#[td_kernel] unsafe fn quick_without_product(#[each] p: &Features<f32>, #[fold] sum: f32, out: &mut Packed<f32>) {
    let quick = r#" out = 1; "#; let feature = r#" sum += p.i * p.j; "#; let pair = r#" out = sum; "#;
}

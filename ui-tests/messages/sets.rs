//! Many sets: wrong types, and names, keys and results that do not work with them.

mistakes! {
    #[td_kernel] unsafe fn kernel(#[each] p: MISTAKE, out: &mut Packed<f32>) { r#" out = p.i - p.j; "# }
    { Sets<f32> }
    { &mut Sets<f32> }
    { &Sets }
    { &Sets<Vec<f32>> }
}

#[td_kernel] unsafe fn unmarked(p: &Sets<f32>, out: &mut Packed<f32>) { r#" out = p.i - p.j; "# }
#[td_kernel] unsafe fn of_two(#[row] p: &Sets<f32>, #[column] q: &[f32], out: &mut Sum<f32>) { r#" out += q; "# }
#[td_kernel] unsafe fn of_columns(#[row] p: &[f32], #[column] q: &Sets<f32>, out: &mut Sum<f32>) { r#" out += p + q; "# }

#[td_kernel] unsafe fn of_three(#[row] p: &Sets<f32>, #[row] q: &Sets<f32>, #[column] r: &Sets<f32>, out: &mut Matrix<f32>) {
    r#" out = p + q + r; "#
}

#[td_kernel(diagonal = true, tile = 32)]
unsafe fn with_keys_of_two(#[row] p: &Sets<f32>, #[column] q: &Sets<f32>, out: &mut Matrix<f32>) {
    r#" out = p * rows + q * columns; "#
}

#[td_kernel] unsafe fn others(#[each] p: &Sets<f32>, #[each] q: &Sets<f32>, set: u32, out: &mut Packed<f32>) {
    r#" out = p.i - q.j; "#
}

#[td_kernel] unsafe fn set(#[each] set: &Sets<f32>, out: &mut Packed<f32>) { r#" out = set.i - set.j; "# }

#[td_kernel(map = "rb", diagonal = true, sweep = "rows")]
unsafe fn with_keys(#[each] p: &Sets<f32>, out: &mut Packed<f32>) {
    r#" out = p.i - p.j; "#
}

#[td_kernel] unsafe fn with_n(#[each] p: &Sets<f32>, out: &mut Packed<f32>) { r#" out = p.i / n; "# }

#[td_kernel]
unsafe fn of_each_set(
    #[each] p: &Sets<f32>, #[set] a: &mut Sums<f32>, #[set] b: &[f32], #[set] c: &mut Maxima<[f32; 2]>, #[set] d: &mut Packed<f32>,
    #[set] e: &mut Minima<(f64, u32)>,
) {
    r#" d = p.i; "#
}

#[td_kernel] unsafe fn without_sets(#[each] p: &[f32], #[set] far: &mut Maxima<f32>) { r#" far.offer(p.i - p.j); "# }

#[td_kernel] unsafe fn never_offered(#[each] p: &Sets<f32>, #[set] far: &mut Maxima<f32>, out: &mut Sum<f32>) {
    r#" out += p.i - p.j; "#
}

#[td_kernel(map = "rb", diagonal = true, tile = 64)] unsafe fn nearest(#[each] p: &Sets<f32>, #[each] near: &mut Nearest<f32, 4>) {
    r#" near.push(p.i - p.j); "#
}

mistakes! {
    #[td_kernel] unsafe fn kernel(MISTAKE, #[fold] s: f32, out: &mut Packed<f32>) {
        let feature = r#" s += p.i * p.j; "#; let pair = r#" out = s; "#;
    }

    { #[each] p: FeatureSets<f32> }
    { #[each] p: &mut FeatureSets<f32> }
    { p: &FeatureSets<f32> }
    { #[each] p: &FeatureSets }
    { #[each] p: &FeatureSets<[f32; 3]> }
    { #[each] p: &FeatureSets<f32>, #[each] q: &FeatureSets<f32> }
    { #[each] p: &FeatureSets<f32>, #[each] q: &Sets<f32> }
}

#[td_kernel]
unsafe fn of_rows_with_features(#[row] p: &FeatureSets<f32>, #[column] q: &Features<f32>, #[fold] s: f32, out: &mut Matrix<f32>) {
    let feature = r#" s += p * q; "#; let pair = r#" out = s; "#;
}

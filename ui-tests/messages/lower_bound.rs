//! The body `lower_bound` of kernels with nearest neighbours, lists and sums: wrong forms, names, types and keys.

mistakes! {
    #[td_kernel]
    unsafe fn kernel(#[each] p: &Features<f32>, #[fold] sum: f32, #[each] norm: &[f32], #[each] near: &mut Nearest<f32, 10>) {
        let feature = r#" float d = p.i - p.j; sum += d * d; "#; let pair = r#" near.push(sum); "#; let lower_bound = MISTAKE;
    }

    { r#"
    return norm.i + norm.j - 2.0f * dot_upper;
    "# }
    { r#" "# }
    { r#" -dot_upper "#; let lower_bound = r#" -dot_upper "# }
    { r#"
    p.i + sum
        + near.bound
        - k - dot_upper
    "# }
    { r#" norm.i - norm.j "# }
}

mistakes! {
    #[td_kernel] unsafe fn kernel(#[each] p: &Features<f32>, #[fold] sum: f32, #[each] norm: &[f32], limit: f32, close: &mut Pairs) {
        let feature = r#" float d = p.i - p.j; sum += d * d; "#; let pair = r#" if (sum <= limit) close.push(); "#;
        let lower_bound = MISTAKE;
    }

    { r#" return norm.i + norm.j - 2.0f * dot_upper - limit; "# }
    { r#"
        norm.i + norm.j
            - 2.0f * dot_upper <= limit
    "# }
    { r#" norm.i + norm.j - 2.0f * dot - limit "# }
}

mistakes! {
    #[td_kernel] unsafe fn kernel(MISTAKE, #[fold] sum: f32, #[each] near: &mut Nearest<f32, 10>) {
        let feature = r#" sum += p.i - q.j; "#; let pair = r#" near.push(sum); "#; let lower_bound = r#" -dot_upper "#;
    }

    { #[each] p: &Features<f32>, #[each] dot_upper: &[f32], dot_lower: f32 }
    { #[each] p: &Features<i8> }
    { #[each] p: &Features<f32>, #[each] q: &Features<f32> }
}

mistakes! {
    #[td_kernel] unsafe fn kernel(#[row] p: &Features<f32>, MISTAKE, #[fold] sum: f32, #[row] near: &mut Nearest<f32, 10>) {
        let feature = r#" sum -= p * p; "#; let pair = r#" near.push(sum * q); "#; let lower_bound = r#" -dot_upper "#;
    }

    { #[column] q: &[f32] }
    { #[column] q: &Features<f32>, #[column] dot_upper: &[f32] }
    { #[column] q: &Features<u32> }
}

#[td_kernel]
unsafe fn names_of_two(
    #[row] p: &Features<f32>, #[column] q: &Features<f32>, #[fold] sum: f32, #[row] near: &mut Nearest<f32, 10>,
) {
    let feature = r#" sum -= p * q; "#; let pair = r#" near.push(sum); "#;
    let lower_bound = r#"
    p - dot_upper
        - q
    "#;
}

// Neighbours with an unsupported type of values.
#[td_kernel] unsafe fn integers(#[each] p: &Features<f32>, #[fold] sum: f32, #[each] out: &mut Nearest<i32, 10>) {
    let feature = r#" sum += p.i * p.j; "#; let pair = r#" out.push(sum); "#; let lower_bound = r#" -dot_upper "#;
}

mistakes! {
    #[td_kernel(deterministic = true)] unsafe fn kernel(#[each] p: &Features<f32>, #[fold] sum: f32, MISTAKE) {
        let feature = r#" sum += p.i * p.j; "#; let pair = r#" if (sum > 3) total += 1; "#; let lower_bound = r#" 3 - dot_upper "#;
    }

    { total: &mut Sum<f32> }
    { total: &mut Sum<u32> }
}

// These are valid: a condition within an expression, and a cast, whose `<` and `>` are not comparisons.
#[td_kernel]
unsafe fn with_a_condition(#[each] p: &Features<f32>, #[fold] sum: f32, #[each] of: &[u32], least: f32, count: &mut Sum<u32>) {
    let feature = r#" sum += p.i * p.j; "#; let pair = r#" if (of.i != of.j && sum >= least) count += 1; "#;
    let lower_bound = r#" of.i == of.j ? 1 : static_cast<float>(least - dot_upper) "#;
}

// This is valid: a fold of this name. The lower bound does not see folds, and has the generated variable.
#[td_kernel] unsafe fn right(#[each] p: &Features<f32>, #[fold] dot_upper: f32, #[each] near: &mut Nearest<f32, 10>) {
    let feature = r#" dot_upper += p.i * p.j; "#; let pair = r#" near.push(-dot_upper); "#; let lower_bound = r#" -dot_upper "#;
}

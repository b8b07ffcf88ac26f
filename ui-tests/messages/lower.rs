//! The text `lower` of kernels with nearest neighbours, lists and sums: what it is, what it can use, and what it goes with.

#[td_kernel]
unsafe fn statements(
    #[each] p: &Features<f32>,
    #[fold] sum: f32,
    #[each] norm: &[f32],
    #[each] near: &mut Nearest<f32, 10>,
) {
    let feature = r#" float d = p.i - p.j; sum += d * d; "#;
    let pair = r#" near.push(sum); "#;
    let lower = r#"
    return norm.i + norm.j - 2.0f * (dot + dot_error);
    "#;
}

#[td_kernel]
unsafe fn empty(
    #[each] p: &Features<f32>,
    #[fold] sum: f32,
    #[each] near: &mut Nearest<f32, 10>,
) {
    let feature = r#" sum += p.i - p.j; "#;
    let pair = r#" near.push(sum); "#;
    let lower = r#" "#;
}

#[td_kernel]
unsafe fn twice(
    #[each] p: &Features<f32>,
    #[fold] sum: f32,
    #[each] near: &mut Nearest<f32, 10>,
) {
    let feature = r#" sum += p.i - p.j; "#;
    let pair = r#" near.push(sum); "#;
    let lower = r#" -(dot + dot_error) "#;
    let lower = r#" -dot - dot_error "#;
}

#[td_kernel]
unsafe fn names(
    #[each] p: &Features<f32>,
    #[fold] sum: f32,
    #[each] near: &mut Nearest<f32, 10>,
) {
    let feature = r#" sum += p.i - p.j; "#;
    let pair = r#" near.push(sum); "#;
    let lower = r#"
    p.i + sum
        + near.bound
        - k - dot - dot_error
    "#;
}

#[td_kernel]
unsafe fn own_dot(
    #[each] p: &Features<f32>,
    #[fold] sum: f32,
    #[each] dot: &[f32],
    dot_error: f32,
    #[each] near: &mut Nearest<f32, 10>,
) {
    let feature = r#" sum += p.i - p.j; "#;
    let pair = r#" near.push(sum); "#;
    let lower = r#" dot.i - dot_error "#;
}

#[td_kernel]
unsafe fn stored(#[each] p: &Features<f32>, #[fold] sum: f32, out: &mut Packed<f32>) {
    let feature = r#" sum += p.i * p.j; "#;
    let pair = r#" out = sum; "#;
    let lower = r#" -dot - dot_error "#;
}

#[td_kernel(deterministic = true)]
unsafe fn in_order(#[each] p: &Features<f32>, #[fold] sum: f32, total: &mut Sum<f32>) {
    let feature = r#" sum += p.i * p.j; "#;
    let pair = r#" total += sum; "#;
    let lower = r#" -dot - dot_error "#;
}

#[td_kernel]
unsafe fn names_of_two(
    #[row] p: &Features<f32>,
    #[column] q: &Features<f32>,
    #[fold] sum: f32,
    #[row] near: &mut Nearest<f32, 10>,
) {
    let feature = r#" sum -= p * q; "#;
    let pair = r#" near.push(sum); "#;
    let lower = r#"
    p - (dot + dot_error)
        - q
    "#;
}

#[td_kernel]
unsafe fn of_rows_alone(
    #[row] p: &Features<f32>,
    #[column] q: &[f32],
    #[fold] sum: f32,
    #[row] near: &mut Nearest<f32, 10>,
) {
    let feature = r#" sum -= p * p; "#;
    let pair = r#" near.push(sum * q); "#;
    let lower = r#" -dot - dot_error "#;
}

#[td_kernel]
unsafe fn own_dot_of_two(
    #[row] p: &Features<f32>,
    #[column] q: &Features<f32>,
    #[fold] sum: f32,
    #[column] dot: &[f32],
    #[row] near: &mut Nearest<f32, 10>,
) {
    let feature = r#" sum -= p * q; "#;
    let pair = r#" near.push(sum); "#;
    let lower = r#" dot + dot_error "#;
}

#[td_kernel]
unsafe fn of_two_types(
    #[row] p: &Features<f32>,
    #[column] q: &Features<u32>,
    #[fold] sum: f32,
    #[row] near: &mut Nearest<f32, 10>,
) {
    let feature = r#" sum -= p * q; "#;
    let pair = r#" near.push(sum); "#;
    let lower = r#" -dot - dot_error "#;
}

#[td_kernel]
unsafe fn of_integers(
    #[each] p: &Features<i8>,
    #[fold] sum: i32,
    #[each] near: &mut Nearest<i32, 10>,
) {
    let feature = r#" sum += p.i * p.j; "#;
    let pair = r#" near.push(sum); "#;
    let lower = r#" dot - dot_error "#;
}

#[td_kernel]
unsafe fn of_several(
    #[each] p: &Features<f32>,
    #[each] q: &Features<f32>,
    #[fold] sum: f32,
    #[each] near: &mut Nearest<f32, 10>,
) {
    let feature = r#" sum += p.i * q.j; "#;
    let pair = r#" near.push(sum); "#;
    let lower = r#" dot - dot_error "#;
}

#[td_kernel]
unsafe fn without_features(#[each] x: &[f32], #[each] near: &mut Nearest<f32, 10>) {
    let pair = r#" near.push(x.i - x.j); "#;
    let lower = r#" x.i - x.j "#;
}

#[td_kernel]
unsafe fn with_a_return(
    #[each] p: &Features<f32>,
    #[fold] sum: f32,
    #[each] norm: &[f32],
    limit: f32,
    close: &mut Pairs,
) {
    let feature = r#" float d = p.i - p.j; sum += d * d; "#;
    let pair = r#" if (sum <= limit) close.push(); "#;
    let lower = r#" return norm.i + norm.j - 2.0f * (dot + dot_error) - limit; "#;
}

#[td_kernel]
unsafe fn whether(
    #[each] p: &Features<f32>,
    #[fold] sum: f32,
    #[each] norm: &[f32],
    limit: f32,
    close: &mut Pairs,
) {
    let feature = r#" float d = p.i - p.j; sum += d * d; "#;
    let pair = r#" if (sum <= limit) close.push(); "#;
    let lower = r#"
        norm.i + norm.j
            - 2.0f * (dot + dot_error) <= limit
    "#;
}

#[td_kernel]
unsafe fn without_its_error(
    #[each] p: &Features<f32>,
    #[fold] sum: f32,
    least: f32,
    count: &mut Sum<u32>,
) {
    let feature = r#" sum += p.i * p.j; "#;
    let pair = r#" if (sum >= least) count += 1; "#;
    let lower = r#" least - dot "#;
}

#[td_kernel]
unsafe fn of_norms_alone(
    #[each] p: &Features<f32>,
    #[fold] sum: f32,
    #[each] norm: &[f32],
    #[each] near: &mut Nearest<f32, 10>,
) {
    let feature = r#" float d = p.i - p.j; sum += d * d; "#;
    let pair = r#" near.push(sum); "#;
    let lower = r#" norm.i - norm.j "#;
}

#[td_kernel(deterministic = true)]
unsafe fn counted_in_order(
    #[each] p: &Features<f32>,
    #[fold] sum: f32,
    least: f32,
    count: &mut Sum<u32>,
) {
    let feature = r#" sum += p.i * p.j; "#;
    let pair = r#" if (sum >= least) count += 1; "#;
    let lower = r#" least - (dot + dot_error) "#;
}

// A condition is a part of an expression, and a cast has signs like a comparison's.
#[td_kernel]
unsafe fn with_a_condition(
    #[each] p: &Features<f32>,
    #[fold] sum: f32,
    #[each] of: &[u32],
    least: f32,
    count: &mut Sum<u32>,
) {
    let feature = r#" sum += p.i * p.j; "#;
    let pair = r#" if (of.i != of.j && sum >= least) count += 1; "#;
    let lower = r#" of.i == of.j ? 1 : static_cast<float>(least - (dot + dot_error)) "#;
}

// A fold of this name is not in the text, which has the generator's.
#[td_kernel]
unsafe fn right(
    #[each] p: &Features<f32>,
    #[fold] dot: f32,
    #[each] near: &mut Nearest<f32, 10>,
) {
    let feature = r#" dot += p.i * p.j; "#;
    let pair = r#" near.push(-dot); "#;
    let lower = r#" -(dot + dot_error) "#;
}

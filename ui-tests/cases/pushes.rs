//! Pushes with the pair's indices, which are implicit.

use td_kernel::td_kernel;

#[td_kernel]
unsafe fn close(#[each] x: &[f32], list: &mut Pairs) {
    r#"
    if (fabsf(x.i - x.j) < 1)
        list.push(i, j);
    "#
}

#[td_kernel]
unsafe fn valued(#[row] a: &[f32], #[column] b: &[f32], list: &mut Pairs<f32>) {
    r#" list.push(i, j, fabsf(a - b)); "#
}

#[td_kernel]
unsafe fn nearest(#[each] x: &[f32], #[each] near: &mut Nearest<f32, 4>) {
    r#" near.push(fabsf(x.i - x.j), j); "#
}

#[td_kernel]
unsafe fn of_features(#[each] x: &Features<f32>, #[fold] s: f32, list: &mut Pairs) {
    let feature = r#" s += x.i * x.j; "#;
    let pair = r#" if (s > 1) list.push(i, j); "#;
}

fn main() {}

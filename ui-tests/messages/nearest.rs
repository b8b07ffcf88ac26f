//! Nearest neighbours: what they cannot be of, and what does not go with them.

#[td_kernel]
unsafe fn nothing(#[each] p: &[f32], #[each] near: &mut Nearest) {
    r#" near.push(p.i); "#
}

#[td_kernel]
unsafe fn no_count(#[each] p: &[f32], #[each] near: &mut Nearest<f32>) {
    r#" near.push(p.i); "#
}

#[td_kernel]
unsafe fn none(#[each] p: &[f32], #[each] near: &mut Nearest<f32, 0>) {
    r#" near.push(p.i); "#
}

#[td_kernel]
unsafe fn too_many(#[each] p: &[f32], #[each] near: &mut Nearest<f32, 257>) {
    r#" near.push(p.i); "#
}

const COUNT: usize = 5;

#[td_kernel]
unsafe fn named(#[each] p: &[f32], #[each] near: &mut Nearest<f32, COUNT>) {
    r#" near.push(p.i); "#
}

#[td_kernel]
unsafe fn wide(#[each] p: &[f64], #[each] near: &mut Nearest<f64, 10>) {
    r#" near.push(p.i - p.j); "#
}

#[td_kernel]
unsafe fn unmarked(#[each] p: &[f32], near: &Nearest<f32, 10>) {
    r#" near.push(p.i); "#
}

#[td_kernel]
unsafe fn others(
    #[each] p: &[f32],
    #[each] near: &mut Nearest<f32, 10>,
    #[each] far: &mut Nearest<f32, 10>,
    all: &mut Packed<f32>,
    list: &mut Pairs,
    #[each] least: &mut Min<f32>,
    raw: &mut [f32],
) {
    r#" near.push(p.i); "#
}

#[td_kernel(map = "rb", space = "thread", diagonal = true)]
unsafe fn with_a_map(#[each] p: &[f32], #[each] near: &mut Nearest<f32, 10>) {
    r#" near.push(p.i); "#
}

#[td_kernel(sweep = "rotate")]
unsafe fn rotating(#[each] p: &[f32], #[each] near: &mut Nearest<f32, 10>) {
    r#" near.push(p.i); "#
}

#[td_kernel]
unsafe fn of_columns(#[row] a: &[f32], #[column] b: &[f32], #[column] near: &mut Nearest<f32, 10>) {
    r#" near.push(a - b); "#
}

#[td_kernel]
unsafe fn of_each(#[row] a: &[f32], #[column] b: &[f32], #[each] near: &mut Nearest<f32, 10>) {
    r#" near.push(a - b); "#
}

#[td_kernel]
unsafe fn of_one_set(#[each] p: &[f32], #[row] near: &mut Nearest<f32, 10>) {
    r#" near.push(p.i - p.j); "#
}

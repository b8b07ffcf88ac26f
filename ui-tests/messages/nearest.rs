//! Nearest neighbours: wrong types, and keys that do not work with them.

mistakes! {
    #[td_kernel] unsafe fn kernel(#[each] p: &[f32], #[each] near: MISTAKE) { r#" near.push(p.i); "# }
    { &mut Nearest }
    { &mut Nearest<f32, 1, 2> }
    { &mut Nearest<f32, 0> }
    { &mut Nearest<f32, 257> }
    { &mut Nearest<f32, COUNT> }
    { &mut Nearest<f64, 10> }
}

#[td_kernel] unsafe fn unmarked(#[each] p: &[f32], near: &Nearest<f32, 10>) { r#" near.push(p.i); "# }

#[td_kernel(map = "rb", space = "thread", diagonal = true)]
unsafe fn with_a_map(#[each] p: &[f32], #[each] near: &mut Nearest<f32, 10>) {
    r#" near.push(p.i); "#
}

#[td_kernel(sweep = "rotate")] unsafe fn rotating(#[each] p: &[f32], #[each] near: &mut Nearest<f32, 10>) { r#" near.push(p.i); "# }

#[td_kernel] unsafe fn of_each(#[row] a: &[f32], #[column] b: &[f32], #[each] near: &mut Nearest<f32, 10>) {
    r#" near.push(a - b); "#
}

#[td_kernel] unsafe fn of_one_set(#[each] p: &[f32], #[row] near: &mut Nearest<f32, 10>) { r#" near.push(p.i - p.j); "# }

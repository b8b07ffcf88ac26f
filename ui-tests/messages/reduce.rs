//! States that `join` joins: wrong types, and outputs, keys and bodies that do not work with them.

#[td_kernel(prelude = r#"State add(State a, State b) { return a; }"#)]
unsafe fn without_join(#[each] x: &[f32], #[each] out: &mut Reduce<State>) {
    r#" out.i.join({x.j}); "#
}

#[td_kernel]
unsafe fn without_prelude(#[row] x: &[f32], #[column] y: &[f32], #[row] out: &mut Reduce<State>) {
    r#" out.join({x - y}); "#
}

#[td_kernel(prelude = r#"State join(State a, State b) { return a; }"#)]
unsafe fn types(
    #[each] x: &[f32],
    #[each] a: &mut Reduce<f32>,
    #[each] b: &mut Reduce<[f32; 2]>,
    #[each] c: &mut Reduce,
    d: &mut Reduce<State>,
) {
    r#" a.i.join(x.j); b.i.join(x.j); c.i.join(x.j); "#
}

#[td_kernel(prelude = r#"State join(State a, State b) { return a; }"#)]
unsafe fn unused(#[each] x: &[f32], #[each] out: &mut Reduce<State>) {
    r#" x.i; "#
}

#[td_kernel(prelude = r#"State join(State a, State b) { return a; }"#)]
unsafe fn unused_of_rows(#[row] x: &[f32], #[row] out: &mut Reduce<State>) {
    r#" x; "#
}

#[td_kernel(prelude = r#"State join(State a, State b) { return a; }"#)]
unsafe fn others(
    #[row] x: &[f32],
    #[column] y: &[f32],
    #[row] out: &mut Reduce<State>,
    #[column] other: &mut Reduce<State>,
    values: &mut Matrix<f32>,
    total: &mut Sum<f32>,
    #[row] sums: &mut Sums<f32>,
    memory: &mut [f32],
) {
    r#" out.join({x - y}); other.join({x}); values = x; total += x; sums += x; memory[0] = x; "#
}

#[td_kernel(prelude = r#"State join(State a, State b) { return a; }"#)]
unsafe fn neighbours(#[each] x: &[f32], #[each] out: &mut Reduce<State>, #[each] near: &mut Nearest<f32, 4>) {
    r#" out.i.join({x.j}); near.push(x.i); "#
}

#[td_kernel(prelude = r#"State join(State a, State b) { return a; }"#)]
unsafe fn many_sets(#[each] x: &Sets<f32>, #[each] out: &mut Reduce<State>) {
    r#" out.i.join({x.j}); "#
}

#[td_kernel(prelude = r#"State join(State a, State b) { return a; }"#)]
unsafe fn products(#[each] x: &Features<f32>, #[dot] dot: f32, #[each] out: &mut Reduce<State>) {
    r#" out.i.join({dot}); "#
}

#[td_kernel(prelude = r#"State join(State a, State b) { return a; }"#)]
unsafe fn near(#[each] x: &[f32], #[each] out: &mut Reduce<State>) {
    let pair = r#" out.i.join({x.j}); "#;
    let lower_bound = r#" box_distance(x.i, x.j) - 1 "#;
}

#[td_kernel(
    prelude = r#"State join(State a, State b) { return a; }"#,
    map = "rb",
    sweep = "rotate",
    tile = 64,
    block = 16,
    deterministic = true
)]
unsafe fn keys(#[each] x: &[f32], #[each] out: &mut Reduce<State>) {
    r#" out.i.join({x.j}); "#
}

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
    d: &mut Reduce<f32>,
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
    h: &mut Histogram<u64>,
    #[row] sums: &mut Sums<f32>,
    memory: &mut [f32],
) {
    r#" out.join({x - y}); other.join({x}); values = x; h.add(x); sums += x; memory[0] = x; "#
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

#[td_kernel(prelude = r#"State join(State a, State b) { return a; }"#)]
unsafe fn unused_of_all(#[each] x: &[f32], out: &mut Reduce<State>) {
    r#" x.i; "#
}

#[td_kernel(prelude = r#"State join(State a, State b) { return a; }"#)]
unsafe fn all_beside_elements(#[each] x: &[f32], #[each] out: &mut Reduce<State>, all: &mut Reduce<State>) {
    r#" out.i.join({x.j}); all.join({x.j}); "#
}

#[td_kernel(prelude = r#"State join(State a, State b) { return a; }"#)]
unsafe fn products_of_all(#[each] x: &Features<f32>, #[dot] dot: f32, out: &mut Reduce<State>) {
    r#" out.join({dot}); "#
}

#[td_kernel(prelude = r#"State join(State a, State b) { return a; }"#)]
unsafe fn near_of_all(#[each] x: &[f32], out: &mut Reduce<State>) {
    let pair = r#" out.join({x.j}); "#;
    let lower_bound = r#" box_distance(x.i, x.j) - 1 "#;
}

#[td_kernel(prelude = r#"State join(State a, State b) { return a; }"#)]
unsafe fn bound_of_all(#[each] x: &Features<f32>, #[fold] d: f32, out: &mut Reduce<State>) {
    let feature = r#" d += x.i * x.j; "#;
    let pair = r#" out.join({d}); "#;
    let lower_bound = r#" 1 - dot_upper "#;
}

#[td_kernel(prelude = r#"State join(State a, State b) { return a; }"#)]
unsafe fn bound(#[each] x: &Features<f32>, #[fold] d: f32, #[each] out: &mut Reduce<State>) {
    let feature = r#" d += x.i * x.j; "#;
    let pair = r#" out.i.join({d}); "#;
    let lower_bound = r#" 1 - dot_upper "#;
}

#[td_kernel(prelude = r#"State join(State a, State b) { return a; }"#)]
unsafe fn large_folds(#[each] x: &Features<f32>, #[fold] a: [f64; 4], #[fold] b: [f64; 4], #[fold] c: f32, #[each] out: &mut Reduce<State>) {
    let feature = r#" a.x += x.i * x.j; b.x += x.i; c += x.j; "#;
    let pair = r#" out.i.join({a.x + b.x + c}); "#;
}

#[td_kernel(prelude = r#"State join(State a, State b) { return a; }"#)]
unsafe fn sets_of_all(#[each] x: &Sets<f32>, out: &mut Reduce<State>) {
    r#" out.join({x.j}); "#
}

#[td_kernel]
unsafe fn all_without_join(#[each] x: &[f32], out: &mut Reduce<State>) {
    r#" out.join({x.j}); "#
}

#[td_kernel(prelude = r#"
State join(State a, State b) { return a; }
int named_join_out() { return 0; }
"#)]
unsafe fn named(#[each] x: &[f32], out: &mut Reduce<State>) {
    r#" out.join({x.j}); "#
}

//! States that `join` joins: wrong types, outputs without effect, and keys that do not work with them.

#[td_kernel(prelude = r#"State add(State a, State b) { return a; }"#)]
unsafe fn without_join(#[each] x: &[f32], #[each] out: &mut Reduce<State>) {
    r#" out.i.join({x.j}); "#
}

#[td_kernel] unsafe fn without_prelude(#[row] x: &[f32], #[column] y: &[f32], #[row] out: &mut Reduce<State>) {
    r#" out.join({x - y}); "#
}

#[td_kernel(prelude = r#"State join(State a, State b) { return a; }"#)]
unsafe fn types(
    #[each] x: &[f32], #[each] a: &mut Reduce<f32>, #[each] b: &mut Reduce<[f32; 2]>, #[each] c: &mut Reduce, d: &mut Reduce<f32>,
) {
    r#" a.i.join(x.j); b.i.join(x.j); c.i.join(x.j); "#
}

mistakes! {
    #[td_kernel(prelude = r#"State join(State a, State b) { return a; }"#)] unsafe fn kernel(MISTAKE) { r#" x; "# }
    { #[each] x: &[f32], #[each] out: &mut Reduce<State> }
    { #[row] x: &[f32], #[row] out: &mut Reduce<State> }
    { #[each] x: &[f32], out: &mut Reduce<State> }
}

#[td_kernel(
    prelude = r#"State join(State a, State b) { return a; }"#,
    map = "rb", sweep = "rotate",
    deterministic = true
)]
unsafe fn keys(#[each] x: &[f32], #[each] out: &mut Reduce<State>) {
    r#" out.i.join({x.j}); "#
}

#[td_kernel(prelude = r#"State join(State a, State b) { return a; }"#)]
unsafe fn large_folds(#[each] x: &Features<f32>, #[fold] a: [f64; 4], #[fold] b: [f64; 4], #[fold] c: f32, #[each] out: &mut Reduce<State>) {
    let feature = r#" a.x += x.i * x.j; b.x += x.i; c += x.j; "#; let pair = r#" out.i.join({a.x + b.x + c}); "#;
}

#[td_kernel] unsafe fn all_without_join(#[each] x: &[f32], out: &mut Reduce<State>) { r#" out.join({x.j}); "# }

#[td_kernel(prelude = r#"
State join(State a, State b) { return a; }
int named_join_out() { return 0; }
"#)]
unsafe fn named(#[each] x: &[f32], out: &mut Reduce<State>) {
    r#" out.join({x.j}); "#
}

#[td_kernel(prelude = r#"State join(State a, State b) { return a; }"#, deterministic = true)]
unsafe fn exact(#[row] x: &[f32], #[column] y: &[f32], #[row] out: &mut Reduce<State>, sum: &mut Sum<f32>) {
    r#" out.join({x - y}); sum += x; "#
}

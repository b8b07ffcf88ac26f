//! Products of features: from tensor cores, for GPUs that have them, and as folds for the others.

use rayon::prelude::*;
use td_kernel_tests::parallel::CheckEach;
use td_kernel_tests::sources;

use super::{architectures, compiles_for, nvrtc};

/// Keys, outputs of one set or of two, and bodies.
const ITEMS: &[(&str, &str, &str)] = &[
    ("", "value: &mut Packed<f32>", "value = dot;"),
    ("", "value: &mut Packed<f32>, error: &mut Packed<f32>", "value = dot; error = dot_error;"),
    (
        "",
        "#[each] norm: &[f32], value: &mut Packed<f32>",
        "float square = fmaf(-2.0f, dot, norm.i + norm.j); value = sqrtf(fmaxf(square, 0.0f));",
    ),
    (
        "diagonal = true",
        "#[each] norm: &[[f32; 4]], scale: f32, table: &[f32], value: &mut Square<f32>",
        "value = dot * scale * norm.i.x * norm.j.w + table[j];",
    ),
    ("", "value: &mut Square<[f32; 3]>, total: &mut Sum<f64>", "value.x = dot; total += dot;"),
    (
        "",
        "#[each] sum: &mut Sums<f32>, #[each] most: &mut Maxima<(f32, u32)>, near: &mut Pairs<f32>, count: &mut Sum<u64>",
        "sum.i += dot; sum.j += dot; most.offer(dot); if (dot - dot_error > 0.5f) { near.push(dot); count += 1; }",
    ),
    ("", "near: &mut Pairs, counts: &mut [u32]", "if (dot > 1) { near.push(); counts[i] = j; }"),
    ("", "value: &mut Matrix<f32>", "value = dot;"),
    (
        "",
        "#[row] a: &[f32], #[column] b: &[f32], value: &mut Matrix<f32>",
        "float square = fmaf(-2.0f, dot, a + b); value = sqrtf(fmaxf(square, 0.0f));",
    ),
    (
        "",
        "#[row] a: &[[f32; 4]], #[column] b: &[f64], value: &mut Matrix<f16>, error: &mut Matrix<f32>",
        "value = dot * a.x * b; error = dot_error;",
    ),
    (
        "",
        "#[row] most: &mut Maxima<(f32, u32)>, #[column] sum: &mut Sums<[f32; 3]>, near: &mut Pairs<[f32; 3]>",
        "most.offer(dot); sum.y += dot; if (dot > dot_error) near.push({dot, dot, dot});",
    ),
];

/// The same, for kernels with the body `quick`; the body `pair` follows.
const QUICK: &[(&str, &str, &str, &str)] = &[
    (
        "",
        "#[each] norm: &[f32], value: &mut Packed<f32>",
        "float square = fmaf(-2.0f, dot, norm.i + norm.j); if (2 * dot_error > 1e-6f * square) exact(); value = sqrtf(square);",
        "value = sqrtf(sum);",
    ),
    (
        "diagonal = true",
        "value: &mut Square<f32>",
        "value = dot; if (dot_error > 1) exact();",
        "value = sum;",
    ),
    (
        "",
        "#[each] degree: &mut Sums<u32>, #[each] most: &mut Maxima<(f32, u32)>, near: &mut Pairs<f32>, count: &mut Sum<u64>",
        "if (dot > 0.5f) { near.push(dot); count += 1; degree.i += 1; } most.offer(dot); if (fabsf(dot - 0.5f) <= dot_error) exact();",
        "if (sum > 0.5f) { near.push(sum); count += 1; degree.i += 1; } most.offer(sum);",
    ),
    (
        "",
        "#[row] a: &[f32], #[column] b: &[f32], table: &[f32], value: &mut Matrix<f32>",
        "value = dot * a * table[j]; if (!(a < 1)) exact();",
        "value = sum * a * b;",
    ),
];

/// Kernels of 8-bit integers, and of nearest neighbours.
const OTHERS: &[&str] = &[
    "unsafe fn f(#[each] p: &Features<f32>, #[dot] dot: f32, #[each] norm: &[f32], #[each] near: &mut Nearest<f32, 10>) { r#\"near.push(fmaf(-2.0f, dot, norm.i + norm.j));\"# }",
    "unsafe fn f(#[row] q: &Features<f16>, #[column] p: &Features<f16>, #[dot] dot: f32, #[row] near: &mut Nearest<f32, 100>) { r#\"near.push(-dot);\"# }",
    "unsafe fn f(#[each] p: &Features<u8>, #[dot] dot: i32, #[each] near: &mut Nearest<i32, 3>) { r#\"near.push(-dot);\"# }",
    "unsafe fn f(#[each] p: &Features<f32>, #[dot] dot: f32, #[fold] sum: f32, #[each] norm: &[f32], #[each] near: &mut Nearest<f32, 10>) { let quick = r#\"float s = fmaf(-2.0f, dot, norm.i + norm.j); near.push(s); if (2 * dot_error > 1e-5f * s) exact();\"#; let feature = r#\"float d = p.i - p.j; sum += d * d;\"#; let pair = r#\"near.push(sum);\"#; }",
    "unsafe fn f(#[row] q: &Features<f32>, #[column] p: &Features<f32>, #[dot] dot: f32, #[fold] sum: f32, #[row] near: &mut Nearest<f32, 10>) { let quick = r#\"near.push(-dot); if (dot_error > 1) exact();\"#; let feature = r#\"sum += q * p;\"#; let pair = r#\"near.push(-sum);\"#; }",
    "unsafe fn f(#[each] p: &Features<i8>, #[dot] dot: i32, value: &mut Packed<i32>) { r#\"value = dot;\"# }",
    "unsafe fn f(#[each] p: &Features<u8>, #[dot] dot: i32, value: &mut Square<f32>, count: &mut Sum<u64>) { r#\"value = dot; count += dot > 9;\"# }",
    "unsafe fn f(#[row] q: &Features<i8>, #[column] p: &Features<i8>, #[dot] dot: i32, #[row] scale: &[f32], #[row] most: &mut Maxima<(i32, u32)>, value: &mut Matrix<f16>) { r#\"value = scale * dot; most.offer(dot);\"# }",
    "unsafe fn f(#[row] q: &Features<u8>, #[column] p: &Features<u8>, #[dot] dot: i32, #[fold] sum: i32, value: &mut Matrix<i32>, near: &mut Pairs) { let quick = r#\"value = dot; near.push(); if (dot > 9) exact();\"#; let feature = r#\"sum += abs(q - p);\"#; let pair = r#\"value = sum; near.push();\"#; }",
];

#[test]
fn products_of_bytes_and_nearest_compile_without_spills() {
    let known = nvrtc::architectures().unwrap();
    OTHERS.par_iter().check_each(|item| {
        let sources = sources("", item);
        let product = sources.iter().find(|each| each.text.contains("f_prepare(")).unwrap();
        let architectures: Vec<_> =
            [80, 86, 89, 90, 100, 120].into_iter().filter(|each| known.contains(each)).collect();
        compiles_for(item, &product.text, &architectures);
    });
}

#[test]
fn products_compile_without_spills() {
    let of_product =
        |&(keys, parameters, body): &'static (&'static str, &'static str, &'static str)| {
            (keys, format!("#[dot] dot: f32, {parameters}"), format!("r#\"{body}\"#"))
        };
    let of_quick = |&(keys, parameters, quick, pair): &'static (
        &'static str,
        &'static str,
        &'static str,
        &'static str,
    )| {
        let is_of_two = parameters.contains("Matrix");
        let [x, y] = if is_of_two { ["q", "p"] } else { ["p.i", "p.j"] };
        (
            keys,
            format!("#[dot] dot: f32, #[fold] sum: f32, {parameters}"),
            format!(
                "let quick = r#\"{quick}\"#; let feature = r#\" float d = {x} - {y}; sum += d * d; \"#; let pair = r#\"{pair}\"#;"
            ),
        )
    };
    let items: Vec<_> = ITEMS.iter().map(of_product).chain(QUICK.iter().map(of_quick)).collect();
    let known = nvrtc::architectures().unwrap();
    items.par_iter().check_each(|(keys, parameters, body)| {
        let is_of_two = ["Matrix<", "#[row]"].iter().any(|part| parameters.contains(part));
        let features = match is_of_two {
            true => "#[row] q: &Features<f32>, #[column] p: &Features<f32>",
            false => "#[each] p: &Features<f32>",
        };
        let item = format!("unsafe fn f({features}, {parameters}) {{ {body} }}");
        let sources = sources(keys, &item);
        let (products, folds): (Vec<_>, Vec<_>) =
            sources.iter().partition(|each| each.text.contains("f_prepare("));
        assert!(products.len() == 1 && !folds.is_empty(), "{item}");
        let with_tensor_cores: Vec<_> =
            [80, 86, 90, 100, 120].into_iter().filter(|each| known.contains(each)).collect();
        compiles_for(&format!("{keys}: {item}"), &products[0].text, &with_tensor_cores);
        // Tensor cores without enough shared memory, and none.
        for (fold, architecture) in folds.iter().zip(architectures()) {
            compiles_for(&format!("{keys}: {item}"), &fold.text, &[architecture]);
        }
    });
}

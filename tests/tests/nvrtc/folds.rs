//! Kernels that fold features, compiled by NVRTC for old and new GPUs: each type, tile and output, without a warning. Spilled
//! registers are a warning too.

use rayon::prelude::*;
use td_kernel_tests::covering::{chosen, in_turn};
use td_kernel_tests::parallel::CheckEach;
use td_kernel_tests::{folds, sources};

use super::{by_turns, compiles_for};

/// Compiles the sources of the item with this turn; by default one of them, by turns.
fn compile(turn: usize, attribute: &str, item: &str, before: &str) {
    for each in in_turn(sources(attribute, item), turn) {
        let text = format!("{before}{}", each.text);
        compiles_for(&format!("{attribute}, {item}"), &text, &by_turns(turn));
    }
}

#[test]
fn every_type_compiles_in_every_tile() {
    let items: Vec<_> = folds::TYPES
        .iter()
        .map(|kind| (kind, [folds::item_of_type(kind), folds::item_of_type_of_sets(kind)]))
        .collect();
    items.par_iter().enumerate().check_each(|(turn, (kind, items))| {
        for item in items {
            let sources = sources("", item);
            assert_eq!(sources.len(), folds::tiles_of(kind).len(), "{item}");
            assert!(sources.iter().all(|each| each.has_rows), "{item}");
        }
        for item in in_turn(items, turn) {
            // Of every two types, one is compiled for one set and the other for two.
            compile(turn / 2, "", item, "");
        }
    });
}

#[test]
fn slots_of_every_size_compile() {
    let outputs = ["Packed", "Square", "Matrix"];
    let types = folds::SLOTS.par_iter().map(|case| case.types);
    types.enumerate().check_each(|(turn, types)| {
        for output in in_turn(outputs, turn) {
            let item = folds::item_of_slots(output, types);
            compile(turn / 3, "", &item, folds::BEFORE);
        }
    });
}

/// Several outputs, results of elements, several parameters and folds.
#[test]
fn every_output_compiles() {
    let of_one = [
        "o: &mut Packed<f32>| o = s;",
        "o: &mut Square<f32>| o = s;",
        "o: &mut Packed<f32>, z: &mut Square<u8>| o = s; z = s;",
        "c: &mut Sum<u64>, e: &mut Sum<f64>| c += s > 1; e += s;",
        "l: &mut Pairs| if (s < 1) l.push();",
        "l: &mut Pairs<f32>, m: &mut Pairs<[f64; 4]>| if (s < 1) l.push(s); else if (s < 2) m.push({s, s, s, s});",
        "#[each] m: &mut Minima<(f32, u32)>| m.offer(s);",
        "#[each] m: &mut Maxima<f64>, #[each] f: &mut Sums<[f32; 3]>| m.offer(s); f.i.x += s; f.j.y -= s;",
        "o: &mut Packed<u16>, #[each] m: &mut Maxima<(u8, u32)>, c: &mut Sum<u32>, l: &mut Pairs| o = s; m.offer(s); c += 1; l.push();",
        "x: &mut [u32]| atomicAdd(&x[j], (unsigned int)s);",
    ];
    let of_two = [
        "o: &mut Matrix<f32>| o = s;",
        "o: &mut Matrix<u8>, #[row] m: &mut Minima<(f32, u32)>| o = s; m.offer(s);",
        "#[column] f: &mut Sums<f64>, #[row] g: &mut Sums<i64>| f += s; g += s;",
        "l: &mut Pairs<[f32; 3]>, c: &mut Sum<f32>| if (s < 1) l.push({(float)s, (float)s, (float)s}); c += s;",
    ];
    let mut items = Vec::new();
    for (features, term, outputs) in [
        ("#[each] p: &Features<f32>, #[fold] s: f32", "s += p.i * p.j;", &of_one[..]),
        ("#[each] p: &Features<u8>, #[fold(start = \"1\")] s: f32", "s += p.i != p.j;", &of_one),
        (
            "#[each] p: &Features<f64>, #[each] q: &Features<i64>, w: &[f32], #[fold] s: f64, #[fold] t: i32",
            "s += w[k] * p.i * q.j; t += p.i < p.j;",
            &of_one,
        ),
        (
            "#[row] a: &Features<f32>, #[column] b: &Features<f32>, #[fold] s: f32",
            "s += a * b;",
            &of_two[..],
        ),
        ("#[column] b: &Features<i16>, v: i32, #[fold] s: i32", "s += b * v;", &of_two),
        (
            "#[row] a: &Features<u64>, #[fold] s: u64, #[fold] t: [f64; 4]",
            "s ^= a; t.x += k;",
            &of_two,
        ),
    ] {
        for output in outputs {
            let (outputs, pair) = output.split_once("| ").unwrap();
            let item = format!(
                "unsafe fn folds({features}, {outputs}) {{ let feature = r#\"{term}\"#; let pair = r#\"{pair}\"#; }}"
            );
            items.push((features, output, item));
        }
    }
    let items = chosen(&items, |(features, output, _)| vec![*features, *output]);
    items.par_iter().enumerate().check_each(|(turn, (_, _, item))| {
        compile(turn, "", item, "");
    });
    let of_one_set =
        |features: &str| !features.contains("#[row]") && !features.contains("#[column]");
    let diagonal = items.iter().filter(|(features, ..)| of_one_set(features)).step_by(5);
    diagonal.collect::<Vec<_>>().par_iter().enumerate().check_each(|(turn, (_, _, item))| {
        compile(turn, "diagonal = true, map = \"rb\"", item, "");
    });
}

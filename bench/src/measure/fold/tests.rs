//! The kernels compile, and on the CPU they give the sums.

use std::process::Command;

use super::*;
use crate::measure::by_hand::tests::{compiles, is_understood};

const FOLDS: [Fold; 3] = [Fold::Squares, Fold::Distance, Fold::Products];

#[test]
fn every_kernel_compiles_with_its_settings() {
    for (fold, packed) in FOLDS.into_iter().flat_map(|fold| [(fold, false), (fold, true)]) {
        let (largest, others) = CHUNKS.split_last().unwrap();
        for source in [fold.tile(packed, *largest), fold.check(packed)] {
            compiles(source.entry, &source.text());
        }
        for source in others.iter().map(|&chunk| fold.tile(packed, chunk)) {
            is_understood(source.entry, &source.text());
        }
    }
}

#[test]
fn a_missing_term_is_more_than_roundings() {
    for features in [128, 512, 4096] {
        assert!(rounding(features) < 0.1 / features as f64, "{features}");
    }
}

/// What a kernel is run on: rows, columns, features, and the blocks of its grid.
struct Case {
    source: Source,
    fold: Fold,
    packed: bool,
    sizes: [usize; 3],
    grid: [usize; 2],
    block: [usize; 2],
}

/// A program that runs the kernel with a thread of the system's for each of a block's, and then compares its results with
/// sums in double precision: first plainly, then with the kernel of the check, which has to agree, and to find a result
/// that is spoilt.
fn program(case: &Case) -> String {
    let Case { source, fold, packed, sizes, grid, block } = case;
    let [rows, columns, features] = *sizes;
    let settings = fold.settings(*packed);
    let share = rounding(features);
    // What the settings of one kernel define is in the way of the other's.
    let names = ["DOT", "ROOT", "PACKED", "CHUNK", "SIDE"].map(|name| format!("#undef {name}\n"));
    let kernels = [source.text(), names.concat(), fold.check(*packed).text()].concat();
    let [dot, root, packed] = settings.map(|(_, value)| value);
    let checked = format!("{{{}, {}}}, {{32, 8}}", columns.div_ceil(32), rows.div_ceil(8));
    format!(
        "{SHIM}\n{kernels}\nint main()\n{{\n    \
         return test({{{rows}, {columns}, {features}}}, {dot}, {root}, {packed}, {share:e},\n        \
         [](auto... arguments) {{ run({{{}, {}}}, {{{}, {}}}, {}, arguments...); }},\n        \
         [](auto... arguments) {{ run({checked}, fold_check, arguments...); }});\n}}\n",
        grid[0], grid[1], block[0], block[1], source.entry
    )
}

const SHIM: &str = include_str!("shim.h");

fn run(case: &Case) {
    let folder = tempfile::tempdir().unwrap();
    let [text, program_path] = ["case.cpp", "case"].map(|name| folder.path().join(name));
    std::fs::write(&text, program(case)).unwrap();
    let words = ["-std=c++20", "-O1", "-w", "-pthread", "-o"];
    let built = Command::new("g++").args(words).arg(&program_path).arg(&text).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let output = Command::new(&program_path).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}, {:?}: {said}", case.source.entry, case.fold);
}

/// By turns, a matrix and packed sums of each chunk; the benchmark compares all of them, on a GPU.
#[test]
fn tiles_give_the_sums() {
    for (turn, &chunk) in CHUNKS.iter().enumerate() {
        let cases = [
            (Fold::Squares, false, [130, 257, 48]),
            (Fold::Products, false, [129, 128, 16]),
            (Fold::Distance, true, [260, 260, 32]),
            (Fold::Products, true, [127, 127, 80]),
        ];
        for (fold, packed, [rows, columns, features]) in cases.into_iter().skip(turn % 2).step_by(2)
        {
            let [high, wide] = [rows, columns].map(|count: usize| count.div_ceil(SIDE));
            let grid = if packed { [high * (high + 1) / 2, 1] } else { [wide, high] };
            run(&Case {
                source: fold.tile(packed, chunk),
                fold,
                packed,
                sizes: [rows, columns, features],
                grid,
                block: [THREADS as usize, 1],
            });
        }
    }
}

#[test]
fn the_ladder_gives_the_sums() {
    for entry in ["ladder_naive", "ladder_tiled", "ladder_padded"] {
        run(&Case {
            source: Source::new(entry, &[("SIDE", 16)]),
            fold: Fold::Squares,
            packed: false,
            sizes: [48, 32, 64],
            grid: [2, 3],
            block: [16, 16],
        });
    }
}

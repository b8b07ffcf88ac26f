//! Sources of every map, root, sweep and size, and every kind of parameter, compiled by NVRTC for old and new GPUs, without a
//! warning; the names that users may choose; and NVRTC's messages about mistakes. These tests need NVRTC and no GPU.
#![allow(clippy::unwrap_used, clippy::panic)]

#[macro_use(assert_errors)]
extern crate td_kernel_tests;

mod catalogue;
mod maps;
mod messages;
mod names;
mod nearest;
mod reduce;
mod types;
mod wide;

use rayon::prelude::*;
use td_kernel::nvrtc::{self, Code};
use td_kernel_tests::covering::EVERY;
use td_kernel_tests::parallel::CheckEach;
use td_kernel_tests::{OPTIONS, source};

/// Turing, Ampere, Hopper and Blackwell; with an NVRTC that does not support all of these, its oldest and its newest.
fn architectures() -> Vec<u32> {
    let usual = [75, 80, 90, 120];
    let known = nvrtc::architectures().unwrap();
    if usual.iter().all(|each| known.contains(each)) {
        return usual.into();
    }
    vec![*known.iter().min().unwrap(), *known.iter().max().unwrap()]
}

/// The target GPUs. The launch bounds for Ampere and Hopper leave a thread the fewest registers.
const HOPPER: u32 = 90;

/// The architectures of the source with this turn: Hopper, where registers spill first, and at every sixth turn one of the
/// others. With the feature `every`, the others are compiled besides Hopper. NVRTC reads the same source for all of them,
/// except for the few sources that depend on the architecture, which are compiled for each.
fn by_turns(turn: usize) -> Vec<u32> {
    let mut others = architectures();
    others.retain(|each| *each != HOPPER);
    let other = (turn % 6 == 5).then(|| others[turn / 6 % others.len()]);
    let hopper = (EVERY || other.is_none()).then_some(HOPPER);
    hopper.into_iter().chain(other).collect()
}

fn compiles(what: &str, source: &str) {
    compiles_for(what, source, &architectures());
}

/// Whether bodies cannot call `__dp4a` of vectors: GPUs before sm_61 have no such instruction, and NVRTC 12.0 declares the
/// function without code for it.
fn lacks_dp4a(architecture: u32) -> bool {
    architecture < 61 || nvrtc::version().unwrap() < (12, 1)
}

/// Without a warning, and so without a spilled register; if `__dp4a` is missing, the error must name it.
fn compiles_for(what: &str, source: &str, architectures: &[u32]) {
    compiles_with_spills(what, source, architectures, 0);
}

/// Without a warning other than that a thread spills at most `bytes`.
fn compiles_with_spills(what: &str, source: &str, architectures: &[u32], bytes: u32) {
    for &architecture in architectures {
        let compiled = nvrtc::compile("every", source, OPTIONS, architecture);
        if source.contains("__dp4a") && lacks_dp4a(architecture) {
            let message = compiled.unwrap_err().to_string();
            assert!(message.contains("__dp4a"), "{what}: {message}");
            continue;
        }
        let compiled =
            compiled.unwrap_or_else(|error| panic!("{what}, sm_{architecture}\n{error}"));
        let others = compiled.warnings.lines().filter(|line| !spills_at_most(line, bytes));
        assert_eq!(others.collect::<Vec<_>>(), [""; 0], "{what}, sm_{architecture}");
        assert!(
            matches!(&compiled.code, Code::Cubin(bytes) if !bytes.is_empty()),
            "{what}, sm_{architecture}"
        );
    }
}

/// Whether this warning is about spilled registers, with at most so many bytes of stores and of loads.
fn spills_at_most(warning: &str, bytes: u32) -> bool {
    let Some((_, counts)) = warning.split_once("Registers are spilled") else { return false };
    let Some((_, counts)) = counts.split_once("', ") else { return false };
    let numbers = counts.split(' ').filter_map(|word| word.parse::<u32>().ok());
    let numbers: Vec<_> = numbers.collect();
    numbers.len() == 2 && numbers.iter().all(|number| *number <= bytes)
}

/// Kernels over the pairs of two sets, in every sweep and tile.
#[test]
fn every_rectangle_compiles() {
    let kernels = [
        ("matrices", "block = ", &[8, 16, 32][..]),
        ("matrices", "sweep = \"rows\", tile = ", &[32, 64, 96, 128]),
        ("rows_of_two", "sweep = \"columns\", tile = ", &[32, 64, 96, 128, 256]),
        ("folds_of_four_of_two", "sweep = \"fold\", tile = ", &[32, 64, 128]),
    ];
    let of_sides = kernels.iter().flat_map(|(name, keys, sides)| {
        sides.iter().map(move |side: &u32| (name, format!("{keys}{side}")))
    });
    let (all, of_sides) = (td_kernel_tests::catalogue::all(), of_sides.collect::<Vec<_>>());
    of_sides.par_iter().enumerate().check_each(|(turn, (name, keys))| {
        let item = all.iter().find(|entry| entry.name == **name).unwrap().item;
        compiles_for(&format!("{keys}, {name}"), &source(keys, item), &by_turns(turn));
    });
}

#[test]
fn newer_gpu_gets_ptx() {
    let newest = nvrtc::architectures().unwrap().into_iter().max().unwrap();
    let text = source("", "unsafe fn one(out: &mut Packed<f32>) { r#\" out = 1; \"# }");
    let compiled = nvrtc::compile("one", &text, OPTIONS, newest + 10).unwrap();
    let Code::Ptx(ptx) = compiled.code else { panic!("machine code for an unknown GPU") };
    assert!(ptx.contains("one_kernel") && ptx.contains(&format!(".target sm_{newest}")), "{ptx}");
}

/// Declarations are left out if bodies do not use them.
#[test]
fn empty_bodies_have_no_warnings() {
    let thread = "space = \"thread\"";
    for (parameter, body, keys) in [
        ("out: &mut Packed<f32>", "out = 1;", ["tile = 128", "tile = 0", thread]),
        ("out: &mut Square<f64>", "out = 1;", ["tile = 64", "tile = 0", "sweep = \"mirror\""]),
        (
            "out: &mut Packed<f32>, s: &mut Square<u8>",
            "out = s = 1;",
            ["tile = 64", "tile = 0", ""],
        ),
        (
            "#[each] p: &[f64], out: &mut Packed<f64>, s: &mut Square<[f32; 3]>",
            "s.x = out = p.i - p.j + i;",
            ["tile = 32", "diagonal = true", "map = \"walk\""],
        ),
        ("out: &mut Sum<u32>", "out += 1;", ["tile = 128", "tile = 0", thread]),
        ("out: &mut Pairs", "out.push();", ["tile = 128", "tile = 0", thread]),
        ("out: &mut Pairs<u8>", "out.push(1);", ["tile = 128", "tile = 0", thread]),
    ] {
        let item = format!("unsafe fn little({parameter}) {{ r#\" {body} \"# }}");
        for keys in keys {
            compiles_for(&format!("{item}, {keys}"), &source(keys, &item), &[90]);
        }
    }
}

#[test]
fn unused_variable_is_a_warning() {
    let item = "unsafe fn odd(out: &mut Packed<f32>) { r#\" int unused = 1; out = 1; \"# }";
    let compiled = nvrtc::compile("odd", &source("", item), OPTIONS, HOPPER).unwrap();
    assert!(compiled.warnings.contains("unused"), "{:?}", compiled.warnings);
}

/// Shows that spills are warnings, so that the tests above, which allow no warning, find kernels that spill.
#[test]
fn spilled_registers_are_a_warning() {
    let item = r##"unsafe fn spill(#[each] x: &[f32], out: &mut Sum<f32>) { r#"
    float v[300];
    #pragma unroll
    for (int k = 0; k < 300; ++k)
        v[k] = __sinf(x.i * k) * x.j;
    float s = 0;
    #pragma unroll
    for (int round = 0; round < 2; ++round) {
        #pragma unroll
        for (int k = 0; k < 300; ++k)
            s = s * v[k] + v[(7 * k + round) % 300];
    }
    out += s;
    "# }"##;
    let compiled = nvrtc::compile("spill", &source("tile = 0", item), OPTIONS, 90).unwrap();
    assert!(compiled.warnings.contains("spill"), "{:?}", compiled.warnings);
}

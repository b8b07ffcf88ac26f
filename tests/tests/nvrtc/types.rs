//! The sources of every type of elements, results and sums, of structs and of 16-bit floats.

use rayon::prelude::*;
use td_kernel::nvrtc;
use td_kernel_tests::covering::in_turn;
use td_kernel_tests::parallel::CheckEach;
use td_kernel_tests::{OPTIONS, halves, source, structs};

use super::{architectures, by_turns, compiles, compiles_for};

/// Each number by itself and in vectors. By default, each has one of the two kernels by turns.
#[test]
fn every_type_compiles() {
    let numbers =
        ["f32", "f64", "f16", "bf16", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"];
    numbers.par_iter().enumerate().check_each(|(turn, number)| {
        // The conversion of 16-bit floats depends on the architecture.
        let is_half = number.ends_with("f16");
        let architectures = |length| match is_half {
            true => in_turn(architectures(), (turn + length) / 2),
            false => by_turns(turn + length),
        };
        for (length, element) in ["T", "[T; 2]", "[T; 3]", "[T; 4]"].into_iter().enumerate() {
            let element = element.replace('T', number);
            let item = format!(
                "unsafe fn copy(#[each] x: &[{element}], s: {element}, raw: &mut [{element}], out: &mut Packed<{element}>)
                 {{ r#\" out = i % 2 ? x.i : s; raw[0] = x.j; \"# }}"
            );
            let list = format!(
                "unsafe fn list(#[each] x: &[{element}], found: &mut Pairs<{element}>)
                 {{ r#\" if (i % 3 == j % 5) found.push(x.i); \"# }}"
            );
            for item in in_turn([item, list], turn / 2 + length) {
                compiles_for(&element, &source("", &item), &architectures(length));
            }
        }
    });
}

#[test]
fn struct_layout_matches_rust() {
    let source = structs::mixed::SOURCE;
    compiles("structs", source);
    // The assertions are there, and fail if a layout differs.
    let wrong = source.replace("offsetof(Body, parts) == 16", "offsetof(Body, parts) == 12");
    assert_ne!(wrong, source);
    assert_errors! { nvrtc::compile("mixed", &wrong, OPTIONS, 90) => "Body has different layouts in C++ and in Rust"; }
}

/// For old and new GPUs, which round in different ways: each source for one of them by turns.
#[test]
fn half_float_bodies_compile() {
    for (turn, (name, source)) in halves::sources().enumerate() {
        compiles_for(name, source, &in_turn(architectures(), turn));
        assert_eq!(
            source.matches("struct td_f16 ").count(),
            usize::from(source.contains("td_f16"))
        );
    }
}

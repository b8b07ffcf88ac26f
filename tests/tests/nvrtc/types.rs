//! The texts of every type of elements, results and sums, of structs and of floats of 16 bits.

use rayon::prelude::*;
use td_kernel::nvrtc;
use td_kernel_tests::covering::{EVERY, in_turn};
use td_kernel_tests::{halves, source, structs};

use super::{HOPPER, architectures, by_turns, compiles, compiles_for, is_understood};

/// Of a signed type and the unsigned one of its size, one becomes machine code and the other is only read, by turns.
#[test]
fn every_type_compiles() {
    let numbers =
        ["f32", "f64", "f16", "bf16", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"];
    numbers.par_iter().enumerate().for_each(|(turn, number)| {
        // What 16-bit floats become differs by architecture.
        let is_half = number.ends_with("f16");
        let of_halves = |turn| in_turn(architectures(), turn / 2).into_iter().map(|(_, each)| each);
        let architectures =
            |turn| if is_half { of_halves(turn).collect() } else { by_turns(turn) };
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
            let is_twin = number.starts_with(['i', 'u']);
            let is_read = !EVERY && is_twin && (turn + length).is_multiple_of(2);
            for (at, item) in in_turn([item, list], turn + length) {
                let text = source("", &item);
                match is_read {
                    true => is_understood(&element, &text),
                    false => compiles_for(&element, &text, &architectures(turn + length + at)),
                }
            }
        }
    });
}

#[test]
fn every_sum_compiles() {
    for (turn, number) in ["f32", "f64", "i32", "u32", "i64", "u64"].into_iter().enumerate() {
        let item = format!(
            "unsafe fn add(a: &mut Sum<{number}>, b: &mut Sum<{number}>, c: &mut Sum<{number}>) {{ r#\" a += 1; b += i; c -= 1; \"# }}"
        );
        for (at, keys) in ["", "tile = 0"].into_iter().enumerate() {
            // Each for all architectures once: which add doubles and words of 64 bits atomically, and how, differs.
            if at == turn % 2 {
                compiles(number, &source(keys, &item));
            } else {
                compiles_for(number, &source(keys, &item), &[HOPPER]);
            }
        }
    }
}

#[test]
fn structs_compile_and_are_laid_out_as_in_rust() {
    let source = structs::mixed::SOURCE;
    compiles("structs", source);
    // The assertions are there, and fail where a layout differs.
    let wrong = source.replace("offsetof(Body, parts) == 16", "offsetof(Body, parts) == 12");
    assert_ne!(wrong, source);
    let error = nvrtc::compile("mixed", &wrong, 90).unwrap_err().to_string();
    assert!(error.contains("Body is laid out as in Rust"), "{error}");
}

/// Each for old and new GPUs: they round in different ways.
#[test]
fn bodies_with_floats_of_16_bits_compile() {
    for (name, source) in halves::sources() {
        compiles(name, source);
        assert_eq!(
            source.matches("struct td_f16 ").count(),
            usize::from(source.contains("td_f16"))
        );
    }
}

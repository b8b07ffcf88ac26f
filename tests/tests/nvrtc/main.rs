//! Every combination of map, root, diagonal and block, and every kind of parameter, compiled by NVRTC for old and new
//! GPUs, without a warning; the names that users may choose; and what NVRTC says of mistakes. These tests need NVRTC and
//! no GPU.
#![allow(clippy::unwrap_used, clippy::panic)]

mod filtered;
mod folds;
mod messages;
mod names;
mod nearest;

use rayon::prelude::*;
use td_kernel::maps::{MAPS, Root};
use td_kernel::nvrtc::{self, Code, Compiled};
use td_kernel_tests::{Choice, bands, every, halves, rectangle, rows, source, sources, structs};

/// Turing, Ampere, Hopper and Blackwell; with an NVRTC that does not know all of these, the oldest and the newest that
/// it knows.
fn architectures() -> Vec<u32> {
    let usual = [75, 80, 90, 120];
    let known = nvrtc::architectures().unwrap();
    if usual.iter().all(|each| known.contains(each)) {
        return usual.into();
    }
    vec![*known.iter().min().unwrap(), *known.iter().max().unwrap()]
}

/// The GPUs that are the target. The launch bounds for Ampere and Hopper leave a thread the fewest registers.
const HOPPER: u32 = 90;

/// The architectures for the text at this place among others: Hopper, and for every sixth text one of the others by turns. What
/// NVRTC reads is the same for all of them, except in the few texts that ask for the architecture, which are compiled for
/// each; and registers are spilled on Hopper first. With an NVRTC that does not know all of them, every sixth text is for the
/// oldest or the newest that it knows by turns, and the others are only read: the newest NVRTC makes machine code of them.
fn by_turns(turn: usize) -> Vec<u32> {
    let mut all = architectures();
    let turns = turn.is_multiple_of(6).then_some(turn / 6);
    if all.len() <= 2 {
        return turns.map(|turn| all[turn % all.len()]).into_iter().collect();
    }
    all.retain(|each| *each != HOPPER);
    [HOPPER].into_iter().chain(turns.map(|turn| all[turn % all.len()])).collect()
}

fn compiles(what: &str, source: &str) {
    compiles_for(what, source, &architectures());
}

/// Whether bodies cannot call `__dp4a` of vectors: GPUs before sm_61 have no such instruction, and NVRTC 12.0 declares the
/// function and has no code for it.
fn lacks_dp4a(architecture: u32) -> bool {
    architecture < 61 || nvrtc::version().unwrap() < (12, 1)
}

/// Without a warning, and so without a spilled register; where `__dp4a` is lacking, the error is to name it. For no
/// architecture, it is only read.
fn compiles_for(what: &str, source: &str, architectures: &[u32]) {
    if architectures.is_empty() && !source.contains("__dp4a") {
        return is_understood(what, source);
    }
    for &architecture in architectures {
        let compiled = nvrtc::compile("every", source, architecture);
        if source.contains("__dp4a") && lacks_dp4a(architecture) {
            let message = compiled.unwrap_err().to_string();
            assert!(message.contains("__dp4a"), "{what}: {message}");
            continue;
        }
        let compiled =
            compiled.unwrap_or_else(|error| panic!("{what}, sm_{architecture}\n{error}"));
        assert_eq!(compiled.warnings, "", "{what}, sm_{architecture}");
        assert!(
            matches!(&compiled.code, Code::Cubin(bytes) if !bytes.is_empty()),
            "{what}, sm_{architecture}"
        );
    }
}

/// Compiles a text into PTX, without optimizing it, which takes a few hundredths of a second: NVRTC reads it, and says what
/// is wrong or odd in it. Only spilled registers show later, in machine code.
fn read(source: &str) -> td_kernel::Result<Compiled> {
    let newer = nvrtc::architectures()?.into_iter().max().unwrap() + 10;
    nvrtc::compile("every", &format!("// NVRTC option: --device-debug\n{source}"), newer)
}

fn is_understood(what: &str, source: &str) {
    let compiled = read(source).unwrap_or_else(|error| panic!("{what}\n{source}\n{error}"));
    assert_eq!(compiled.warnings, "", "{what}");
    assert!(matches!(&compiled.code, Code::Ptx(text) if text.contains(".entry")), "{what}");
}

/// The choices whose texts become machine code: every size of tile of `ltm`; the walk in every sweep, since its loop is around
/// the sweep; and every other map, root, space and grid in some sweep, by turns. What these leave to a sweep is two numbers, and
/// how they are found needs no registers any more. The emulator runs each of a map's texts, and a GPU every choice.
fn optimized(all: &[Choice]) -> Vec<Choice> {
    let is_first =
        |choice: &&Choice| choice.map == "ltm" && choice.root == Root::Exact && !choice.linear;
    let mut chosen: Vec<_> = all.iter().filter(is_first).copied().collect();
    let others = bands::covering_of(all).into_iter().filter(|choice| !is_first(&choice));
    let (walks, others): (Vec<_>, Vec<_>) = others.partition(|choice| choice.map == "walk");
    chosen.extend(walks);
    let way = |choice: &Choice| (choice.map, choice.root, choice.space, choice.linear);
    let of_each_way = others.chunk_by(|a, b| way(a) == way(b)).enumerate();
    chosen.extend(of_each_way.map(|(turn, alike)| alike[turn % alike.len()]));
    chosen
}

/// The others, whose texts are only read.
fn read_only<'a>(all: &'a [Choice], optimized: &[Choice]) -> Vec<&'a Choice> {
    all.iter().filter(|choice| !optimized.contains(choice)).collect()
}

#[test]
fn every_combination_compiles() {
    let choices: Vec<_> = Choice::all().into_iter().chain(Choice::tiles()).collect();
    let optimized = optimized(&choices);
    read_only(&choices, &optimized).par_iter().for_each(|choice| {
        let attribute = choice.attribute();
        is_understood(&attribute, &source(&attribute, &every::item(choice)));
    });
    for map in MAPS {
        assert!(optimized.iter().any(|choice| choice.map == map.name()), "{}", map.name());
    }
    optimized.par_iter().enumerate().for_each(|(turn, choice)| {
        let attribute = choice.attribute();
        compiles_for(&attribute, &source(&attribute, &every::item(choice)), &by_turns(turn));
    });
}

/// The texts for ranges of rows, and texts that count blocks in 64 bits: of the two of a choice, one becomes machine code, by
/// turns, and the other is read.
#[test]
fn every_combination_compiles_for_rows() {
    let able = bands::able();
    let text = |choice: &Choice| {
        let (attribute, item) = (choice.attribute(), every::item(choice));
        rows(&attribute, &item).unwrap_or_else(|| panic!("{choice:?} has no text"))
    };
    let wide = |choice: &Choice, text: &str| {
        let is_wide = choice.takes_root && choice.root == Root::Exact;
        is_wide.then(|| format!("#define TD_WIDE\n{text}"))
    };
    let optimized = optimized(&able);
    read_only(&able, &optimized).par_iter().for_each(|choice| {
        let (attribute, text) = (choice.attribute(), text(choice));
        is_understood(&attribute, &text);
        if let Some(text) = wide(choice, &text) {
            is_understood(&attribute, &text);
        }
    });
    optimized.par_iter().enumerate().for_each(|(turn, choice)| {
        let (attribute, text) = (choice.attribute(), text(choice));
        let (compiled, read) = match wide(choice, &text) {
            Some(wide) if turn % 2 == 1 => (wide, Some(text)),
            wide => (text, wide),
        };
        compiles_for(&attribute, &compiled, &by_turns(turn));
        if let Some(read) = read {
            is_understood(&attribute, &read);
        }
    });
    // The choices without such a text are known as well.
    let able: Vec<_> = able.iter().map(Choice::attribute).collect();
    for choice in Choice::all().iter().chain(&Choice::tiles()) {
        let attribute = choice.attribute();
        let has_text = rows(&attribute, &every::item(choice)).is_some();
        assert_eq!(has_text, able.contains(&attribute) && !choice.square, "{choice:?}");
    }
}

/// Every map on some of the architectures that NVRTC knows, by turns, and its text for all rows or the one for some: each
/// architecture has both of several maps.
#[test]
fn every_map_compiles_for_every_architecture() {
    let (known, usual) = (nvrtc::architectures().unwrap(), architectures());
    assert!(known.len() >= usual.len() && known.iter().all(|each| *each >= 60), "{known:?}");
    Choice::maps().par_iter().enumerate().for_each(|(place, choice)| {
        let attribute = choice.attribute();
        let texts = [Some(source(&attribute, every::ITEM)), rows(&attribute, every::ITEM)];
        let texts: Vec<_> = texts.iter().flatten().collect();
        let others = known.iter().filter(|each| !usual.contains(each));
        let turns = others.enumerate().map(|(turn, each)| (place + turn, each));
        for (turn, &architecture) in turns.filter(|(turn, _)| turn.is_multiple_of(3)) {
            let text = texts[turn / 3 % texts.len()];
            let compiled = nvrtc::compile("every", text, architecture).unwrap();
            assert_eq!(compiled.warnings, "", "{choice:?}, sm_{architecture}");
        }
    });
}

/// Every text of kernels over the pairs of two sets: for all rows, and for a range of them.
#[test]
fn every_rectangle_compiles() {
    let matrices = ["f32", "u8", "f64", "[f32; 3]", "[u8; 3]", "[f64; 4]", "i16", "f16", "[half::bf16; 3]"].map(|matrix| {
        format!(
            "unsafe fn one(#[row] a: &[[f32; 4]], #[column] b: &[u16], out: &mut Matrix<{matrix}>, count: &mut Sum<u32>) {{ r#\" if (a.w < b) return; {matrix_value} count += 1; \"# }}",
            matrix_value = if matrix.starts_with('[') { "out.x = 1;" } else { "out = 1;" },
        )
    });
    let indices = "unsafe fn all(#[column] b: &[f64], limit: f64, hits: &mut Pairs, sum: &mut Sum<f32>) { r#\" if (b * i < limit) hits.push(); sum += rows + columns; \"# }";
    let valued = "unsafe fn found(#[column] b: &[f64], limit: f64, hits: &mut Pairs<f64>) { r#\" if (b * i < limit) hits.push(b); \"# }";
    let items = matrices.iter().map(String::as_str).chain([indices, valued]);
    items.collect::<Vec<_>>().par_iter().enumerate().for_each(|(turn, item)| {
        let (tiles, blocks) = (sources("", item), sources("block = 32", item));
        let texts = tiles.iter().chain(&blocks);
        let texts = texts.flat_map(|each| [Some(&each.whole), each.rows.as_ref()]);
        for (at, text) in texts.flatten().enumerate() {
            compiles_for(item, text, &by_turns(turn + at));
        }
    });
    rectangle::Choice::all().par_iter().enumerate().for_each(|(turn, choice)| {
        let (attribute, item) = (choice.attribute(), rectangle::item(choice));
        compiles_for(&attribute, &source(&attribute, &item), &by_turns(turn));
        compiles_for(&attribute, &rows(&attribute, &item).unwrap(), &by_turns(turn + 1));
    });
}

#[test]
fn every_type_compiles() {
    let numbers =
        ["f32", "f64", "f16", "bf16", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"];
    numbers.par_iter().enumerate().for_each(|(turn, number)| {
        // What 16-bit floats become differs by architecture.
        let is_half = number.ends_with("f16");
        let architectures =
            |turn| if is_half { architectures() } else { by_turns(turn) };
        for (length, element) in ["T", "[T; 2]", "[T; 3]", "[T; 4]"].into_iter().enumerate() {
            let element = element.replace('T', number);
            let item = format!(
                "unsafe fn copy(#[each] x: &[{element}], s: {element}, raw: &mut [{element}], out: &mut Packed<{element}>)
                 {{ r#\" out = i % 2 ? x.i : s; raw[0] = x.j; \"# }}"
            );
            compiles_for(&element, &source("", &item), &architectures(turn + length));
            let list = format!(
                "unsafe fn list(#[each] x: &[{element}], found: &mut Pairs<{element}>)
                 {{ r#\" if (i % 3 == j % 5) found.push(x.i); \"# }}"
            );
            compiles_for(&element, &source("", &list), &architectures(turn + length + 1));
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

#[test]
fn wide_lambdas_compile() {
    let usual = architectures();
    let ends = [usual[0], usual[usual.len() - 1]];
    // The oldest and the newest by turns, where machine code is made: of each map, both have texts.
    let all = Choice::all().into_iter().filter(|choice| choice.root == Root::Exact);
    all.collect::<Vec<_>>().par_iter().enumerate().for_each(|(turn, choice)| {
        let source = source(&choice.attribute(), every::ITEM);
        let text = format!("#define TD_WIDE\n{source}");
        // Of the six choices of a map one size of blocks, another one in the next map, without the diagonal and with it.
        let (map, place) = (turn / 6, turn % 6);
        match (map + place) % 3 {
            0 => compiles_for(&choice.attribute(), &text, &ends[(map + place / 3) % 2..][..1]),
            _ => is_understood(&choice.attribute(), &text),
        }
    });
}

#[test]
fn a_gpu_newer_than_nvrtc_gets_ptx() {
    let newest = nvrtc::architectures().unwrap().into_iter().max().unwrap();
    let text = source("", "unsafe fn one(out: &mut Packed<f32>) { r#\" out = 1; \"# }");
    let compiled = nvrtc::compile("one", &text, newest + 10).unwrap();
    let Code::Ptx(ptx) = compiled.code else { panic!("machine code for an unknown GPU") };
    assert!(ptx.contains("one_kernel") && ptx.contains(&format!(".target sm_{newest}")), "{ptx}");
}

/// Nothing is declared for bodies that do not use it.
#[test]
fn bodies_that_use_nothing_compile_without_warnings() {
    let thread = "space = \"thread\"";
    for (parameter, body, keys) in [
        ("out: &mut Packed<f32>", "out = 1;", ["tile = 128", "tile = 0", thread]),
        ("out: &mut Square<f64>", "out = 1;", ["tile = 64", "tile = 0", "sweep = \"mirror\""]),
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

/// Shows that a text which is only read has its warnings.
#[test]
fn what_is_never_used_is_a_warning() {
    let item = "unsafe fn odd(out: &mut Packed<f32>) { r#\" int unused = 1; out = 1; \"# }";
    let compiled = read(&source("", item)).unwrap();
    assert!(compiled.warnings.contains("unused"), "{:?}", compiled.warnings);
}

/// Shows that spills are warnings, so that the tests above, which allow no warning, find kernels that spill.
#[test]
fn spilled_registers_are_a_warning() {
    let item = r##"unsafe fn spill(#[each] x: &[f32], out: &mut Sum<f32>) { r#"
    float v[300];
    #pragma unroll
    for (int k = 0; k < 300; ++k)
        v[k] = sinf(x.i * k) * x.j;
    float s = 0;
    #pragma unroll
    for (int round = 0; round < 2; ++round) {
        #pragma unroll
        for (int k = 0; k < 300; ++k)
            s = s * v[k] + v[(7 * k + round) % 300];
    }
    out += s;
    "# }"##;
    let compiled = nvrtc::compile("spill", &source("tile = 0", item), 90).unwrap();
    assert!(compiled.warnings.contains("spill"), "{:?}", compiled.warnings);
}

/// Every text of kernels with the default keys.
#[test]
fn every_variant_compiles() {
    use td_kernel_tests::variants::{listed, packed, square};
    for (name, sources) in
        [("packed", packed::SOURCES), ("square", square::SOURCES), ("listed", listed::SOURCES)]
    {
        sources
            .par_iter()
            .enumerate()
            .for_each(|(turn, source)| compiles_for(name, source, &by_turns(turn)));
    }
}

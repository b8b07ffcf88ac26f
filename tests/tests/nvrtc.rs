//! Every combination of map, root, diagonal and block, and every kind of parameter, compiled by NVRTC for old and new
//! GPUs, without a warning. These tests need NVRTC and no GPU.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeSet;

use rayon::prelude::*;
use td_kernel::__private::Sweep;
use td_kernel::ErrorKind;
use td_kernel::maps::Root;
use td_kernel::nvrtc::{self, Code};
use td_kernel_tests::{
    Choice, NoFiles, bands, every, halves, rectangle, rows, source, sources, structs, tokens,
};

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

fn compiles(what: &str, source: &str) {
    compiles_for(what, source, &architectures());
}

fn compiles_for(what: &str, source: &str, architectures: &[u32]) {
    for &architecture in architectures {
        let compiled = nvrtc::compile("every", source, architecture).unwrap();
        assert_eq!(compiled.warnings, "", "{what}, sm_{architecture}");
        assert!(
            matches!(&compiled.code, Code::Cubin(bytes) if !bytes.is_empty()),
            "{what}, sm_{architecture}"
        );
    }
}

#[test]
fn every_combination_compiles() {
    let choices: Vec<_> = Choice::all().into_iter().chain(Choice::tiles()).collect();
    choices.par_iter().for_each(|choice| {
        let attribute = choice.attribute();
        let source = source(&attribute, &every::item(choice));
        if choice.map == "ltm" && choice.root == Root::Exact && !choice.linear {
            compiles(&attribute, &source);
        } else {
            // Every text is compiled for every architecture elsewhere; this shows that every sweep works with every map
            // and root.
            compiles_for(&attribute, &source, &[90]);
        }
    });
}

/// The texts for ranges of rows, and texts that count blocks in 64 bits.
#[test]
fn every_combination_compiles_for_rows() {
    bands::able().par_iter().for_each(|choice| {
        let (attribute, item) = (choice.attribute(), every::item(choice));
        let text = rows(&attribute, &item).unwrap_or_else(|| panic!("{choice:?} has no text"));
        if choice.map == "ltm" && choice.root == Root::Exact && !choice.linear {
            compiles(&attribute, &text);
        } else {
            compiles_for(&attribute, &text, &[90]);
        }
        let is_wide = choice.takes_root && choice.root == Root::Exact;
        if is_wide {
            compiles_for(&attribute, &format!("#define TD_WIDE\n{text}"), &[90]);
        }
    });
    // The choices without such a text are known as well.
    let able: Vec<_> = bands::able().iter().map(Choice::attribute).collect();
    for choice in Choice::all().iter().chain(&Choice::tiles()) {
        let attribute = choice.attribute();
        let has_text = rows(&attribute, &every::item(choice)).is_some();
        assert_eq!(has_text, able.contains(&attribute) && !choice.square, "{choice:?}");
    }
}

/// Every map on every architecture that NVRTC knows.
#[test]
fn every_map_compiles_for_every_architecture() {
    let (known, usual) = (nvrtc::architectures().unwrap(), architectures());
    assert!(known.len() >= usual.len() && known.iter().all(|each| *each >= 60), "{known:?}");
    Choice::maps().par_iter().for_each(|choice| {
        let attribute = choice.attribute();
        let texts = [Some(source(&attribute, every::ITEM)), rows(&attribute, every::ITEM)];
        for &architecture in known.iter().filter(|each| !usual.contains(each)) {
            for text in texts.iter().flatten() {
                let compiled = nvrtc::compile("every", text, architecture).unwrap();
                assert_eq!(compiled.warnings, "", "{choice:?}, sm_{architecture}");
            }
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
    items.collect::<Vec<_>>().par_iter().for_each(|item| {
        for each in sources("", item).iter().chain(&sources("block = 32", item)) {
            for text in [Some(&each.whole), each.rows.as_ref()].into_iter().flatten() {
                compiles(item, text);
            }
        }
    });
    rectangle::Choice::all().par_iter().for_each(|choice| {
        let (attribute, item) = (choice.attribute(), rectangle::item(choice));
        compiles(&attribute, &source(&attribute, &item));
        compiles(&attribute, &rows(&attribute, &item).unwrap());
    });
}

#[test]
fn every_type_compiles() {
    let numbers =
        ["f32", "f64", "f16", "bf16", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"];
    numbers.par_iter().for_each(|number| {
        for element in ["T", "[T; 2]", "[T; 3]", "[T; 4]"] {
            let element = element.replace('T', number);
            let item = format!(
                "unsafe fn copy(#[each] x: &[{element}], s: {element}, raw: &mut [{element}], out: &mut Packed<{element}>)
                 {{ r#\" out = i % 2 ? x.i : s; raw[0] = x.j; \"# }}"
            );
            compiles(&element, &source("", &item));
            let list = format!(
                "unsafe fn list(#[each] x: &[{element}], found: &mut Pairs<{element}>)
                 {{ r#\" if (i % 3 == j % 5) found.push(x.i); \"# }}"
            );
            compiles(&element, &source("", &list));
        }
    });
}

#[test]
fn every_sum_compiles() {
    for number in ["f32", "f64", "i32", "u32", "i64", "u64"] {
        let item = format!(
            "unsafe fn add(a: &mut Sum<{number}>, b: &mut Sum<{number}>) {{ r#\" a += 1; b += i; \"# }}"
        );
        compiles(number, &source("", &item));
    }
}

/// CUDA has no `atomicAdd` for `long long`, whichever helpers a kernel has.
#[test]
fn bodies_have_cudas_own_atomics() {
    for sum in ["i64", "u64", "f32"] {
        let item = format!(
            "unsafe fn own(counts: &mut [i64], total: &mut Sum<{sum}>) {{ r#\" atomicAdd(&counts[0], 1ll); total += 1; \"# }}"
        );
        let text = refusal(&source("", &item));
        assert!(text.contains("no instance of overloaded function \"atomicAdd\""), "{sum}: {text}");
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

/// The names in the texts of all maps and sweeps, and some of CUDA's and of compilers', without those that are refused
/// in place of NAME.
fn names_allowed_in(item: &str) -> Vec<String> {
    let of_others =
        ["dim3", "gridDim", "linux", "main", "printf", "size_t", "std", "unix", "warpSize"];
    let mut names: BTreeSet<String> = of_others.map(str::to_owned).into();
    for choice in Choice::maps().into_iter().chain(Choice::tiles()) {
        let text = source(&choice.attribute(), &every::item(&choice));
        let code = text.lines().filter_map(|line| line.split("//").next());
        let code = code.collect::<Vec<_>>().join("\n");
        let words = code.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        let is_name = |word: &&str| word.starts_with(|c: char| c.is_alphabetic() || c == '_');
        names.extend(words.filter(is_name).map(str::to_owned));
    }
    let is_allowed = |name: &String| {
        item.replace("NAME", name)
            .parse()
            .is_ok_and(|item| td_kernel_codegen::cuda_sources(tokens(""), item, &NoFiles).is_ok())
    };
    names.retain(is_allowed);
    assert!(names.len() > 100, "{names:?}");
    names.into_iter().collect()
}

/// One choice for each sweep, and for each map in the classic one.
fn sweeps_and_maps() -> Vec<Choice> {
    let mut choices: Vec<_> = Choice::maps().into_iter().chain(Choice::tiles()).collect();
    choices.retain(|choice| choice.root == Root::Exact && !choice.diagonal && !choice.linear);
    choices.retain(|choice| choice.map == "ltm" || choice.sweep == Sweep::Classic);
    choices
}

/// What makes the last parameter a result of each element, where the sweep needs one, and what adds to it.
fn of_each(choice: &Choice) -> (&'static str, &'static str) {
    match choice.sweep {
        Sweep::Rotate => ("#[each]", "t9.i += 1;"),
        _ => ("", "t9 += 1;"),
    }
}

/// Whatever a struct is called, the text around it keeps its meaning.
#[test]
fn structs_can_have_every_name_that_is_not_refused() {
    let mut names = names_allowed_in("unsafe fn f(x: &[NAME]) { r#\"return;\"# }");
    // CUDA's own functions and variables are no valid names for a struct in any text.
    names.retain(|name| {
        let text = format!(
            "struct {name} {{ float value; }};\nextern \"C\" __global__ void f_kernel({name} x) {{ }}\n"
        );
        nvrtc::compile("f", &text, 90).is_ok()
    });
    sweeps_and_maps().par_iter().for_each(|choice| {
        let slot = match choice.sweep {
            Sweep::Columns | Sweep::Rotate => "Sum<u32>",
            _ if choice.sweep == Sweep::Mirror || choice.square => "Square<u8>",
            _ => "Packed<u8>",
        };
        for names in names.chunks(20) {
            let all = names.iter().enumerate();
            // An `#[each]` parameter, so that the type's name stands among the kernel's variables.
            let parameters = all.map(|(at, name)| format!("#[each] a{at}: &[{name}], "));
            let parameters: String = parameters.collect();
            let (of_each, add) = of_each(choice);
            let item =
                format!("unsafe fn f({parameters} {of_each} t9: &mut {slot}) {{ r#\" {add} \"# }}");
            let structs = names.iter().map(|name| format!("struct {name} {{ float value; }};\n"));
            let text = structs.collect::<String>() + &source(&choice.attribute(), &item);
            let compiled = nvrtc::compile("f", &text, 90);
            compiled.unwrap_or_else(|error| panic!("{choice:?} {item}\n{error}"));
        }
    });
}

/// Whatever a parameter is called, the text around it keeps its meaning.
#[test]
fn parameters_can_have_every_name_that_is_not_refused() {
    let names = names_allowed_in("unsafe fn f(NAME: u8) { r#\"return;\"# }");
    sweeps_and_maps().par_iter().enumerate().for_each(|(first, choice)| {
        let slot = match choice.sweep == Sweep::Mirror || choice.square {
            true => "NAME: &mut Square<u8>",
            false => "NAME: &mut Packed<u8>",
        };
        let mut kinds = vec!["#[each] NAME: &[[f32; 3]]", "NAME: &[f64]", "NAME: u8"];
        if !choice.sweep.keeps_rows() {
            kinds.push(slot);
        }
        if choice.sweep != Sweep::Rows || !choice.square {
            kinds.extend([
                "NAME: &mut [u8]",
                "NAME: &mut Sum<u32>",
                "NAME: &mut Pairs",
                "NAME: &mut Pairs<f32>",
            ]);
        }
        let last = if choice.sweep.keeps_rows() { "NAME: &mut Sum<u32>" } else { slot };
        let (of_each, add) = of_each(choice);
        let last = format!("{of_each} {}", last.replace("NAME", "t9"));
        let turn = first % kinds.len();
        kinds.rotate_left(turn);
        for chunk in names.chunks(3 * kinds.len()) {
            let parameters = chunk.iter().zip(kinds.iter().cycle());
            let parameters: Vec<_> =
                parameters.map(|(name, kind)| kind.replace("NAME", name)).collect();
            let parameters = parameters.join(", ");
            let item = format!("unsafe fn f({parameters}, {last}) {{ r#\" {add} \"# }}");
            let compiled = nvrtc::compile("f", &source(&choice.attribute(), &item), 90);
            let compiled = compiled.unwrap_or_else(|error| panic!("{item}\n{error}"));
            assert_eq!(compiled.warnings, "", "{choice:?} {item}");
        }
    });
}

#[test]
fn wide_lambdas_compile() {
    let usual = architectures();
    let ends = [usual[0], usual[usual.len() - 1]];
    for choice in Choice::all().iter().filter(|choice| choice.root == Root::Exact) {
        let source = source(&choice.attribute(), every::ITEM);
        compiles_for(&choice.attribute(), &format!("#define TD_WIDE\n{source}"), &ends);
    }
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
        sources.par_iter().for_each(|source| compiles(name, source));
    }
}

#[test]
fn an_architecture_too_old_is_named() {
    for architecture in [20, 50, 53] {
        let error = nvrtc::compile("one", "", architecture).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NoGpu, "{error}");
        assert!(error.to_string().contains("GPUs of 6.0 (sm_60) and later"), "{error}");
        assert!(error.to_string().contains(&format!("(sm_{architecture})")), "{error}");
    }
    // NVRTC 12 knows this architecture, and NVRTC 13 does not.
    let compiled = nvrtc::compile("one", "", 60);
    match nvrtc::version().unwrap() {
        (12, _) => assert!(compiled.is_ok()),
        _ => {
            let error = compiled.unwrap_err().to_string();
            assert!(error.contains("sm_60") && error.contains("cuda-nvrtc-cu12"), "{error}");
        }
    }
}

/// Code that a driver could not load, or, worse, could.
#[test]
fn machine_code_that_is_empty_is_an_error() {
    let text = source("", "unsafe fn one(out: &mut Packed<f32>) { r#\" out = 1; \"# }");
    let error = nvrtc::compile("one", &format!("// NVRTC option: -dlto\n{text}"), 90).unwrap_err();
    let error = error.to_string();
    assert!(error.contains("no machine code") && error.contains("-dlto"), "{error}");
}

/// What NVRTC says about a kernel that it refuses.
fn refusal(source: &str) -> String {
    nvrtc::compile("bad", source, 90).unwrap_err().to_string()
}

#[test]
fn errors_and_warnings_show_the_users_lines() {
    let item = "unsafe fn bad(#[each] points: &[[f32; 4]], out: &mut Packed<f32>, hits: &mut Sum<u32>, list: &mut Pairs) { r#\"
    float dx = points.i.x - points.j.q;
    hits = missing(dx);
    list.add(points.k);
    out = 1
    \"# }";
    let text = refusal(&source("", item));
    // The oldest versions give the line's number without its text.
    let shows_lines = nvrtc::version().unwrap() >= (12, 4);
    for part in [
        "src/main.rs:2: error: ",
        "\n      float dx = points.i.x - points.j.q;\n                                       ^\n",
        "src/main.rs:3: error: ",
        "\n      hits = missing(dx);\n             ^\n",
        "src/main.rs:4: error: ",
        // NVRTC sees this mistake only after the body; the message is about the body's end.
        "src/main.rs:5: error: expected a \";\" at the end of the body\n      out = 1\n             ^",
        "\nnote: `td_each` is an `#[each]` parameter",
        "\nnote: `td_pushed` is a `Pairs` parameter",
    ] {
        let is_shown = shows_lines || !part.contains("points.i.x") && !part.contains("missing(dx)");
        assert!(text.contains(part) == is_shown, "{part:?} in {text}");
    }
    assert!(!text.contains("bad.cu"), "{text}");

    let item = "unsafe fn bad(p: &[[f32; 4]], out: &mut Packed<f32>) { r#\" out = p.i.x; \"# }";
    let text = refusal(&source("", item));
    assert!(text.contains("\nnote: only parameters with `#[each]` have `.i` and `.j`"), "{text}");

    let item =
        "unsafe fn odd(out: &mut Packed<f32>) { r#\"\n    int unused = 1;\n    out = 1;\n\"# }";
    let compiled = nvrtc::compile("odd", &source("", item), 90).unwrap();
    assert!(compiled.warnings.starts_with("src/main.rs:2: warning "), "{}", compiled.warnings);
}

#[test]
fn errors_in_generated_text_say_where_that_is() {
    let text = source("", "unsafe fn bad(out: &mut Packed<f32>) { r#\" out = 1; \"# }");
    let line = text.lines().position(|line| line.contains("bad_pair(out_value)")).unwrap() + 1;
    let text = refusal(&text.replace("bad_pair(out_value)", "missing()"));
    assert!(text.contains(&format!("\nbad.cu:{line}: error: ")), "{text}");
    assert!(text.contains("\nnote: `bad.cu` is the generated text, which `bad::SOURCE`"), "{text}");
}

/// Each is at its own line, with a note in the user's terms.
#[test]
fn wrong_pushes_are_explained() {
    let item = "unsafe fn bad(plain: &mut Pairs, valued: &mut Pairs<f32>, vector: &mut Pairs<[f32; 3]>) { r#\"
    plain.push(1.0f);
    valued.push();
    vector.push(1.0f);
    \"# }";
    let text = refusal(&source("", item));
    for part in [
        "src/main.rs:2: error: too many arguments in function call",
        "src/main.rs:3: error: function \"td_pushed_of<T>::push() [with T=float]\"",
        "src/main.rs:4: error: no instance of overloaded function \"td_pushed_of<T>::push [with T=float3]\"",
        "\nnote: `td_pushed_of` is a `Pairs<T>` parameter",
    ] {
        assert!(text.contains(part), "{part:?} in {text}");
    }
    // The oldest versions give the line's number without its text.
    let shows_lines = nvrtc::version().unwrap() >= (12, 4);
    let note = "\nnote: a `Pairs` parameter lists pairs without values: write `.push();`, or make it a `Pairs<T>`";
    assert_eq!(text.contains(note), shows_lines, "{text}");
    assert!(!text.contains("`td_pushed` is"), "{text}");
}

/// Messages about an included body are about its file.
#[test]
fn a_file_of_the_bodys_own_is_named() {
    #[td_kernel::td_kernel]
    unsafe fn bad(out: &mut Packed<f32>) {
        include_str!("wrong.cu")
    }
    let text = refusal(bad::SOURCE);
    let part = "\ntests/tests/wrong.cu:2: error: identifier \"missing\" is undefined";
    assert!(text.contains(part), "{text}");
    let shown = format!("{part}\n  out = missing;\n        ^");
    assert_eq!(text.contains(&shown), nvrtc::version().unwrap() >= (12, 4), "{text}");
}

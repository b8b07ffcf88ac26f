//! Messages about kernels that NVRTC rejects, and about unsupported architectures.

use td_kernel::nvrtc;
use td_kernel_tests::{OPTIONS, source, sources};

/// NVRTC's message about a kernel that it rejects.
fn refusal(source: &str) -> String {
    nvrtc::compile("bad", source, OPTIONS, 90).unwrap_err().to_string()
}

/// CUDA has no `atomicAdd` for `long long`, with any helpers in the source.
#[test]
fn unsupported_atomic_is_an_error() {
    for sum in ["i64", "u64", "f32"] {
        let item = format!(
            "unsafe fn own(counts: &mut [i64], total: &mut Sum<{sum}>) {{ r#\" atomicAdd(&counts[0], 1ll); total += 1; \"# }}"
        );
        let text = refusal(&source("", &item));
        assert!(text.contains("no instance of overloaded function \"atomicAdd\""), "{sum}: {text}");
    }
}

#[test]
fn old_architecture_is_named() {
    for architecture in [20, 50, 53] {
        let words = ["GPUs of 6.0 (sm_60) and later", &format!("(sm_{architecture})")];
        assert_errors! { nvrtc::compile("one", "", &[], architecture) => words, NoGpu; }
    }
    // NVRTC 12 supports this architecture, and NVRTC 13 does not.
    let compiled = nvrtc::compile("one", "", &[], 60);
    match nvrtc::version().unwrap() {
        (12, _) => assert!(compiled.is_ok()),
        _ => {
            assert_errors! { compiled => ["sm_60", "cuda-nvrtc-cu12"]; }
        }
    }
}

/// Code that a driver could not load, or wrongly could.
#[test]
fn empty_machine_code_is_an_error() {
    let text = source("", "unsafe fn one(out: &mut Packed<f32>) { r#\" out = 1; \"# }");
    assert_errors! { nvrtc::compile("one", &text, &["-dlto"], 90) => ["no machine code", "-dlto"]; }
}

#[test]
fn errors_and_warnings_name_user_lines() {
    let item = "unsafe fn bad(#[each] points: &[[f32; 4]], out: &mut Packed<f32>, hits: &mut Sum<u32>, list: &mut Pairs) { r#\"
    float dx = points.i.x - points.j.q;
    hits = missing(dx);
    list.add(points.k);
    out = 1
    \"# }";
    let text = refusal(&source("", item));
    // The oldest versions report the line's number without its source.
    let shows_lines = nvrtc::version().unwrap() >= (12, 4);
    for part in [
        "src/main.rs:2: error: ",
        "\n      float dx = points.i.x - points.j.q;\n                                       ^\n",
        "src/main.rs:3: error: ",
        "\n      hits = missing(dx);\n             ^\n",
        "src/main.rs:4: error: ",
        // NVRTC detects this mistake only after the body; the message is about the body's end.
        "src/main.rs:5: error: expected a \";\" at the end of the body\n      out = 1\n             ^",
        "\nnote: a parameter with `#[each]` has",
        "\nnote: a `Pairs` lists pairs without values",
    ] {
        let is_shown = shows_lines || !part.contains("points.i.x") && !part.contains("missing(dx)");
        assert!(text.contains(part) == is_shown, "{part:?} in {text}");
    }
    assert!(!text.contains("bad.cu"), "{text}");

    let item = "unsafe fn bad(p: &[[f32; 4]], out: &mut Packed<f32>) { r#\" out = (p).i.x; \"# }";
    let text = refusal(&source("", item));
    assert!(text.contains("\nnote: only parameters with `#[each]` have `.i` and `.j`"), "{text}");

    let item =
        "unsafe fn odd(out: &mut Packed<f32>) { r#\"\n    int unused = 1;\n    out = 1;\n\"# }";
    let compiled = nvrtc::compile("odd", &source("", item), OPTIONS, 90).unwrap();
    assert!(compiled.warnings.starts_with("src/main.rs:2: warning "), "{}", compiled.warnings);
}

/// Once, on the user's line, though boxes and elements both have the bound. Its type is known only to the compiler.
#[test]
fn unsigned_bound_is_named_once() {
    for parameters in ["#[each] p: &[[u32; 2]]", "#[row] p: &[[u32; 2]], #[column] q: &[[u32; 2]]"]
    {
        let bound = match parameters.contains("row") {
            true => "p.lo.x - q.hi.x",
            false => "p.i.lo.x - p.j.hi.x",
        };
        let item = format!(
            "unsafe fn bad({parameters}, limits: &[u32], count: &mut Sum<u64>) {{ let pair = r#\" count += 1; \"#;\n\n let lower_bound = r#\" {bound} - limits[0] \"#; }}"
        );
        let near = sources("", &item).into_iter().find(|each| each.text.contains("lower_bound("));
        let text = refusal(&near.unwrap().text);
        assert!(text.contains("src/main.rs:3: error: static assertion failed"), "{text}");
        assert!(text.contains("is unsigned, so it is never below 0"), "{text}");
        assert_eq!(text.matches("error: ").count(), 1, "{text}");
    }
}

#[test]
fn errors_in_generated_source() {
    let text = source("", "unsafe fn bad(out: &mut Packed<f32>) { r#\" out = 1; \"# }");
    let line = text.lines().position(|line| line.contains("bad_pair(out_value)")).unwrap() + 1;
    let text = refusal(&text.replace("bad_pair(out_value)", "missing()"));
    assert!(text.contains(&format!("\nbad.cu:{line}: error: ")), "{text}");
    assert!(
        text.contains("\nnote: `bad.cu` is the generated source, stored in `bad::SOURCE`"),
        "{text}"
    );
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
        "src/main.rs:3: error: function \"td_pushed_of<T, Pushed>::push() [with T=float, Pushed=float]\"",
        "src/main.rs:4: error: no instance of overloaded function \"td_pushed_of<T, Pushed>::push [with T=float3, Pushed=float3]\"",
        "\nnote: a `Pairs<T>` lists each pair with a value",
    ] {
        assert!(text.contains(part), "{part:?} in {text}");
    }
    // The oldest versions report the line's number without its source.
    let shows_lines = nvrtc::version().unwrap() >= (12, 4);
    let note =
        "\nnote: a `Pairs` lists pairs without values: write `x.push();`, or make it a `Pairs<T>`";
    assert_eq!(text.contains(note), shows_lines, "{text}");
}

/// Offers of a wrong type are errors at the user's line, not in the generated source.
#[test]
fn wrong_offers_are_explained() {
    let item = "unsafe fn bad(
    #[each] both: &mut Minima<[f32; 2]>,
    #[each] with_index: &mut Maxima<(f32, u32)>,
) { r#\"
    both.offer(1.0f);
    both.i.offer(1.0f);
    with_index.offer(make_float2(1, 2));
    with_index.j.offer(make_float2(1, 2));
    \"# }";
    let text = refusal(&source("", item));
    for line in 5..=8 {
        assert!(text.contains(&format!("src/main.rs:{line}: error: no suitable con")), "{text}");
    }
    assert!(!text.contains("bad.cu"), "{text}");
    let shows_lines = nvrtc::version().unwrap() >= (12, 4);
    let note = "\nnote: `.offer(value)` takes a value of the type of its `Minima` or `Maxima`";
    assert_eq!(text.contains(note), shows_lines, "{text}");
}

/// Messages about an included body are about its file.
#[test]
fn included_file_is_named() {
    #[td_kernel::td_kernel]
    unsafe fn bad(out: &mut Packed<f32>) {
        include_str!("wrong.cu")
    }
    let text = refusal(bad::SOURCE);
    let part = "\ntests/tests/nvrtc/wrong.cu:2: error: identifier \"missing\" is undefined";
    assert!(text.contains(part), "{text}");
    let shown = format!("{part}\n  out = missing;\n        ^");
    assert_eq!(text.contains(&shown), nvrtc::version().unwrap() >= (12, 4), "{text}");
}

/// Names of the other body that the macro leaves to the compiler, and a start that is not a constant.
#[test]
fn misplaced_names_have_notes() {
    let item = "unsafe fn bad(
    #[row] p: &Features<f32>,
    #[row] mean: &[f32],
    #[fold(start = \"nothing\")] low: f32,
    out: &mut Matrix<f32>,
) {
    let feature = r#\"
    low += sqrtf(p + (mean));
    low += (p).i;
    \"#;
    let pair = r#\" out = sqrtf(p) + (k); \"#;
}";
    let text = refusal(&source("", item));
    for part in [
        "src/main.rs:8: error: identifier \"mean\" is undefined",
        "src/main.rs:9: error: expression must have class type",
        "src/main.rs:11: error: identifier \"p\" is undefined",
        "src/main.rs:11: error: identifier \"k\" is undefined",
        "error: identifier \"nothing\" is undefined",
        "\nnote: only parameters with `#[each]` have `.i` and `.j`",
        "\nnote: in a kernel over features, the body `feature` can use one feature of each element, `k`",
        "\nnote: the start value of `low`, `#[fold(start = \"nothing\")]`, is not valid",
    ] {
        assert!(text.contains(part), "{part:?} in {text}");
    }
}

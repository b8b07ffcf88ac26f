//! A C++ compiler's messages about a kernel that the emulator runs.

use td_kernel::{Device, td_kernel};
use td_kernel_tests::Choice;

/// CUDA has no `atomicAdd` for `long long`, so the CPU has none either.
#[test]
fn unsupported_atomic_is_an_error() {
    let device = Device::emulator().unwrap();
    for sum in ["i64", "u64"] {
        let item = format!(
            "unsafe fn own(counts: &mut [i64], total: &mut Sum<{sum}>) {{ r#\" atomicAdd(&counts[0], 1ll); total += 1; \"# }}"
        );
        assert_errors! { Choice::maps()[0].load(&device, "own", &item) => "atomicAdd"; }
    }
}

#[test]
fn compile_error_shows_the_users_line() {
    let device = Device::emulator().unwrap();
    let item = "unsafe fn bad(value: &mut Packed<f32>) { r#\"\n    value = 1;\n    value = missing;\n\"# }";
    assert_errors! { Choice::maps()[0].load(&device, "bad", item) => ["src/main.rs:3", "missing"], Compile; }
}

#[td_kernel]
unsafe fn without(list: &mut Pairs<f32>) {
    r#"
    list.push();
    "#
}

#[td_kernel]
unsafe fn with(list: &mut Pairs) {
    r#"
    list.push(1.0f);
    "#
}

#[td_kernel]
unsafe fn other(list: &mut Pairs<[f32; 3]>) {
    r#"
    list.push(1.0f);
    "#
}

/// The messages of any system compiler: on the line of the body, with a note in the user's terms.
#[test]
fn wrong_pushes_name_their_lines() {
    let device = Device::cpu().unwrap();
    let said = [
        (without::load(&device).map(drop), "note: a `Pairs<T>` lists each pair with a value"),
        (with::load(&device).map(drop), "note: a `Pairs` lists pairs without values"),
        (other::load(&device).map(drop), "note: a `Pairs<T>` lists each pair with a value"),
    ];
    for (result, note) in said {
        let error = result.unwrap_err();
        let log = error.compiler_log().unwrap_or_default();
        assert!(log.contains("tests/tests/kernels/errors.rs:") && log.contains(note), "{error}");
        assert_eq!(error.to_string().matches("note: a `Pairs").count(), 1, "{error}");
    }
}

use super::text;
use crate::backend::cpu::{Compiler, build};
use crate::backend::logged::warnings;
use crate::{ErrorKind, Result};

fn compile(source: &str) -> Result<()> {
    let compiler = Compiler::find().unwrap();
    build::program(&compiler, &text("distances", source), None).map(drop)
}

/// The log of a source that must not compile.
fn log(source: &str) -> String {
    let error = compile(source).unwrap_err();
    assert_eq!(error.kernel(), Some("distances"), "{error}");
    let log = error.compiler_log().unwrap();
    let folder = std::env::temp_dir();
    assert!(!log.contains(&*folder.to_string_lossy()), "names {folder:?}: {log}");
    log.to_owned()
}

#[test]
fn error_names_user_file_and_line() {
    let log = log("extern \"C\" __global__ void kernel(float *x) {\n\
         #line 41 \"src/distances.rs\"\n\
         float a = 1.0f;\n\
         x[0] = a + missing;\n\
         #line 5 \"kernel.cu\"\n\
         }");
    assert!(log.contains("src/distances.rs:42"), "{log}");
    assert!(log.contains("missing"), "{log}");
}

/// g++ complains about unknown options only beside other messages.
#[test]
fn loop_error_has_no_option_warnings() {
    let compiler = Compiler::find().unwrap();
    let text = crate::backend::KernelSource {
        is_loops: true,
        ..text("distances", "void kernel() { missing; }")
    };
    let error = build::program(&compiler, &text, None).map(drop).unwrap_err();
    let log = error.compiler_log().unwrap();
    assert!(log.contains("missing") && !log.contains("option"), "{log}");
}

#[test]
fn errors_name_their_places() {
    for (source, place) in [
        // In generated code.
        ("extern \"C\" __global__ void kernel(float *x) {\n  x[0] = missing;\n}", "kernel.cu:2"),
        // In the shim.
        (
            "extern \"C\" __global__ void kernel(char *x) { atomicAdd(x, \"\"); }",
            "td_kernel_cpu/atomics.h:",
        ),
        // No kernel.
        ("extern \"C\" __global__ void other() {}", "td_kernel_cpu/entry:1"),
        // A function that is not defined.
        (
            "__device__ float elsewhere(float);\n\
             extern \"C\" __global__ void kernel(float *x) { x[0] = elsewhere(x[1]); }",
            "elsewhere",
        ),
        // An exception.
        ("extern \"C\" __global__ void kernel() {\n  throw 1;\n}", "kernel.cu:2"),
    ] {
        let log = log(source);
        assert!(log.contains(place), "{place} in {log}");
    }
}

#[test]
fn warning_is_logged_without_failure() {
    let quiet = "extern \"C\" __global__ void kernel(int n, float *x) {\n\
         #pragma unroll\n\
         for (int k = 0; k < 4; ++k) x[k] = n; }";
    let loud = "extern \"C\" __global__ void kernel() {\n\
         #line 7 \"src/loud.rs\"\n\
         #warning careful\n}";
    assert_eq!(warnings(|| compile(quiet).unwrap()), "");
    let told = warnings(|| compile(loud).unwrap());
    assert!(told.contains("src/loud.rs:7") && told.contains("careful"), "{told}");
}

#[test]
fn missing_compiler_lists_candidates() {
    let candidates = |names: &[&str]| {
        let named = |name: &&str| ((*name).to_owned(), (*name).into());
        names.iter().map(named).collect::<Vec<_>>()
    };
    let absent = candidates(&["no-such-compiler", "no/such/compiler --fast"]);
    let error = Compiler::first_of(absent).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NoCompiler);
    let tried = "\n  tried: no-such-compiler, no/such/compiler --fast\n";
    assert!(error.to_string().contains(tried), "{error}");
    let error = Compiler::first_of(candidates(&["false", " "])).unwrap_err().to_string();
    assert!(error.contains("\n  tried: false (exit status: 1),  \n"), "{error}");
    let found = Compiler::first_of(candidates(&["no-such-compiler", "c++ -Wextra"])).unwrap();
    assert!(!found.describe().is_empty());
    assert!(!found.describe().contains('\n'));
}

#[test]
fn oversized_parameters_are_an_error() {
    let log = log("struct Large { char values[32764]; };\n\
         extern \"C\" __global__ void kernel(int n, const Large large) { }");
    assert!(log.contains("32768 bytes") && log.contains("32764"), "{log}");
}

#[test]
fn noexec_folder_is_explained() {
    use crate::backend::cpu::program::explained;
    let told = explained("/t/libkernel.so: failed to map segment from shared object");
    assert!(told.contains("noexec") && told.contains("$TMPDIR"), "{told}");
    assert_eq!(explained("file too short"), "file too short");
}

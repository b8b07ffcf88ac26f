//! Compilers that do not support all options.
#![cfg(unix)]

use std::sync::PoisonError;

use super::text;
use crate::backend::KernelSource;
use crate::backend::cpu::{Compiler, build};
use crate::backend::nvrtc::Cache;
use crate::{Error, ErrorKind};

/// The options found to be supported after compiling a kernel, by a command that reports `version`, rejects one option, and
/// otherwise is the system's compiler.
fn after_a_kernel(version: &str, refused: &str) -> Option<Vec<&'static str>> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("compiler");
    let script = format!(
        "case \" $* \" in\n\
         *' --version '*) echo '{version}'; exit ;;\n\
         *' {refused} '*) echo 'unknown: {refused}' >&2; exit 1 ;;\n\
         esac\n\
         exec c++ \"$@\"\n"
    );
    std::fs::write(&path, script).unwrap();
    let command = format!("sh {}", path.display());
    let compiler = Compiler::first_of([(command.clone(), command.into())]).unwrap();
    let source = "extern \"C\" __global__ void kernel() {}";
    build::program(&compiler, &text("empty", source), None).unwrap();
    let known = compiler.known.lock().unwrap_or_else(PoisonError::into_inner);
    known.clone()
}

#[test]
fn options_are_tried_only_after_an_error() {
    let own = Compiler::find().unwrap().describe().to_owned();
    assert_eq!(after_a_kernel(&own, "--nothing"), None);
}

#[test]
fn unknown_option_is_left_out() {
    for refused in
        ["-fstack-usage", "-fstack-clash-protection", "-fsanitize-undefined-trap-on-error"]
    {
        let known = after_a_kernel("an old one", refused).unwrap();
        assert!(!known.contains(&refused), "{known:?}");
        // All others, except the one that only g++ or only clang supports.
        assert!(known.len() > 4 && known.contains(&"-march=native"), "{known:?}");
    }
}

/// The error for a compiler that reports success, but leaves `leave` in place of its library.
fn after_leaving(leave: &str) -> Error {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("compiler");
    let script = format!(
        "case \"$1\" in --version) echo 'another program'; exit ;; esac\n\
         while [ $# -gt 0 ]; do if [ \"$1\" = -o ]; then library=$2; fi; shift; done\n\
         {leave}\n"
    );
    std::fs::write(&path, script).unwrap();
    let command = format!("sh {}", path.display());
    let compiler = Compiler::first_of([(command.clone(), command.into())]).unwrap();
    let cache = Cache::new(folder.path().join("cache"));
    let text = text("empty", "extern \"C\" __global__ void kernel() {}");
    let first = build::program(&compiler, &text, Some(&cache)).unwrap_err();
    // A library that does not load is not kept: otherwise the error would stay with another compiler of this name.
    let again = build::program(&compiler, &text, Some(&cache)).unwrap_err();
    assert_eq!(first.to_string(), again.to_string());
    first
}

#[test]
fn compiler_without_a_library_is_named() {
    for (leave, reason) in [
        ("exit 0", "no library"),
        (": > \"$library\"", "an empty library"),
        ("echo foreign > \"$library\"", "a file that is not a library for this machine"),
        (
            "echo 'int x;' | c++ -shared -fPIC -x c++ -o \"$library\" -",
            "a library without the kernel",
        ),
    ] {
        let error = after_leaving(leave);
        assert_eq!(error.kind(), ErrorKind::NoCompiler, "{error}");
        let text = error.to_string();
        for part in [reason, "/compiler", "another program", "$CXX"] {
            assert!(text.contains(part), "{part:?} in {text:?}");
        }
        // The folder is gone by then, and its name differs between runs.
        assert!(!text.contains("libkernel"), "{text}");
    }
}

/// An update of the compiler keeps its command, and changes what it compiles.
#[test]
fn key_depends_on_version_and_source() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("compiler");
    let key = |name: &str, version: &str, text: &KernelSource<'_>| {
        std::fs::write(&path, format!("echo '{version}'\n")).unwrap();
        let command = format!("sh {} {name}", path.display());
        let compiler = Compiler::first_of([(command.clone(), command.into())]).unwrap();
        build::key(&compiler, text).unwrap().file_name()
    };
    let (own, others) = (text("a", "text"), ["other".to_owned()]);
    let keys = [
        key("", "g++ 12.1", &own),
        key("", "g++ 12.2", &own),
        key("-O1", "g++ 12.1", &own),
        key("", "g++ 12.1", &text("b", "text")),
        key("", "g++ 12.1", &text("a", "texts")),
        key("", "g++ 12.1", &KernelSource { entry: "other", ..own }),
        key("", "g++ 12.1", &KernelSource { others: &others, ..own }),
        key("", "g++ 12.1", &KernelSource { options: &["-O1"], ..own }),
        key("", "g++ 12.1", &KernelSource { is_wide: true, ..own }),
        key("", "g++ 12.1", &KernelSource { is_loops: true, ..own }),
    ];
    assert_eq!(keys[0], key("", "g++ 12.1", &own));
    let different: std::collections::BTreeSet<_> = keys.iter().collect();
    assert_eq!(different.len(), keys.len(), "{keys:?}");
}

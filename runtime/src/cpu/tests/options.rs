//! Compilers that do not know all options.
#![cfg(unix)]

use std::sync::PoisonError;

use super::text;
use crate::cpu::{Compiler, build};

/// A command that says this of itself, refuses one option, and else is the system's compiler; with the options that it is known to
/// know after a kernel.
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
fn options_are_tried_only_where_the_compiler_complains() {
    let own = Compiler::find().unwrap().describe().to_owned();
    assert_eq!(after_a_kernel(&own, "--nothing"), None);
}

#[test]
fn an_option_that_the_compiler_does_not_know_is_left_out() {
    for refused in ["-fstack-usage", "-fstack-clash-protection"] {
        let known = after_a_kernel("an old one", refused).unwrap();
        assert!(!known.contains(&refused), "{known:?}");
        // All others but that which only g++ or only clang has.
        assert!(known.len() > 4 && known.contains(&"-march=native"), "{known:?}");
    }
}

//! Properties that must hold for any input. A fuzzer calls these checks with generated inputs (`fuzz/libfuzzer`), and a test
//! calls them with saved inputs of the fuzzer (`fuzz/corpus`). Both panic if a property does not hold.
//!
//! The check of the third target, `cache`, is beside the code that reads the files, in td-kernel's `nvrtc/cache/damage.rs`.

// A check reports by a panic, which a fuzzer and a test detect.
#![allow(clippy::panic)]

// With this cfg, proc-macro2 drops the positions of tokens.
#[cfg(fuzzing)]
compile_error!(
    "the check of spans needs `cargo fuzz run --no-cfg-fuzzing`, as `cargo xtask fuzz` calls it"
);

pub mod attribute;
pub mod body;
mod words;

use std::path::PathBuf;

/// The inputs kept for `target`, each with its file's name, sorted by name.
///
/// # Errors
///
/// The folder or a file in it cannot be read.
pub fn corpus(target: &str) -> std::io::Result<Vec<(String, Vec<u8>)>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
    let mut inputs = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        inputs
            .push((entry.file_name().to_string_lossy().into_owned(), std::fs::read(entry.path())?));
    }
    inputs.sort();
    Ok(inputs)
}

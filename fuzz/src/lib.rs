//! What must hold for any input at all. A fuzzer calls these checks with inputs that it makes up
//! (`fuzz/libfuzzer`), and a test calls them with those that it has found worth keeping
//! (`fuzz/corpus`); both panic where something does not hold.
//!
//! The third target, `cache`, has its check where the files are read, in td-kernel's own
//! `nvrtc/cache/damage.rs`.

// A check says what does not hold by a panic, which is what a fuzzer and a test look for.
#![allow(clippy::panic)]

// With that, proc-macro2 forgets where a token stands in the text.
#[cfg(fuzzing)]
compile_error!(
    "the check of spans needs `cargo fuzz run --no-cfg-fuzzing`, as `cargo xtask fuzz` calls it"
);

pub mod attribute;
pub mod body;
mod words;

use std::path::PathBuf;

/// The inputs kept for `target`, each with its file's name, in the order of the names.
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

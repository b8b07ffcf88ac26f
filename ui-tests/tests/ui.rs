//! Every message that a user can cause at compile time.

use std::path::{Path, PathBuf};

#[test]
fn messages() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("cases/*.rs");
}

/// An expected message without a case would look reviewed but is never checked. (A case without a message fails above.)
#[test]
fn every_message_has_its_case() {
    let cases = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
    let files = std::fs::read_dir(cases).unwrap().map(|entry| entry.unwrap().path());
    let is_message = |file: &PathBuf| file.extension().is_some_and(|own| own == "stderr");
    let left: Vec<_> =
        files.filter(|file| is_message(file) && !file.with_extension("rs").is_file()).collect();
    assert!(left.is_empty(), "without a .rs file beside it, to be deleted: {left:?}");
}

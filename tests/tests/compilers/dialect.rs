//! NVRTC accepts the types, constants and functions that bodies have on the CPU. The page of bodies lists the tested ones.

use std::collections::BTreeSet;

use td_kernel::Result;
use td_kernel::nvrtc;
use td_kernel_tests::{OPTIONS, dialect};

#[test]
fn nvrtc_has_every_name() -> Result<()> {
    let compiled = nvrtc::compile("dialect", dialect::SOURCE, OPTIONS, 90)?;
    assert_eq!(compiled.warnings, "");
    Ok(())
}

/// The page, from its first table on.
const PAGE: &str = include_str!("../../../docs/bodies.md");

/// The names of functions, types and constants of CUDA or C in a string.
fn names(text: &str) -> BTreeSet<&str> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let is_name = |word: &&str| word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    words.filter(is_name).collect()
}

/// Words of the body that are neither CUDA functions nor CUDA types.
const OTHERS: &[&str] = &[
    "a", "b", "bits", "char", "counts", "if", "n", "static_assert", "const", "cosine", "double",
    "float", "int", "long", "next", "part", "power", "rest", "sine", "sizeof", "u", "unsigned",
    "values", "w", "whole", "word", "x", "y", "z",
];

#[test]
fn page_lists_every_tested_name() {
    let code = dialect::TEXT.lines().filter(|line| !line.starts_with("//"));
    let code: Vec<_> = code.map(|line| line.split(" // ").next().unwrap_or_default()).collect();
    let code = code.join("\n");
    let tried: BTreeSet<_> =
        names(&code).into_iter().filter(|name| !OTHERS.contains(name)).collect();
    // The page lists vectors by the pattern of their names.
    let tried: BTreeSet<_> = tried.into_iter().filter(|name| !name.starts_with("make_")).collect();
    let (_, listed) = PAGE.split_once("<!-- names -->").unwrap();
    let (listed, _) = listed.split_once("<!-- end of names -->").unwrap();
    let spans: String = listed.split('`').skip(1).step_by(2).collect::<Vec<_>>().join(" ");
    let listed: BTreeSet<_> =
        names(&spans).into_iter().filter(|name| !OTHERS.contains(name)).collect();
    assert_eq!(listed.difference(&tried).collect::<Vec<_>>(), [&""; 0], "listed and not tried");
    assert_eq!(tried.difference(&listed).collect::<Vec<_>>(), [&""; 0], "tried and not listed");
}

//! The names of the kernels' own variables, which no user struct can have: the code generator rejects exactly the names that
//! occur in its sources.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use td_kernel_tests::catalogue::{self, CatalogueFiles};
use td_kernel_tests::covering::chosen;
use td_kernel_tests::parallel::CheckEach;
use td_kernel_tests::{Choice, NoFiles, every, source, tokens};

/// The source file with the names of variables.
const NAMES: &str = include_str!("../../../codegen/src/names.rs");

/// The source file with the keywords.
const KEYWORDS: &str = include_str!("../../../codegen/src/names/keywords.rs");

/// The strings of a list in a source file.
fn list(file: &str, name: &str) -> BTreeSet<String> {
    let (_, rest) = file.split_once(&format!("const {name}: &[&str] = &[")).unwrap();
    let (words, _) = rest.split_once("];").unwrap();
    words.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

pub(super) fn keywords() -> BTreeSet<String> {
    list(KEYWORDS, "KEYWORDS")
}

/// Words of CUDA C++ in a kernel function that are neither keywords nor function names.
const OF_CUDA: &[&str] = &["blockDim", "blockIdx", "gridDim", "threadIdx"];

fn is_vector(word: &str) -> bool {
    let stem = word.trim_end_matches(|c| ('1'..='4').contains(&c));
    let stems = ["char", "short", "int", "longlong", "float", "double"];
    stem.len() + 1 == word.len() && stems.contains(&stem.strip_prefix('u').unwrap_or(stem))
}

/// The kernel function without comments and directives.
fn kernel_function(text: &str) -> Option<String> {
    let marks = ["__global__", "extern \"C\" void"];
    let (_, function) = marks.iter().find_map(|mark| text.split_once(mark))?;
    let lines = function.lines().filter(|line| !line.starts_with('#'));
    let code = lines.map(|line| line.split("//").next().unwrap_or_default());
    Some(code.collect::<Vec<_>>().join("\n"))
}

/// The variables of the source's kernel function that are not made from a user's name: all words without another meaning. Names
/// made from a user's and names of helpers have an underscore, and structs are capitalised here.
fn variables(text: &str, keywords: &BTreeSet<String>) -> BTreeSet<String> {
    let code = kernel_function(text).unwrap_or_default();
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut found = BTreeSet::new();
    let mut at = 0;
    while let Some(start) = code[at..].find(is_word).map(|start| at + start) {
        let end = code[start..].find(|c| !is_word(c)).map_or(code.len(), |length| start + length);
        let (before, word, after) = (&code[..start], &code[start..end], code[end..].trim_start());
        at = end;
        let is_member = before.ends_with('.') || before.ends_with("->");
        let is_own = word.starts_with(|c: char| c.is_ascii_lowercase()) && !word.contains('_');
        let is_constant = before.ends_with("constexpr unsigned int ");
        let is_cuda = keywords.contains(word) || OF_CUDA.contains(&word) || is_vector(word);
        if is_constant || is_own && !is_member && !is_cuda && !after.starts_with('(') {
            found.insert(word.to_owned());
        }
    }
    found
}

/// The helpers that a source has and does not use.
pub(super) fn unused(text: &str) -> Vec<&str> {
    let mut counts = BTreeMap::new();
    for line in text.lines() {
        let code = line.split("//").next().unwrap_or_default();
        let words = code.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        for word in words.filter(|word| word.starts_with("td_")) {
            *counts.entry(word).or_insert(0) += 1;
        }
    }
    counts.into_iter().filter(|(_, count)| *count == 1).map(|(word, _)| word).collect()
}

/// Sources of every map in every sweep and of every tile size, and all sources of the catalogue's kernels.
fn texts() -> Vec<(String, String)> {
    let choices: Vec<_> = Choice::all().into_iter().chain(Choice::tiles()).collect();
    let mut texts: Vec<_> =
        chosen(&choices, Choice::properties_of_text).par_iter().check_each(|choice| {
            let keys = choice.attribute();
            let text = source(&keys, &every::item(choice));
            (keys, text)
        });
    let catalogue = [catalogue::all(), catalogue::of_types()].concat();
    let of_catalogue = catalogue.par_iter().check_each(|entry| {
        let [keys, item] = [entry.keys, entry.item].map(tokens);
        td_kernel_codegen::filled_templates(keys, item, &CatalogueFiles).unwrap()
    });
    for (entry, filled) in catalogue.iter().zip(of_catalogue) {
        texts.extend(filled.into_iter().map(|(_, text)| (entry.name.to_owned(), text)));
    }
    texts
}

#[test]
fn byte_order_mark_is_skipped() {
    let [plain, marked] = ["pair.cu", "marked.cu"].map(|file| {
        let item =
            format!("unsafe fn file(value: &mut Packed<f32>) {{ include_str!(\"{file}\") }}");
        source("", &item)
    });
    assert_eq!(marked, plain);
}

/// The variables of all sources are exactly the rejected struct names.
#[test]
fn variables_are_rejected() {
    let keywords = keywords();
    let mut found = BTreeMap::new();
    for (what, text) in texts() {
        assert_eq!(unused(&text), [""; 0], "{what}\n{text}");
        for name in variables(&text, &keywords) {
            found.entry(name).or_insert_with(|| what.clone());
        }
    }
    assert!(found.len() > 20, "{found:?}");
    let listed = list(NAMES, "VARIABLES");
    let missing: Vec<_> = found.iter().filter(|(name, _)| !listed.contains(*name)).collect();
    let stale: Vec<_> = listed.iter().filter(|name| !found.contains_key(*name)).collect();
    assert!(
        missing.is_empty() && stale.is_empty(),
        "VARIABLES in codegen/src/names.rs\n  lacks, each with a text that has it: {missing:#?}\n  \
         has, and no text does: {stale:?}\nSo write:\n{:?}",
        found.keys().collect::<Vec<_>>()
    );
    // Only the list decides.
    for name in found.keys() {
        let item = format!("unsafe fn f(x: &[{name}], out: &mut Packed<u8>) {{ r#\"out = 1;\"# }}");
        let refused = td_kernel_codegen::cuda_sources(tokens(""), tokens(&item), &NoFiles);
        let message = refused.err().map(|tokens| tokens.to_string()).unwrap_or_default();
        assert!(message.contains("the generated kernel has a variable"), "{name}: {message}");
    }
}

/// Documentation and aliases that mention the word do not make a kernel deprecated.
#[test]
fn attributes_are_found_by_their_paths() {
    let expansion = |attributes: &str| {
        let item = format!("{attributes} unsafe fn f(out: &mut Packed<u8>) {{ r#\"out = 1;\"# }}");
        td_kernel_codegen::td_kernel(tokens(""), tokens(&item), &NoFiles).to_string()
    };
    let allows = |attributes: &str| expansion(attributes).contains("# [allow (deprecated)]");
    assert!(!allows("#[doc = \"Takes the place of the deprecated one.\"]"));
    assert!(!allows("#[must_use = \"deprecated\"]"));
    assert!(!allows("#[cfg_attr(unix, doc = \"deprecated\")]"));
    assert!(allows("#[deprecated]"));
    assert!(allows("#[deprecated(note = \"use another one\")]"));
    assert!(allows("#[cfg_attr(unix, deprecated)]"));
    let documented = |attributes: &str| !expansion(attributes).contains("A kernel over all pairs.");
    assert!(documented("#[doc = \"Own words.\"]") && documented("/// Own words."));
    assert!(!documented("#[docs::own]") && !documented("#[doc_cfg]"));
}

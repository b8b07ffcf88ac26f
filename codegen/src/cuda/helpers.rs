//! The helpers that a kernel includes. Each file `NAME.cuh` defines `td_NAME`.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::files::HELPERS;

/// The names of helpers in each helper. They are found once for all kernels of a crate, because an unoptimised macro
/// reads sources slowly.
static NAMES: LazyLock<Vec<HashSet<&str>>> =
    LazyLock::new(|| HELPERS.iter().map(|helper| names(helper.text)).collect());

/// The map's helpers, the helpers among these names, and those that they need, each after a blank line. Helpers of `before` are
/// already in the source.
pub(super) fn used(names: &HashSet<&str>, of_map: Vec<&'static str>, before: &[&str]) -> String {
    let (mut names, mut used) = (names.clone(), Vec::new());
    for (helper, needed) in HELPERS.iter().zip(&*NAMES).rev() {
        if names.contains(helper.name) && !before.contains(&helper.name) {
            used.push(helper.text);
            names.extend(needed);
        }
    }
    of_map.into_iter().chain(used.into_iter().rev()).map(|text| format!("\n{text}")).collect()
}

/// The source of the helper that defines `name`.
pub(super) fn text_of(name: &str) -> &'static str {
    HELPERS.iter().find(|helper| helper.name == name).map_or("", |helper| helper.text)
}

/// The words of a source that may be helpers, or types or constants of C's headers.
pub(super) fn names(text: &str) -> HashSet<&str> {
    let is_name = |word: &&str| {
        word.starts_with("td_")
            || word.ends_with("_t")
            || word.starts_with(|c: char| c.is_ascii_uppercase())
    };
    words(text).filter(is_name).collect()
}

/// The words of a source, which include all its names.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
}

#[cfg(test)]
mod tests {
    use super::super::files::FILES;
    use super::*;
    use crate::standard::{CONSTANTS, TYPES};

    #[test]
    fn every_file_is_a_helper() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/cuda");
        let mut files: Vec<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        let mut known: Vec<_> = FILES.iter().map(|name| format!("{name}.cuh")).collect();
        files.sort();
        known.sort();
        assert_eq!(files, known);
    }

    #[test]
    fn names_of_headers_are_found() {
        let types = TYPES.iter().map(|(name, _)| *name);
        for name in types.chain(CONSTANTS.iter().map(|(name, _)| *name)) {
            assert!(names(name).contains(name), "{name}");
        }
    }

    #[test]
    fn helpers_use_only_earlier_ones() {
        for (at, helper) in HELPERS.iter().enumerate() {
            let names = names(helper.text);
            assert!(names.contains(helper.name), "{}", helper.name);
            let later = HELPERS[at + 1..].iter().find(|later| names.contains(later.name));
            assert_eq!(later.map(|later| later.name), None, "{}", helper.name);
        }
    }
}

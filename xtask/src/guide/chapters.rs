//! What mdBook does not check of a chapter: that the parts of files that it includes are there, and the files of the
//! repository that it names.

use std::path::Path;

use crate::failure::Result;
use crate::links::{prose, read};

const INCLUDE: &str = "{{#include ";
const ANCHOR: &str = "ANCHOR: ";

/// What a chapter includes: a file, and which part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Include<'a> {
    line: usize,
    pub(super) path: &'a str,
    /// An anchor, or lines as `5:` or `5:9`; of a whole file nothing.
    pub(super) part: &'a str,
}

pub(super) fn includes(text: &str) -> impl Iterator<Item = Include<'_>> {
    text.lines().enumerate().flat_map(|(at, text)| {
        text.split(INCLUDE).skip(1).filter_map(move |rest| {
            let inside = rest.split("}}").next()?.trim();
            let (path, part) = inside.split_once(':').unwrap_or((inside, ""));
            Some(Include { line: at + 1, path, part })
        })
    })
}

/// The anchors of a file.
pub(super) fn anchors(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| line.split_once(ANCHOR).map(|(_, name)| name.trim()))
}

/// What is wrong with a chapter, the text of the file `chapter`.
pub(super) fn defects(root: &Path, chapter: &Path, text: &str) -> Result<Vec<String>> {
    let mut defects = Vec::new();
    let name = chapter.file_name().unwrap_or_default().to_string_lossy();
    let folder = chapter.parent().unwrap_or(root);
    // Of other ways to include a file, mdBook has some, and nothing here would look at what they name.
    for (at, line) in text.lines().enumerate() {
        if line.contains("{{#") && !line.contains(INCLUDE) && !line.contains(r"\{{#") {
            defects.push(format!("{name}:{}: files are included by {INCLUDE} … }}}}", at + 1));
        }
    }
    for Include { line, path, part } in includes(text) {
        let file = folder.join(path);
        if !file.is_file() {
            defects.push(format!("{name}:{line}: there is no file {path} to include"));
        } else if !has(&read(&file)?, part) {
            defects.push(format!("{name}:{line}: {path} has no part `{part}`"));
        }
    }
    for (line, text) in prose(text) {
        let missing = spans(text).filter(|span| is_of_repository(root, span));
        for span in missing.filter(|span| !root.join(span).exists()) {
            defects.push(format!("{name}:{line}: the repository has no {span}"));
        }
    }
    Ok(defects)
}

/// Whether a file has this part, and something in it.
fn has(text: &str, part: &str) -> bool {
    if part.is_empty() {
        return !text.trim().is_empty();
    }
    match part.split(':').next().map(str::parse::<usize>) {
        Some(Ok(first)) => text.lines().count() >= first,
        _ => anchors(text).any(|each| each == part),
    }
}

/// What stands between single backticks.
fn spans(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// Whether a span of code is meant as a path of the repository: it begins with one of its folders, or is a document.
fn is_of_repository(root: &Path, span: &str) -> bool {
    let is_path = span.chars().all(|each| each.is_ascii_alphanumeric() || "_-./".contains(each));
    let begins = match span.split_once('/') {
        Some((folder, _)) => {
            !folder.is_empty() && !folder.starts_with('.') && root.join(folder).is_dir()
        }
        None => [".md", ".cff"].iter().any(|end| span.ends_with(end)),
    };
    is_path && begins
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn an_include_is_read_as_mdbook_reads_it() {
        let found: Vec<_> = includes("a\n{{#include ../b.rs:part}} {{#include c.txt}}\n").collect();
        let parts: Vec<_> = found.iter().map(|each| (each.line, each.path, each.part)).collect();
        assert_eq!(parts, [(2, "../b.rs", "part"), (2, "c.txt", "")]);
        let lines = includes("{{#include d.snap:5:}}").next().unwrap();
        assert_eq!((lines.path, lines.part), ("d.snap", "5:"));
    }

    #[test]
    fn what_is_not_there_is_named() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("guide");
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("a.rs"), "// ANCHOR: one\nlet x = 1;\n// ANCHOR_END: one\n").unwrap();
        fs::write(folder.join("empty.txt"), "\n").unwrap();
        let of = |text: &str| defects(root.path(), &folder.join("c.md"), text).unwrap();
        let fine = "{{#include a.rs:one}} {{#include a.rs:3:}} {{#include a.rs}} `guide/a.rs` `guide/`\n\
                    `snapshots/a.snap` `a / b` `guide/….rs`\n```\n`guide/z.rs`\n```\n";
        assert_eq!(of(fine), Vec::<String>::new());
        assert_eq!(of("\n{{#include b.rs:one}}"), ["c.md:2: there is no file b.rs to include"]);
        for part in ["two", "on", "4:", "4:9"] {
            let defect = format!("c.md:1: a.rs has no part `{part}`");
            assert_eq!(of(&format!("{{{{#include a.rs:{part}}}}}")), [defect]);
        }
        assert_eq!(of("{{#include empty.txt}}"), ["c.md:1: empty.txt has no part ``"]);
        assert_eq!(of("see `guide/z.rs`"), ["c.md:1: the repository has no guide/z.rs"]);
        assert_eq!(of("`NEWS.md`"), ["c.md:1: the repository has no NEWS.md"]);
    }
}

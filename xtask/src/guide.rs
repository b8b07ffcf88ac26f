//! `cargo xtask guide`: fills the listings, and checks the links and the commands of all documents.
//!
//! A block of code after the line `<!-- listing: PATH PART -->` is a copy of a tested file. PATH starts at the repository's
//! root. PART is the name of an anchor in that file, or the number of its first line; without it, the listing is the whole
//! file.

use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, ensure};
use xshell::Shell;

use crate::{commands, files};

/// The chapters of the guide.
pub(crate) const CHAPTERS: &str = "guide/src";
/// The files with its listings.
const LISTINGS: &str = "tests/tests/guide";
/// Parts of the crates' documentation. Their links point to Rust items, which rustdoc checks, or to its pages.
pub(crate) const OF_RUSTDOC: [&str; 2] = ["macros/docs", "runtime/docs"];

const MARKER: &str = "<!-- listing: ";
const FENCE: &str = "```";
const BEGIN: &str = "ANCHOR: ";
const END: &str = "ANCHOR_END: ";

/// Writes the listings into the documents, and checks the documents. With `check`, it writes no document.
pub(crate) fn run(shell: &Shell, check: bool) -> Result<()> {
    for document in files(shell, &["*.md"])? {
        let text = shell.read_file(&document)?;
        let filled = filled(shell, &text).context(document.clone())?;
        if filled != text {
            ensure!(!check, "{document}: a listing differs from its file: run `cargo xtask guide`");
            shell.write_file(document, filled)?;
        }
    }
    let defects = defects(shell)?;
    ensure!(defects.is_empty(), "documents have defects:\n{}", defects.join("\n"));
    Ok(())
}

/// Replaces a document's listings by their files' contents.
fn filled(shell: &Shell, text: &str) -> Result<String> {
    let mut filled = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        filled += &format!("{line}\n");
        let Some(marker) = line.strip_prefix(MARKER) else { continue };
        let name = marker.trim_end_matches("-->").trim();
        let (path, part) = name.split_once(' ').unwrap_or((name, ""));
        let listing = part_of(&shell.read_file(path)?, part);
        let listing =
            listing.with_context(|| format!("{path} does not contain the part `{part}`"))?;
        let fence = lines.next().filter(|line| line.starts_with(FENCE));
        let fence =
            fence.with_context(|| format!("the listing {name} is not followed by a code block"))?;
        ensure!(
            lines.any(|line| line == FENCE),
            "the code block after the listing {name} does not end"
        );
        filled += &format!("{fence}\n{listing}{FENCE}\n");
    }
    Ok(filled)
}

fn part_of(file: &str, part: &str) -> Option<String> {
    let mut lines: Vec<&str> = file.lines().collect();
    if let Ok(first) = part.parse::<usize>() {
        lines.drain(..first.checked_sub(1)?.min(lines.len()));
    } else if !part.is_empty() {
        let at = |mark| lines.iter().position(|line| named(line, mark) == Some(part));
        lines = lines.get(at(BEGIN)? + 1..at(END)?)?.to_vec();
    }
    lines.retain(|line| named(line, BEGIN).is_none() && named(line, END).is_none());
    let indents = lines.iter().filter(|line| !line.is_empty());
    let indent = indents.map(|line| line.len() - line.trim_start().len()).min()?;
    Some(lines.iter().map(|line| format!("{}\n", line.get(indent..).unwrap_or_default())).collect())
}

/// The part that a line of Rust or Python begins or ends.
fn named<'a>(line: &'a str, mark: &str) -> Option<&'a str> {
    let line = line.trim();
    line.strip_prefix("// ").or(line.strip_prefix("# "))?.strip_prefix(mark)
}

/// Broken links, untested commands, chapters that the book leaves out, and unused listings.
fn defects(shell: &Shell) -> Result<Vec<String>> {
    let summary = shell.read_file(Path::new(CHAPTERS).join("SUMMARY.md"))?;
    let (mut defects, mut texts) = (Vec::new(), String::new());
    let is_of_rustdoc = |path: &str| OF_RUSTDOC.iter().any(|folder| path.starts_with(folder));
    for document in files(shell, &["*.md"])?.iter().filter(|path| !is_of_rustdoc(path)) {
        let text = shell.read_file(document)?;
        for (line, what) in commands::defects(&text) {
            defects.push(format!("{document}:{line}: {what}"));
        }
        let chapter = document.strip_prefix(&format!("{CHAPTERS}/"));
        for (line, link) in links(&text) {
            if let Some(what) = defect_of(shell, Path::new(document), link)? {
                defects.push(format!("{document}:{line}: `{link}` {what}"));
            }
        }
        if let Some(name) =
            chapter.filter(|name| *name != "SUMMARY.md" && !summary.contains(&format!("({name})")))
        {
            defects.push(format!("{document}: SUMMARY.md lacks the line `({name})`"));
        }
        texts += &text;
    }
    for file in files(shell, &[LISTINGS])? {
        for line in shell.read_file(&file)?.lines() {
            let Some(name) = named(line, BEGIN) else { continue };
            if !texts.contains(&format!("{file} {name} -->")) {
                defects.push(format!("{file}: the listing `{name}` is not in any document"));
            }
        }
    }
    Ok(defects)
}

/// The file that a link in a document leads to; `None` outside the repository.
pub(crate) fn file_of(document: &Path, link: &str) -> Option<PathBuf> {
    let path = link.split('#').next().filter(|path| !path.is_empty());
    let mut file = document.to_path_buf();
    if let Some(path) = path {
        file.pop();
        for part in Path::new(path).components() {
            match part {
                Component::ParentDir if !file.pop() => return None,
                Component::ParentDir | Component::CurDir => {}
                other => file.push(other),
            }
        }
    }
    Some(file)
}

/// The problem of a link in a document.
fn defect_of(shell: &Shell, document: &Path, link: &str) -> Result<Option<&'static str>> {
    let Some(file) = file_of(document, link) else {
        return Ok(Some("leads out of the repository"));
    };
    let heading = link.split_once('#').map_or("", |(_, heading)| heading);
    let is_of = |end: &str| file.extension().is_some_and(|own| own == end);
    if !shell.path_exists(&file) {
        return Ok(Some("does not lead to a file"));
    }
    if !heading.is_empty()
        && is_of("md")
        && !headings(&shell.read_file(&file)?).any(|own| own == heading)
    {
        return Ok(Some("does not lead to a heading"));
    }
    Ok(None)
}

/// The lines of a document outside its code blocks, with their numbers.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_code = false;
    text.lines().enumerate().filter_map(move |(at, line)| {
        let is_fence = line.trim_start().starts_with(FENCE);
        is_code ^= is_fence;
        (!is_code && !is_fence).then_some((at + 1, line))
    })
}

/// The links into the repository, with their lines.
pub(crate) fn links(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let links = prose(text).flat_map(|(line, text)| {
        text.split("](")
            .skip(1)
            .filter_map(move |rest| Some((line, rest.split([')', ' ']).next()?)))
    });
    links.filter(|(_, link)| !link.contains("://") && !link.starts_with("mailto:"))
}

/// The anchors of a document's headings.
fn headings(text: &str) -> impl Iterator<Item = String> {
    let titles = prose(text).filter_map(|(_, line)| {
        line.trim_start_matches('#').strip_prefix(' ').filter(|_| line.starts_with('#'))
    });
    titles.map(|title| {
        let kept = |letter: &char| letter.is_alphanumeric() || " -_".contains(*letter);
        title.trim().to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::repository;

    #[test]
    fn copies_parts_of_files() {
        let file =
            "use b;\n    // ANCHOR: one\n    let x = 1;\n\n    f(x);\n    // ANCHOR_END: one\n";
        let (shell, _folder) = repository(&[("a.rs", file)]);
        let with =
            |name: &str, code: &str| format!("a\n{MARKER}{name} -->\n```rust\n{code}```\nb\n");
        for name in ["a.rs one", "a.rs 3"] {
            let filled = filled(&shell, &with(name, "old\n")).unwrap();
            assert_eq!(filled, with(name, "let x = 1;\n\nf(x);\n"));
        }
        let wrong = |text: &str| filled(&shell, text).unwrap_err().to_string();
        assert_eq!(wrong(&with("a.rs two", "")), "a.rs does not contain the part `two`");
        assert_eq!(
            wrong("<!-- listing: a.rs -->\n"),
            "the listing a.rs is not followed by a code block"
        );
    }

    #[test]
    fn names_defects() {
        let listing = "<!-- listing: tests/tests/guide/one.rs first -->\n";
        let (shell, _folder) = repository(&[
            (
                "README.md",
                "[a](guide/src/SUMMARY.md) [b](#one-two)\n# One: `two`\n```\n[c](d)\n```\n",
            ),
            ("guide/src/SUMMARY.md", "- [One](one.md)\n"),
            ("guide/src/one.md", listing),
            ("tests/tests/guide/one.rs", "// ANCHOR: first\n// ANCHOR_END: first\n"),
            ("runtime/docs/a.md", "[a](Device::cpu)\n"),
        ]);
        assert_eq!(defects(&shell).unwrap(), [""; 0]);
        shell.write_file("README.md", "[a](b) [c](../d) [e](#f)").unwrap();
        shell.write_file("guide/src/one.md", "[a](../../README.md)").unwrap();
        shell.write_file("guide/src/two.md", "").unwrap();
        let expected = [
            "README.md:1: `b` does not lead to a file",
            "README.md:1: `../d` leads out of the repository",
            "README.md:1: `#f` does not lead to a heading",
            "guide/src/two.md: SUMMARY.md lacks the line `(two.md)`",
            "tests/tests/guide/one.rs: the listing `first` is not in any document",
        ];
        assert_eq!(defects(&shell).unwrap(), expected);
    }
}

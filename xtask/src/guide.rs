//! `cargo xtask guide`: the guide, a book of web pages from `guide/`, and whether all that its chapters include, name and
//! link to is there. The links of the repository's other documents are checked with it.

mod chapters;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::{Failure, Result};
use crate::files;
use crate::links;
use crate::output::say;
use crate::steps;
use crate::tools::MDBOOK;
use crate::workspace::Workspace;

/// The book, from the workspace's root.
const BOOK: &str = "guide";
/// Where the chapters are in it, and the list of them.
const CHAPTERS: &str = "src";
const SUMMARY: &str = "SUMMARY.md";
/// The files with the listings, from the workspace's root.
const LISTINGS: &str = "tests/tests/guide";
/// The chapters of the runtime's documentation. Their links lead to Rust's items, which rustdoc looks for itself.
const OF_RUSTDOC: &str = "runtime/docs";

/// Builds the book, and fails where anything is wrong with it.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    check_documents(workspace)?;
    build(workspace)
}

fn check_documents(workspace: &Workspace) -> Result<()> {
    let defects = defects(workspace.root())?;
    if !defects.is_empty() {
        return Err(Failure::new(
            format!("documents are not as they should be:\n  {}", defects.join("\n  ")),
            "correct the link or the name; a chapter of the guide names files outside `guide/src` by their path from the \
             root in backticks, because the book is read without the repository, too",
        ));
    }
    Ok(())
}

fn build(workspace: &Workspace) -> Result<()> {
    let pages = workspace.target().join("guide");
    let mut build = MDBOOK.command(workspace)?;
    build.arg("build").arg(BOOK).arg("--dest-dir").arg(&pages);
    build_without_warnings(&mut build)?;
    say(&pages.join("index.html").display().to_string());
    Ok(())
}

/// mdBook succeeds where it only warns, as of a file that it cannot include, and prints nothing else at this level.
fn build_without_warnings(build: &mut Command) -> Result<()> {
    let said = steps::run_and_read_errors(build.env("MDBOOK_LOG", "warn").env_remove("RUST_LOG"))?;
    if said.trim().is_empty() {
        return Ok(());
    }
    Err(Failure::new(
        format!("mdBook warns:\n{}", said.trim_end()),
        "change the chapter that it names, in guide/src",
    ))
}

/// Whatever is wrong with the guide, and with the links of the other documents.
fn defects(root: &Path) -> Result<Vec<String>> {
    let book = root.join(BOOK).join(CHAPTERS);
    let (inside, outside): (Vec<_>, Vec<_>) = files::all(root)?
        .into_iter()
        .filter(|path| is_document(path))
        .partition(|path| path.starts_with(&book));
    let mut defects = Vec::new();
    let of_rustdoc = root.join(OF_RUSTDOC);
    for document in outside.iter().filter(|path| !path.starts_with(&of_rustdoc)) {
        defects.extend(links::defects(document, root)?);
    }
    let summary = links::read(&book.join(SUMMARY))?;
    let mut included = BTreeSet::new();
    for chapter in &inside {
        let text = links::read(chapter)?;
        defects.extend(links::defects(chapter, &book)?);
        defects.extend(chapters::defects(root, chapter, &text)?);
        let name = chapter.file_name().unwrap_or_default().to_string_lossy();
        if name != SUMMARY && !summary.contains(&format!("({name})")) {
            defects.push(format!("{name} is in no line of {SUMMARY}"));
        }
        included.extend(chapters::includes(&text).map(|include| {
            let file = PathBuf::from(include.path);
            (file.file_name().unwrap_or_default().to_owned(), include.part.to_owned())
        }));
    }
    for file in files::all(&root.join(LISTINGS))? {
        let name = file.file_name().unwrap_or_default().to_owned();
        for anchor in chapters::anchors(&links::read(&file)?) {
            if !included.contains(&(name.clone(), anchor.to_owned())) {
                defects.push(format!("{}: no chapter includes `{anchor}`", file.display()));
            }
        }
    }
    Ok(defects
        .into_iter()
        .map(|defect| defect.replace(&format!("{}/", root.display()), ""))
        .collect())
}

fn is_document(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "md")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// A repository with a book of one chapter, which includes a listing.
    fn repository() -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (file, text) in [
            ("README.md", "[guide](guide/src/SUMMARY.md)\n"),
            ("guide/src/SUMMARY.md", "# Summary\n\n- [One](one.md)\n"),
            ("guide/src/one.md", "# One\n{{#include ../../tests/tests/guide/one.rs:first}}\n"),
            ("tests/tests/guide/one.rs", "// ANCHOR: first\nlet x = 1;\n// ANCHOR_END: first\n"),
        ] {
            let path = root.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        root
    }

    #[test]
    fn a_book_that_is_whole_has_no_defects() {
        let root = repository();
        assert_eq!(defects(root.path()).unwrap(), Vec::<String>::new());
        // Where rustdoc looks for them, links lead to what is no file.
        let chapters = root.path().join(OF_RUSTDOC);
        fs::create_dir_all(&chapters).unwrap();
        fs::write(chapters.join("a.md"), "[a](Device::cpu)\n").unwrap();
        assert_eq!(defects(root.path()).unwrap(), Vec::<String>::new());
    }

    #[test]
    fn what_is_wrong_anywhere_is_named() {
        for (file, text, defect) in [
            ("README.md", "[guide](guides)", "README.md:1: `guides` leads to no file"),
            ("guide/src/two.md", "# Two\n", "two.md is in no line of SUMMARY.md"),
            (
                "tests/tests/guide/two.rs",
                "// ANCHOR: second\n",
                "tests/tests/guide/two.rs: no chapter includes `second`",
            ),
        ] {
            let root = repository();
            fs::write(root.path().join(file), text).unwrap();
            assert_eq!(defects(root.path()).unwrap(), [defect]);
        }
        let root = repository();
        fs::write(root.path().join("guide/src/one.md"), "[r](../../README.md)").unwrap();
        let found = defects(root.path()).unwrap();
        assert!(found[0].contains("leads out of guide/src"), "{found:?}");
        assert!(found[1].ends_with("no chapter includes `first`"), "{found:?}");
    }

    #[test]
    fn a_warning_is_an_error() {
        let said = |script: &str| build_without_warnings(Command::new("sh").args(["-c", script]));
        assert!(said("true").is_ok());
        let failure = said("echo ' WARN unclosed' >&2").unwrap_err().to_string();
        assert!(failure.starts_with("mdBook warns:\n WARN unclosed\n"), "{failure}");
        assert!(said("exit 3").unwrap_err().to_string().contains("failed"));
    }
}

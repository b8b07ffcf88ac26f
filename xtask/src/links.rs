//! Links between the documents of the repository: each leads to a file, and to a heading of it if it names one.

use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::failure::{Failure, Result};

/// The text of a document without its blocks of code, each line with its number. In a block, the text is empty.
pub(crate) fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fence: Option<&str> = None;
    text.lines().enumerate().map(move |(at, line)| {
        let start = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| start.starts_with(mark));
        let is_code = fence.is_some() || mark.is_some();
        match (fence, mark) {
            (None, mark) => fence = mark,
            (Some(open), Some(mark)) if open == mark => fence = None,
            _ => {}
        }
        (at + 1, if is_code { "" } else { line })
    })
}

/// A link that leads into the repository.
struct Link<'a> {
    line: usize,
    /// As it is written.
    target: &'a str,
    /// The file; empty for one within the document.
    path: &'a str,
    heading: Option<&'a str>,
}

fn links(text: &str) -> impl Iterator<Item = Link<'_>> {
    prose(text).flat_map(|(line, text)| {
        text.split("](").skip(1).filter_map(move |rest| {
            let target = rest.split([')', ' ']).next()?;
            let (path, heading) = match target.split_once('#') {
                Some((path, heading)) => (path, Some(heading)),
                None => (target, None),
            };
            let is_elsewhere = path.contains("://") || path.starts_with("mailto:");
            (!is_elsewhere).then_some(Link { line, target, path, heading })
        })
    })
}

/// What is wrong with the links of a document. `within` is the folder that they must not leave.
pub(crate) fn defects(document: &Path, within: &Path) -> Result<Vec<String>> {
    let text = read(document)?;
    let mut defects = Vec::new();
    for Link { line, target, path, heading } in links(&text) {
        let place = format!("{}:{line}: `{target}`", document.display());
        let folder = document.parent().unwrap_or(within);
        let file = match path {
            "" => document.to_path_buf(),
            path => plain(&folder.join(path)),
        };
        if !file.starts_with(within) {
            defects.push(format!("{place} leads out of {}", within.display()));
        } else if !file.exists() {
            defects.push(format!("{place} leads to no file"));
        } else if let Some(heading) = heading
            && file.extension().is_some_and(|end| end == "md")
            && !headings(&read(&file)?).any(|each| each == heading)
        {
            defects.push(format!("{place} leads to no heading of {}", file.display()));
        }
    }
    Ok(defects)
}

/// The names by which links know the headings of a document.
fn headings(text: &str) -> impl Iterator<Item = String> {
    prose(text).filter_map(|(_, line)| {
        let title = line.trim_start_matches('#');
        let is_heading = title.len() < line.len() && title.starts_with(' ');
        is_heading.then(|| {
            let kept = |letter: &char| letter.is_alphanumeric() || " -_".contains(*letter);
            title.trim().to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-")
        })
    })
}

/// A path without `.` and `..`; nothing is asked of the file system, so that links to folders stay what they are.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    plain
}

pub(crate) fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(|error| Failure::file("read", path, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_leads_to_a_file_and_a_heading() {
        let folder = tempfile::tempdir().unwrap();
        let within = folder.path().join("docs");
        fs::create_dir(&within).unwrap();
        fs::write(
            within.join("b.md"),
            "# One\n\n## `two`: a *root*, 3\n```sh\n# no heading\n```\n",
        )
        .unwrap();
        fs::write(folder.path().join("c.md"), "").unwrap();
        let a = within.join("a.md");
        let of = |text: &str| {
            fs::write(&a, text).unwrap();
            let defects = defects(&a, &within).unwrap();
            defects
                .iter()
                .map(|each| each.split("a.md:").last().unwrap().to_owned())
                .collect::<Vec<_>>()
        };
        let fine = "# A\n[b](b.md) [b](./b.md#one) [b](b.md#two-a-root-3) [a](#a) [d](../docs)\n\
                    [w](https://example.org/x.md#y) ![p](b.md \"title\")\n```md\n[n](none.md)\n```\n";
        assert_eq!(of(fine), Vec::<String>::new());
        assert_eq!(of("\n[n](none.md)"), ["2: `none.md` leads to no file"]);
        assert!(of("[b](b.md#three)")[0].starts_with("1: `b.md#three` leads to no heading of "));
        assert!(of("[b](b.md#no-heading)")[0].contains("no heading"));
        assert!(of("[a](#b) [b](b.md)")[0].starts_with("1: `#b` leads to no heading"));
        assert!(of("[c](../c.md)")[0].starts_with("1: `../c.md` leads out of "));
        // Links of one line are told apart.
        assert_eq!(of("[m](m.md), [b](b.md) and [n](n.md)").len(), 2);
    }
}

//! `cargo xtask site`: the guide, the other documents and the crates' documentation as one folder of web pages.
//!
//! mdBook reads a copy of the documents in which each has its path in the repository, so their links and pictures work in both
//! places.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use xshell::{Shell, cmd};

use crate::guide::{CHAPTERS, OF_RUSTDOC, file_of, links};
use crate::tools::{MDBOOK, install};
use crate::{files, target};

/// The documents beside the guide. Their titles are their first lines.
const REFERENCE: &[&str] = &[
    "docs/bodies.md",
    "docs/maps.md",
    "cluster/README.md",
    "docs/results.md",
    "docs/targets.md",
    "docs/scale.md",
    "bench/results/*/README.md",
];
const PROJECT: &[&str] = &[
    "CHANGELOG.md",
    "SECURITY.md",
    "CONTRIBUTING.md",
    "ARCHITECTURE.md",
    "docs/decisions/*.md",
    "docs/releasing.md",
    "fuzz/README.md",
    "examples/data/README.md",
];

/// The guide's contents, and its first chapter.
const CONTENTS: &str = "guide/src/SUMMARY.md";
const FIRST: &str = "guide/src/introduction.md";

/// The crates in the site, with all features.
const CRATES: [&str; 4] = ["-p", "td-kernel", "-p", "td-kernel-geometry"];
const FEATURES: &str =
    "td-kernel/testing,td-kernel/cudarc,td-kernel/half,td-kernel/ndarray,td-kernel/serde";
/// Where their documentation lies in the site, and the page that leads to it.
const API: &str = "api";
const API_PAGE: &str = "api.md";
const API_TEXT: &str = "# The crate's documentation

- [td_kernel](api/td_kernel/index.html): all keys, parameters, types and methods
- [td_kernel_geometry](api/td_kernel_geometry/index.html): the maps, usable alone
";

/// Builds the whole site.
pub(crate) fn run(shell: &Shell) -> Result<()> {
    let book = book(shell)?;
    // The folder has no other crate, so that its search finds only these. What is built on the way is shared.
    let docs = target(shell)?.join("site-docs");
    shell.remove_path(docs.join("doc"))?;
    cmd!(shell, "cargo doc --no-deps {CRATES...} --features {FEATURES}")
        .env("CARGO_BUILD_BUILD_DIR", target(shell)?)
        .env("CARGO_TARGET_DIR", &docs)
        .env("RUSTDOCFLAGS", "-D warnings")
        .run()?;
    let (from, to) = (docs.join("doc/."), book.join(API));
    cmd!(shell, "cp -R {from} {to}").run()?;
    println!("{}", book.join("index.html").display());
    Ok(())
}

/// Builds the documents with mdBook. Returns the folder of the pages.
pub(crate) fn book(shell: &Shell) -> Result<PathBuf> {
    let (copy, pages) = (target(shell)?.join("site-source"), target(shell)?.join("site"));
    shell.remove_path(&copy)?;
    let source = copy.join("src");
    let summary = summary(shell)?;
    shell.write_file(source.join("SUMMARY.md"), &summary)?;
    shell.write_file(source.join(API_PAGE), API_TEXT)?;
    for file in ["book.toml", "site.css"] {
        shell.copy_file(Path::new("guide").join(file), &copy)?;
    }
    for (_, document) in links(&summary).filter(|(_, document)| *document != API_PAGE) {
        let text = shell.read_file(document)?;
        let mut page = text.clone();
        let root = "../".repeat(document.matches('/').count());
        for (line, link) in links(&text) {
            let path =
                file_of(Path::new(document), link).context("a link leaves the repository")?;
            let path = path.to_str().context("a path is not UTF-8")?;
            // The table of contents is beside every page, and parts of the crate's documentation are in that.
            let is_of_crate = OF_RUSTDOC.iter().any(|folder| path.starts_with(folder));
            if path == CONTENTS || is_of_crate {
                let to = if is_of_crate { API_PAGE } else { FIRST };
                page = page.replace(&format!("]({link})"), &format!("]({root}{to})"));
            } else if path.ends_with(".md") {
                let is_page = summary.contains(&format!("({path})"));
                ensure!(
                    is_page,
                    "{document}:{line}: `{link}` is not in the site: add it in {}",
                    file!()
                );
            } else {
                // A picture, or another file, which mdBook copies.
                let bytes = shell.read_binary_file(path);
                let bytes = bytes
                    .with_context(|| format!("{document}:{line}: `{link}` must lead to a file"))?;
                shell.write_file(source.join(path), bytes)?;
            }
        }
        shell.write_file(source.join(document), page)?;
    }

    let _tool = install(shell, &[MDBOOK])?;
    // It succeeds even with warnings. At this level it prints only warnings and errors.
    let build = cmd!(shell, "mdbook build {copy} --dest-dir {pages}").env("MDBOOK_LOG", "warn");
    let warnings = build.read_stderr()?;
    ensure!(warnings.is_empty(), "mdBook warns:\n{warnings}");
    Ok(pages)
}

/// mdBook's list of pages: the README, the guide and the other documents.
fn summary(shell: &Shell) -> Result<String> {
    let guide = shell.read_file(CONTENTS)?;
    let guide = guide.strip_prefix("# Summary\n").context("the guide's contents have no title")?;
    let mut summary = "# Summary\n\n[td-kernel](README.md)\n".to_owned();
    summary += &guide.replace("](", &format!("]({CHAPTERS}/"));
    summary += &format!("\n# Reference\n\n- [The crate's documentation]({API_PAGE})\n");
    for (patterns, title) in [(REFERENCE, ""), (PROJECT, "\n# Project\n\n")] {
        summary += title;
        for pattern in patterns {
            for document in files(shell, &[pattern])? {
                let text = shell.read_file(&document)?;
                let heading = text.lines().next().and_then(|line| line.strip_prefix("# "));
                let heading = heading.with_context(|| format!("{document} has no title"))?;
                // The tables of measurements all have the same title.
                let folder = document
                    .strip_prefix("bench/")
                    .and_then(|path| path.strip_suffix("/README.md"));
                let heading = folder.unwrap_or(heading);
                summary += &format!("- [{heading}]({document})\n");
            }
        }
    }
    Ok(summary)
}

//! The commands in the documents: which of them CI runs, and those that begin a new crate.
//!
//! A block of shell commands follows the line `<!-- run in CI: STEP, … -->`, with names of steps of `cargo xtask ci`, or
//! `<!-- not run in CI: REASON -->`.

use anyhow::{Context, Result, ensure};
use clap::CommandFactory;
use xshell::{Shell, cmd};

use crate::{Arguments, EXAMPLES, files};

const RUN: &str = "<!-- run in CI: ";
const NOT_RUN: &str = "<!-- not run in CI: ";
const STEPS: &str = include_str!("ci.rs");

/// What is wrong with the commands of a document, with its line.
pub(crate) fn defects(text: &str) -> Vec<(usize, String)> {
    let (mut defects, mut above) = (Vec::new(), "");
    for (at, line) in text.lines().enumerate() {
        let mut defect = |what| defects.push((at + 1, what));
        if line.trim_start() == "```sh" {
            if let Some(steps) = above.trim_start().strip_prefix(RUN) {
                let steps = steps.trim_end_matches("-->").split(',').map(str::trim);
                for step in steps.filter(|step| !is_step(step)) {
                    defect(format!("CI has no step `{step}`"));
                }
            } else if !above.trim_start().starts_with(NOT_RUN) {
                defect(format!("commands without the line `{RUN}…` or `{NOT_RUN}…`"));
            }
        }
        let tasks = line.split("cargo xtask ").skip(1).map(first_word);
        for task in tasks.filter(|task| !task.is_empty() && !is_task(task)) {
            defect(format!("`cargo xtask` has no task `{task}`"));
        }
        above = line;
    }
    defects
}

fn is_step(name: &str) -> bool {
    let example = name.strip_prefix("example ");
    STEPS.contains(&format!("step(\"{name}\","))
        || example.is_some_and(|name| EXAMPLES.contains(&name))
}

fn is_task(name: &str) -> bool {
    Arguments::command().find_subcommand(name).is_some()
}

fn first_word(text: &str) -> &str {
    text.split(|c: char| !c.is_ascii_lowercase()).next().unwrap_or_default()
}

/// The documents whose first listing is a program, and the last line that this prints.
const PROGRAMS: [(&str, &str); 2] =
    [("README.md", "Some(3.0)"), ("guide/src/first.md", "points 2 and 1: 4")];

/// Follows the documents in new crates beside a clone: adds the dependency, and runs their programs.
pub(crate) fn in_new_crates(shell: &Shell) -> Result<()> {
    let root = shell.current_dir();
    let folder = shell.create_temp_dir()?;
    // The name that the documents have for a clone.
    let clone = folder.path().join("td-kernel");
    cmd!(shell, "ln -s {root} {clone}").run()?;
    let mut count = 0;
    for document in files(shell, &["*.md"])? {
        let text = shell.read_file(&document)?;
        let is_add = |line: &&str| line.starts_with("cargo add ") && line.contains(" td-kernel");
        let mut adds = text.lines().filter(is_add);
        // The repository's address is not known here.
        let Some(add) = adds.find(|line| !line.contains(" --git ")) else { continue };
        let add = add.split('#').next().unwrap_or_default().trim_end();
        let path = " --path ../td-kernel/runtime";
        let add = if add.contains(path) { add.to_owned() } else { format!("{add}{path}") };
        count += 1;
        let name = format!("new-{count}");
        let _folder = shell.push_dir(folder.path());
        cmd!(shell, "cargo new --quiet {name}").run()?;
        let _crate = shell.push_dir(&name);
        cmd!(shell, "sh -c {add}").run().context(document.clone())?;
        let Some((_, expected)) = PROGRAMS.iter().find(|(of, _)| *of == document) else { continue };
        let program = text.split_once("```rust\n").and_then(|(_, rest)| rest.split_once("```"));
        let (program, _) = program.with_context(|| format!("{document} has no program"))?;
        shell.write_file("src/main.rs", program)?;
        let output = cmd!(shell, "cargo run --quiet").read()?;
        println!("{output}");
        ensure!(
            output.lines().last() == Some(expected),
            "{document}: its program printed this instead of `{expected}` at the end:\n{output}"
        );
    }
    ensure!(count > PROGRAMS.len(), "only {count} documents add the dependency");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_untested_commands() {
        let block = "\n```sh\ncargo xtask test\n```\n";
        for marker in ["run in CI: tests, example edm", "not run in CI: needs a GPU"] {
            assert_eq!(defects(&format!("<!-- {marker} -->{block}")), []);
        }
        assert_eq!(
            defects(&format!("<!-- run in CI: tests, naps -->{block}`cargo xtask nap`")),
            [(2, "CI has no step `naps`".into()), (5, "`cargo xtask` has no task `nap`".into())]
        );
        assert_eq!(defects(&format!("Write:\n{block}")).len(), 1);
    }
}

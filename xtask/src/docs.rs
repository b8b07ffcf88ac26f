//! `cargo xtask docs`: the tables of maps and sweeps in documents, from the registry in the crate `maps`.
//!
//! A table stands between two lines, `<!-- docs: NAME -->` and `<!-- end -->`, also in a Rust file's documentation.

use std::fs;

use td_kernel_maps::{MAPS, Map, RECTANGLE, SWEEPS, Shape, Space, largest};

use crate::failure::{Failure, Result};
use crate::output::say;
use crate::workspace::Workspace;

/// The files with tables, from the workspace's root.
const FILES: [&str; 3] = ["README.md", "docs/maps.md", "maps/src/lib.rs"];
const BEGIN: &str = "<!-- docs: ";
const END: &str = "<!-- end -->";
/// The number of rows of blocks in the launches of the tables; it suits no map in particular.
const ROWS: u32 = 1000;

/// Writes all tables.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    for (file, old, new) in read(workspace)? {
        if old != new {
            let path = workspace.root().join(file);
            fs::write(&path, new).map_err(|error| Failure::file("write", &path, &error))?;
            say(file);
        }
    }
    Ok(())
}

/// An error that names every file with a table that `run` would change.
pub(crate) fn check(workspace: &Workspace) -> Result<()> {
    let files = read(workspace)?;
    let old: Vec<_> =
        files.iter().filter(|(_, old, new)| old != new).map(|(file, ..)| *file).collect();
    if old.is_empty() {
        return Ok(());
    }
    Err(Failure::new(
        format!("tables differ from what the maps and sweeps say: {}", old.join(", ")),
        "`cargo xtask docs` writes them anew; read them before they are committed",
    ))
}

/// Each file, its text, and the text that it should have.
fn read(workspace: &Workspace) -> Result<Vec<(&'static str, String, String)>> {
    let filled = |file| {
        let path = workspace.root().join(file);
        // A checkout may have changed the line ends, which does not change a table.
        let old = fs::read_to_string(&path)
            .map_err(|error| Failure::file("read", &path, &error))?
            .replace("\r\n", "\n");
        let new = filled(&old).map_err(|what| {
            Failure::new(
                format!("{file}: {what}"),
                format!("write `{BEGIN}NAME -->` and `{END}` around a table"),
            )
        })?;
        Ok((file, old, new))
    };
    FILES.into_iter().map(filled).collect()
}

/// The text with its tables rewritten.
fn filled(text: &str) -> std::result::Result<String, String> {
    let mut filled = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        filled += &format!("{line}\n");
        let Some((comment, rest)) = line.split_once(BEGIN) else { continue };
        let name = rest.trim_end_matches("-->").trim();
        let rows = table(name).ok_or_else(|| format!("there is no table `{name}`"))?;
        let end = lines.find(|line| line.trim_end().ends_with(END));
        let end = end.ok_or_else(|| format!("table `{name}` has no end"))?;
        // Markdown needs an empty line before a table.
        let blank = comment.trim_end();
        filled += &format!("{blank}\n");
        for row in rows {
            filled += &format!("{comment}{row}\n");
        }
        filled += &format!("{blank}\n{end}\n");
    }
    Ok(filled)
}

/// The lines of a table.
fn table(name: &str) -> Option<Vec<String>> {
    let row = |cells: &[String]| format!("| {} |", cells.join(" | "));
    let (head, rows): (&[&str], Vec<String>) = match name {
        "words" => (
            &["`map`", "what it does", "choose it"],
            MAPS.iter()
                .map(|map| {
                    let name = format!("`\"{}\"`", map.name());
                    row(&[name, map.summary().to_owned(), map.advice().to_owned()])
                })
                .collect(),
        ),
        "launches" => (
            &[
                "map",
                "grid",
                "launches",
                "surplus blocks",
                "most rows",
                "root",
                "last n in thread space",
                "ranges of rows",
            ],
            MAPS.iter()
                .chain([&RECTANGLE])
                .flat_map(|map| launches(*map))
                .map(|cells| row(&cells))
                .collect(),
        ),
        "sweeps" => (
            &["`sweep`", "what it does"],
            SWEEPS
                .iter()
                .map(|sweep| row(&[format!("`\"{sweep}\"`"), sweep.summary().to_owned()]))
                .collect(),
        ),
        _ => return None,
    };
    let words: Vec<String> = head.iter().map(|word| (*word).to_owned()).collect();
    let rule = vec!["---".to_owned(); head.len()];
    Some([vec![row(&words), row(&rule)], rows].concat())
}

/// What a map launches, for each of its grids.
fn launches(map: &dyn Map) -> Vec<Vec<String>> {
    let of = |linear: bool| {
        let is_rectangle = map.name() == RECTANGLE.name();
        let shape = Shape::blocks(ROWS).with_linear(linear);
        let shape = if is_rectangle { shape.with_columns(ROWS) } else { shape };
        let launches = map.launches(&shape);
        let grids = launches.iter().map(|launch| launch.grid);
        let blocks: u64 = grids.clone().map(|grid| grid.units()).sum();
        // Surplus blocks find no tile; in a map that walks, other blocks have several.
        let mut surplus = 0;
        for launch in &launches {
            for y in 0..launch.grid.y {
                for x in 0..launch.grid.x {
                    let mut is_surplus = true;
                    map.tiles(&shape, launch, [x, y], &mut |_| is_surplus = false);
                    surplus += u64::from(is_surplus);
                }
            }
        }
        let largest_grid = grids.max_by_key(|grid| grid.units());
        let grid = largest_grid
            .map_or_else(String::new, |grid| format!("{} x {}", grouped(grid.x), grouped(grid.y)));
        let more = if launches.len() > 1 { " the largest" } else { "" };
        let most = match largest(map, &shape, Space::Block, 16) {
            // The search ends one before the largest number.
            most if most == u32::MAX - 1 => "any".to_owned(),
            most => grouped(u64::from(most)),
        };
        let is = |is: bool| if is { "yes" } else { "" }.to_owned();
        let thread = if map.has_thread_space() && !linear {
            // n elements have a triangle of n - 1 rows in thread space, on a one-dimensional grid where a map has one.
            let rows = largest(map, &shape.with_linear(true), Space::Thread, 16);
            grouped(u64::from(rows) + 1)
        } else {
            String::new()
        };
        let percent = 100.0 * surplus as f64 / blocks as f64;
        let surplus = match surplus {
            0 => "0".to_owned(),
            surplus => format!("{} ({percent:.2} %)", grouped(surplus)),
        };
        let more_words = match (linear, is_rectangle) {
            (true, _) => ", linear grid",
            (_, true) => ", as many columns",
            _ => "",
        };
        let name = format!("`{}`{more_words}", map.name());
        vec![
            name,
            format!("{grid}{more}"),
            launches.len().to_string(),
            surplus,
            most,
            is(map.takes_root()),
            thread,
            is(map.has_row_ranges()),
        ]
    };
    let grids: &[bool] = if map.has_linear_grid() { &[false, true] } else { &[false] };
    grids.iter().map(|&linear| of(linear)).collect()
}

/// A number in groups of three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let first = digits.len() % 3;
    let mut text = digits[..first].to_owned();
    for at in (first..digits.len()).step_by(3) {
        let comma = if text.is_empty() { "" } else { "," };
        text += &format!("{comma}{}", &digits[at..at + 3]);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_written_between_its_lines() {
        for comment in ["", "//! "] {
            let blank = comment.trim_end();
            let text =
                format!("{comment}a\n{comment}{BEGIN}sweeps -->\nstale\n{comment}{END}\nb\n");
            let filled = filled(&text).unwrap();
            let start =
                format!("{comment}a\n{comment}{BEGIN}sweeps -->\n{blank}\n{comment}| `sweep` |");
            assert!(filled.starts_with(&start), "{filled}");
            assert!(filled.ends_with(&format!(" |\n{blank}\n{comment}{END}\nb\n")), "{filled}");
            assert!(filled.contains("| `\"mirror\"` |") && !filled.contains("stale"), "{filled}");
            assert_eq!(super::filled(&filled).unwrap(), filled);
        }
        assert_eq!(filled("no table\n").unwrap(), "no table\n");
    }

    #[test]
    fn what_is_no_table_is_named() {
        let unknown = filled(&format!("{BEGIN}hats -->\n{END}\n")).unwrap_err();
        assert_eq!(unknown, "there is no table `hats`");
        let open = filled(&format!("{BEGIN}sweeps -->\n| |\n")).unwrap_err();
        assert_eq!(open, "table `sweeps` has no end");
    }

    #[test]
    fn numbers_are_those_of_the_maps() {
        let rows = table("launches").unwrap();
        let row = |name: &str| rows.iter().find(|row| row.starts_with(name)).unwrap();
        // The box of 1000 x 1000 blocks has 499,500 above the diagonal.
        assert!(
            row("| `bb` |")
                .starts_with("| `bb` | 1,000 x 1,000 | 1 | 499,500 (49.95 %) | 65,535 |")
        );
        assert!(row("| `ltm` |").contains(" | 16,777,087 | yes | 1,048,576 | yes |"));
        assert_eq!([0, 7, 1000, 1_234_567].map(grouped), ["0", "7", "1,000", "1,234,567"]);
    }
}

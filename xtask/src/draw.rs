//! `cargo xtask draw`: draws how each map launches a triangle or a rectangle, into `geometry/pictures/`.
//!
//! The pictures are made from the maps' reference implementations, so they match the code. They are kept in the repository for
//! web pages; `--check` finds outdated ones.

mod page;
mod panel;
mod plan;

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Result, ensure};
use td_kernel_geometry::MAPS;
use xshell::Shell;

use crate::files;
use plan::Plan;

const FOLDER: &str = "geometry/pictures";
/// The rows of a triangle. Two maps need more: `rec` has three levels at 32, and `strips` has three strips at 20, the last of
/// them cut off.
const ROWS: u32 = 8;
const MORE_ROWS: [(&str, u32); 2] = [("rec", 32), ("strips", 20)];
/// The rows of the picture of near tiles, and the distance to the farthest near tile.
const NEAR: (u32, u32) = (16, 2);
/// The sizes of the pictured sets, and the pairs of a run.
const SETS: ([u32; 5], usize) = ([5, 2, 1, 4, 3], 4);
/// The pictured rectangles: rows and columns, and the maximum height of a grid in blocks. One is a grid as it is; the other is
/// higher than any grid and is cut.
const RECTANGLES: [(&str, [u32; 2], u64); 2] = [("full", [8, 5], 8), ("full-pieces", [13, 4], 5)];

/// Writes every picture, and deletes pictures that belong to no map. With `check`, fails if a file would change.
pub(crate) fn run(shell: &Shell, check: bool) -> Result<()> {
    let pictures = pictures();
    let mut changed = Vec::new();
    for (name, text) in &pictures {
        let path = format!("{FOLDER}/{name}");
        if !shell.path_exists(&path) || shell.read_file(&path)? != *text {
            changed.push(path);
        }
    }
    for path in files(shell, &[&format!("{FOLDER}/*.svg")])? {
        let name = Path::new(&path).file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if !pictures.contains_key(name) {
            changed.push(path);
        }
    }
    ensure!(
        !check || changed.is_empty(),
        "pictures and maps do not match: run `cargo xtask draw`\n{}",
        changed.join("\n")
    );
    for path in changed {
        println!("{path}");
        match pictures.get(&path[FOLDER.len() + 1..]) {
            Some(text) => shell.write_file(path, text)?,
            None => shell.remove_path(path)?,
        }
    }
    Ok(())
}

/// Every picture, by its file name.
fn pictures() -> BTreeMap<String, String> {
    let mut pictures = BTreeMap::new();
    for &map in MAPS {
        let more = MORE_ROWS.into_iter().find(|(name, _)| *name == map.name());
        let rows = more.map_or(ROWS, |(_, rows)| rows);
        let picture = page::draw(&Plan::new(map, rows));
        pictures.insert(format!("{}-{rows}.svg", map.name()), picture);
    }
    let (rows, distance) = NEAR;
    pictures.insert(format!("near-{rows}.svg"), page::draw(&Plan::near(rows, distance)));
    pictures.insert("entries-8.svg".to_owned(), page::draw(&Plan::entries(8)));
    let (sizes, run) = SETS;
    pictures.insert(format!("sets-{}.svg", sizes.len()), page::draw(&Plan::sets(&sizes, run)));
    for (name, [rows, columns], highest) in RECTANGLES {
        let plan = Plan::rectangle([rows, columns], highest);
        pictures.insert(format!("{name}-{rows}.svg"), page::draw(&plan));
    }
    pictures
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::repository;

    #[test]
    fn finds_wrong_missing_and_left_over_pictures() {
        let (shell, _folder) = repository(&[]);
        run(&shell, false).unwrap();
        run(&shell, true).unwrap();
        let [wrong, missing, old] =
            ["bb-8", "walk-8", "a"].map(|name| format!("{FOLDER}/{name}.svg"));
        shell.write_file(&wrong, "").unwrap();
        shell.remove_path(&missing).unwrap();
        shell.write_file(&old, "").unwrap();
        let named = run(&shell, true).unwrap_err().to_string();
        assert!(named.ends_with(&format!("\n{wrong}\n{missing}\n{old}")), "{named}");
        run(&shell, false).unwrap();
        run(&shell, true).unwrap();
        assert!(!shell.path_exists(old));
    }
}

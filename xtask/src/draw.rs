//! `cargo xtask draw`: a picture of how each map launches a triangle or a rectangle, in `maps/pictures/`.
//!
//! The pictures are made from the maps' reference implementations, so they show what the code does. They are kept in
//! the repository, where web pages can show them; `--check` finds outdated ones.

mod page;
mod panel;
mod plan;
mod tint;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use td_kernel_maps::{MAPS, Map};

use crate::failure::{Failure, Result};
use crate::files;
use crate::output::say;
use crate::workspace::Workspace;
use plan::Plan;

/// Where the pictures are, from the workspace's root.
const FOLDER: &str = "maps/pictures";
/// The numbers of rows of the pictured triangles: a power of two, and a number that suits no map.
const ROWS: [u32; 2] = [8, 13];
/// The rows of one more picture, for a map that needs more rows: `rec` is a single square below 16, and has three
/// levels at 32; `strips` has three strips at 20, of which the last is not full.
const MORE_ROWS: [(&str, u32); 2] = [("rec", 32), ("strips", 20)];

/// The rectangle of one more picture, in rows and columns, and the height of its grids: there a rectangle is cut that is
/// higher than any grid.
const PIECES: ([u32; 2], u64) = ([13, 4], 5);
/// The rectangle that is a grid as it stands.
const RECTANGLE: [u32; 2] = [8, 5];

/// Writes every picture, and deletes pictures that belong to no map.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let folder = workspace.root().join(FOLDER);
    fs::create_dir_all(&folder).map_err(|error| Failure::file("create", &folder, &error))?;
    let pictures = pictures();
    for (name, text) in &pictures {
        let path = folder.join(name);
        fs::write(&path, text).map_err(|error| Failure::file("write", &path, &error))?;
    }
    for path in orphans(&folder, &pictures)? {
        say(&format!("deleting {}", path.display()));
        fs::remove_file(&path).map_err(|error| Failure::file("delete", &path, &error))?;
    }
    say(&format!("{} pictures in {}", pictures.len(), folder.display()));
    Ok(())
}

/// An error that names every picture that `run` would change.
pub(crate) fn check(workspace: &Workspace) -> Result<()> {
    let lines = differences(&workspace.root().join(FOLDER), &pictures())?;
    if lines.is_empty() {
        return Ok(());
    }
    Err(Failure::new(
        format!("pictures and maps do not match:\n  {}", lines.join("\n  ")),
        "`cargo xtask draw` writes them anew; look at them before they are committed",
    ))
}

/// Every picture, by its file name.
fn pictures() -> BTreeMap<String, String> {
    let mut pictures = BTreeMap::new();
    for &map in MAPS {
        for rows in rows_for(map) {
            pictures.insert(format!("{}-{rows}.svg", map.name()), drawn(map, rows, false));
            if map.has_linear_grid() {
                let name = format!("{}-linear-{rows}.svg", map.name());
                pictures.insert(name, drawn(map, rows, true));
            }
        }
    }
    for (name, (counts, highest)) in
        [("full", (RECTANGLE, u64::from(RECTANGLE[0]))), ("full-pieces", PIECES)]
    {
        let plan = Plan::rectangle(counts, highest);
        pictures.insert(format!("{name}-{}.svg", counts[0]), page::draw(&plan));
    }
    pictures
}

fn rows_for(map: &dyn Map) -> impl Iterator<Item = u32> {
    let more = MORE_ROWS.into_iter().filter(|(name, _)| *name == map.name());
    ROWS.into_iter().chain(more.map(|(_, rows)| rows))
}

fn drawn(map: &dyn Map, rows: u32, linear: bool) -> String {
    page::draw(&Plan::new(map, rows, linear))
}

/// A line for each file that is missing, differs, or is left over.
fn differences(folder: &Path, pictures: &BTreeMap<String, String>) -> Result<Vec<String>> {
    let mut lines = Vec::new();
    for (name, text) in pictures {
        let path = folder.join(name);
        let what = match fs::read(&path) {
            // A checkout may have changed the line ends, which does not change a picture.
            Ok(bytes) if String::from_utf8_lossy(&bytes).replace("\r\n", "\n") == *text => continue,
            Ok(_) => "differs from what would be drawn",
            Err(_) if !path.exists() => "is missing",
            Err(error) => return Err(Failure::file("read", &path, &error)),
        };
        lines.push(format!("{} {what}", path.display()));
    }
    let orphans = orphans(folder, pictures)?;
    lines.extend(orphans.iter().map(|path| format!("{} belongs to no map", path.display())));
    Ok(lines)
}

/// The pictures in the folder that are not drawn any more. Other files may explain the pictures.
fn orphans(folder: &Path, pictures: &BTreeMap<String, String>) -> Result<Vec<PathBuf>> {
    // Without a folder every picture is missing, and there is nothing to list.
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let is_drawn = |path: &Path| {
        let name = path.strip_prefix(folder).ok().and_then(Path::to_str);
        name.is_some_and(|name| pictures.contains_key(name))
    };
    let mut found = files::all(folder)?;
    found.retain(|path| path.extension().is_some_and(|own| own == "svg") && !is_drawn(path));
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_map_is_drawn_and_the_files_are_small() {
        let pictures = pictures();
        for map in MAPS {
            assert!(pictures.contains_key(&format!("{}-13.svg", map.name())), "{}", map.name());
        }
        for name in ["ltm-linear-8.svg", "full-8.svg", "full-pieces-13.svg"] {
            assert!(pictures.contains_key(name), "{name}");
        }
        for (name, text) in &pictures {
            assert!(text.len() < 80_000, "{name} has {} bytes", text.len());
        }
    }

    #[test]
    fn a_wrong_a_missing_and_a_left_over_picture_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let text = |text: &str| text.to_owned();
        let pictures = ["a.svg", "b.svg", "c.svg", "d.svg"].map(|name| (text(name), text("x\ny")));
        let pictures = BTreeMap::from(pictures);
        fs::write(folder.join("a.svg"), "x\ny").unwrap();
        fs::write(folder.join("b.svg"), "x\nz").unwrap();
        fs::write(folder.join("c.svg"), "x\r\ny").unwrap();
        fs::write(folder.join("old.svg"), "").unwrap();
        fs::write(folder.join("README.md"), "").unwrap();
        let path = |name: &str| folder.join(name).display().to_string();
        let expected = [
            path("b.svg") + " differs from what would be drawn",
            path("d.svg") + " is missing",
            path("old.svg") + " belongs to no map",
        ];
        assert_eq!(differences(folder, &pictures).unwrap(), expected);
        assert_eq!(differences(&folder.join("none"), &pictures).unwrap().len(), 4);
    }
}

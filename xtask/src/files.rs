//! The files of a folder.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Result};

/// Every file under a folder, sorted. Hidden folders and build folders are skipped, since their content does not belong
/// to the repository; links are not followed.
pub(crate) fn all(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let failure = |error| Failure::file("list", &folder, &error);
        for entry in fs::read_dir(&folder).map_err(failure)? {
            let entry = entry.map_err(failure)?;
            let kind = entry.file_type().map_err(failure)?;
            let path = entry.path();
            if kind.is_dir() && !is_left_out(&path) {
                folders.push(path);
            } else if kind.is_file() {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn is_left_out(folder: &Path) -> bool {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    // Cargo puts this file into a build folder of any name.
    name.starts_with('.') || name == "target" || folder.join("CACHEDIR.TAG").is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn build_folders_and_hidden_folders_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        for path in ["b.rs", "a/c.rs", "target/d.rs", ".git/e", "out/CACHEDIR.TAG", "out/f.rs"] {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let found = all(folder.path()).unwrap();
        let expected = ["a/c.rs", "b.rs"].map(|path| folder.path().join(path));
        assert_eq!(found, expected);
    }
}

//! Tuning results, kept beside the compiled kernels: the fastest variant for each n.
//!
//! A file has a line `all n variant` or `rows n variant` for each result, after a first line that identifies the format. A
//! broken line is ignored: at worst, a file makes launches take a slower variant.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::host::files;

const FIRST_LINE: &str = "td-kernel: all pairs or rows, n, and the fastest variant";

/// The variant that tuning found: for launches of some rows (`true`) or of all pairs, by number of elements. For rows this is
/// the number whose triangle has about as many pairs.
pub(crate) type Fastest = BTreeMap<(bool, usize), usize>;

/// Reads the results for `key`, of a kernel with `count` variants; empty if there are none.
pub(crate) fn read(folder: &Path, key: &str, count: usize) -> Fastest {
    let path = path(folder, key);
    let bytes = match files::read(&path) {
        Ok(bytes) => bytes,
        Err(error) => {
            if error.kind() != io::ErrorKind::NotFound {
                tracing::warn!("cannot read the tuning results in {}: {error}", path.display());
            }
            return Fastest::new();
        }
    };
    let text = String::from_utf8_lossy(&bytes);
    let mut lines = text.lines();
    if lines.next() != Some(FIRST_LINE) {
        tracing::warn!(
            "{} does not contain tuning results of this version and is ignored",
            path.display()
        );
        return Fastest::new();
    }
    let entry = |line: &str| {
        let (is_rows, line) = match line.strip_prefix("rows ") {
            Some(line) => (true, line),
            None => (false, line.strip_prefix("all ")?),
        };
        let (n, variant) = line.split_once(' ')?;
        Some(((is_rows, n.parse().ok()?), variant.parse().ok().filter(|at| *at < count)?))
    };
    lines.filter_map(entry).collect()
}

/// Writes all results, or warns why it cannot.
pub(crate) fn write(folder: &Path, key: &str, fastest: &Fastest) {
    let mut text = format!("{FIRST_LINE}\n");
    for ((is_rows, n), variant) in fastest {
        let of = if *is_rows { "rows" } else { "all" };
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{of} {n} {variant}");
    }
    let name = name(key);
    let written = files::write(folder, &name, text.as_bytes());
    if let Err(error) = written {
        tracing::warn!(
            "cannot store the tuning results in {}: {error}",
            folder.join(name).display()
        );
    }
}

fn path(folder: &Path, key: &str) -> PathBuf {
    folder.join(name(key))
}

fn name(key: &str) -> String {
    format!("tuning-{}.txt", base16ct::lower::encode_string(&Sha256::digest(key.as_bytes())))
}

/// The fastest variant for n: the one found for n itself, or for the nearest n within a factor of 1.5. For both n, rows
/// of squares either start at memory sectors or do not.
pub(crate) fn nearest(fastest: &Fastest, is_rows: bool, n: usize, sector: usize) -> Option<usize> {
    let starts_at_sectors = |n: usize| n.is_multiple_of(sector);
    let alike =
        |(found, _): &(&(bool, usize), _)| starts_at_sectors(found.1) == starts_at_sectors(n);
    let below = fastest.range((is_rows, 0)..=(is_rows, n)).rev().find(alike);
    let above = fastest.range((is_rows, n)..=(is_rows, usize::MAX)).find(alike);
    let near = |found: usize| {
        let (low, high) = (found.min(n), found.max(n));
        high <= low.saturating_add(low / 2)
    };
    let found = below.into_iter().chain(above).map(|(&(_, found), &variant)| (found, variant));
    let nearest =
        found.filter(|(found, _)| near(*found)).min_by_key(|(found, _)| found.abs_diff(n));
    nearest.map(|(_, variant)| variant)
}

/// Reads any bytes as a file of tuning results, for a fuzzer and for tests of its findings.
///
/// # Errors
///
/// The result names a variant that does not exist.
#[cfg(any(test, feature = "__fuzz"))]
pub(crate) fn check(folder: &Path, data: &[u8]) -> Result<(), &'static str> {
    let bytes = [FIRST_LINE.as_bytes(), b"\n", data].concat();
    for bytes in [data, &bytes] {
        files::write(folder, &name("key"), bytes).map_err(|_| "the folder cannot be written")?;
        if read(folder, "key", 3).values().any(|variant| *variant >= 3) {
            return Err("a variant that does not exist was read");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn tuning_round_trips() {
        let folder = tempfile::tempdir().unwrap();
        let fastest = Fastest::from([((false, 1000), 2), ((true, 30_720), 0)]);
        write(folder.path(), "key", &fastest);
        assert_eq!(read(folder.path(), "key", 3), fastest);
        assert_eq!(read(folder.path(), "another", 3), Fastest::new());
        // A variant that does not exist.
        assert_eq!(read(folder.path(), "key", 1), Fastest::from([((true, 30_720), 0)]));
    }

    #[test]
    fn broken_files_are_ignored() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), "key", &Fastest::from([((false, 10), 1)]));
        let path = path(folder.path(), "key");
        for text in ["", "something else\nall 10 1\n", "\0\u{1}"] {
            fs::write(&path, text).unwrap();
            assert_eq!(read(folder.path(), "key", 3), Fastest::new(), "{text:?}");
        }
        let lines = "all 10 1\nall ten 1\n20 1\nall 20\nrows 30 -1\nall 40 2 2\nrows 50 2";
        fs::write(&path, format!("{FIRST_LINE}\n{lines}")).unwrap();
        let whole = Fastest::from([((false, 10), 1), ((true, 50), 2)]);
        assert_eq!(read(folder.path(), "key", 3), whole);
        fs::write(&path, [0xff, 0xfe]).unwrap();
        assert_eq!(read(folder.path(), "key", 3), Fastest::new());
    }

    #[test]
    fn unusable_folder_is_ignored() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        write(&file, "key", &Fastest::from([((false, 10), 1)]));
        assert_eq!(read(&file, "key", 3), Fastest::new());
    }

    #[cfg(unix)]
    #[test]
    fn pipe_does_not_block() {
        let folder = tempfile::tempdir().unwrap();
        let made = std::process::Command::new("mkfifo").arg(path(folder.path(), "key")).status();
        assert!(made.unwrap().success());
        assert_eq!(read(folder.path(), "key", 3), Fastest::new());
    }

    #[test]
    fn nearest_tuned_n_is_used() {
        let found =
            [((false, 1000), 2), ((false, 2000), 1), ((false, 30_720), 0), ((true, 5000), 1)];
        let fastest = Fastest::from(found);
        for (n, expected) in [
            (1000, Some(2)),
            (1001, None),
            (1400, Some(2)),
            (1600, Some(1)),
            (704, Some(2)),
            (600, None),
            (3000, Some(1)),
            (5000, None),
            (40_000, Some(0)),
            (0, None),
        ] {
            assert_eq!(nearest(&fastest, false, n, 8), expected, "{n}");
        }
        assert_eq!(nearest(&fastest, true, 4000, 8), Some(1));
        assert_eq!(nearest(&fastest, true, 2000, 8), None);
    }
}

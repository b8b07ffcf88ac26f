//! The neighbours of all rows, and their files.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};

use td_kernel::Neighbours;
use td_kernel_examples::memory::collected;
use td_kernel_examples::{Error, NewFile, Result};

/// For each row its neighbours, the nearest first.
#[derive(Debug)]
pub(crate) struct Found {
    /// K for each row, of which the last may be none.
    indices: Vec<u32>,
    values: Vec<f32>,
    /// How many neighbours each row has.
    counts: Vec<u32>,
    k: usize,
}

impl Found {
    /// The first `k` of the neighbours that kernels have found, with the `value` of what they computed.
    pub(crate) fn new(
        near: Neighbours<f32>,
        k: usize,
        value: impl Fn(f32) -> f32,
    ) -> Result<Found> {
        let places = near.len().saturating_mul(k);
        let row = near.neighbours();
        let indices = near.indices().chunks(row).flat_map(|row| row.iter().take(k));
        let values = near.values().chunks(row).flat_map(|row| row.iter().take(k));
        let values = values.map(|found| value(*found));
        let counts = near.counts().iter().map(|count| (*count).min(k as u32));
        Ok(Found {
            indices: collected(places, indices.copied())?,
            values: collected(places, values)?,
            counts: collected(near.len(), counts)?,
            k,
        })
    }

    /// How many neighbours a row can have.
    pub(crate) fn k(&self) -> usize {
        self.k
    }

    /// Each row's neighbours and their values.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (&[u32], &[f32])> {
        let rows = self.indices.chunks(self.k).zip(self.values.chunks(self.k)).zip(&self.counts);
        rows.map(|((indices, values), count)| {
            let count = *count as usize;
            (indices.get(..count).unwrap_or_default(), values.get(..count).unwrap_or_default())
        })
    }

    /// How many neighbours there are.
    pub(crate) fn count(&self) -> u64 {
        self.counts.iter().map(|count| u64::from(*count)).sum()
    }

    /// How many rows have fewer neighbours than they could.
    pub(crate) fn incomplete(&self) -> usize {
        self.counts.iter().filter(|count| **count < self.k as u32).count()
    }

    /// Writes arrays of indices and of values, filled up with -1 and NaN.
    pub(crate) fn write_arrays(&self, indices: &NewFile, values: &NewFile) -> Result<()> {
        let shape = [self.counts.len(), self.k];
        let is_there = || {
            let counts = self.counts.iter();
            counts.flat_map(|count| (0..self.k).map(move |place| place < *count as usize))
        };
        let filled = self.indices.iter().zip(is_there());
        let filled = filled.map(|(index, is)| if is { i64::from(*index) } else { -1 });
        indices.write_npy(&shape, &collected(self.indices.len(), filled)?)?;
        let filled = self.values.iter().zip(is_there());
        let filled = filled.map(|(value, is)| if is { *value } else { f32::NAN });
        values.write_npy(&shape, &collected(self.values.len(), filled)?)
    }

    /// Writes a sparse matrix of the values: for each row its neighbours among so many columns, the nearest first.
    pub(crate) fn write_matrix(&self, columns: usize, metric: &str, file: &NewFile) -> Result<()> {
        file.write(|writer| {
            writeln!(writer, "%%MatrixMarket matrix coordinate real general")?;
            writeln!(writer, "% Up to {} nearest neighbours of each row, by {metric}.", self.k)?;
            writeln!(writer, "{} {columns} {}", self.counts.len(), self.count())?;
            // Rows and columns are counted from 1.
            for (row, (indices, values)) in (1..).zip(self.rows()) {
                for (index, value) in indices.iter().zip(values) {
                    writeln!(writer, "{row} {} {value}", u64::from(*index) + 1)?;
                }
            }
            Ok(())
        })
    }
}

/// The names that an output may have.
const NAMES: &str = "one that ends in .mtx gets a sparse matrix, and NAME or NAME.npy, without another ending, gives \
                     NAME-indices.npy and NAME-values.npy";

/// The files that the neighbours go to: a sparse matrix, or arrays of indices and of values.
#[derive(Debug, Default)]
pub(crate) struct Names {
    pub(crate) matrix: Option<PathBuf>,
    pub(crate) indices: Option<PathBuf>,
    pub(crate) values: Option<PathBuf>,
}

impl Names {
    /// Those of an output of this name.
    pub(crate) fn of(path: &Path) -> Result<Names> {
        let ending = path.extension().map(OsStr::to_ascii_lowercase);
        let name = match ending.as_ref().map(|ending| ending.to_str()) {
            Some(Some("mtx")) => {
                return Ok(Names { matrix: Some(path.into()), ..Names::default() });
            }
            // Who names a file of NumPy's gets two of about this name.
            Some(Some("npy")) => path.with_extension(""),
            None => path.into(),
            Some(_) => return Err(Error::UnfitName { path: path.into(), fit: NAMES }),
        };
        let array = |what: &str| {
            let mut name = name.file_name().unwrap_or(OsStr::new("")).to_owned();
            name.push(what);
            Some(path.with_file_name(name))
        };
        Ok(Names { indices: array("-indices.npy"), values: array("-values.npy"), matrix: None })
    }

    /// All of them.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Path> {
        let Names { matrix, indices, values } = self;
        [matrix, indices, values].into_iter().flatten().map(PathBuf::as_path)
    }
}

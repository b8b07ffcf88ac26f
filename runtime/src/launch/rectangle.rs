//! How many rows, columns and pairs a launch over the pairs of two sets has.

use super::Launch;
use super::sizes::Work;
use crate::error::RectangleCause;
use crate::kernel::extent::Extent;
use crate::{MatrixShape, Result};

/// A matrix argument, which can be checked only once rows and columns are known.
pub(super) struct Values {
    pub(super) name: &'static str,
    /// The number of values.
    pub(super) length: usize,
    /// The rows and columns that the values are for, where the argument has them.
    pub(super) shape: Option<MatrixShape>,
}

impl Launch<'_> {
    /// Records that `name` tells the number of rows.
    pub(super) fn agree_rows(
        &mut self,
        name: &'static str,
        count: usize,
        made_by: Option<&'static str>,
    ) -> Result<()> {
        let kernel = self.kernel.info.name;
        agree(kernel, "rows", &mut self.n, (name, made_by), count)
    }

    /// Records that `name` tells the number of columns.
    pub(super) fn agree_columns(
        &mut self,
        name: &'static str,
        count: usize,
        made_by: Option<&'static str>,
    ) -> Result<()> {
        let kernel = self.kernel.info.name;
        agree(kernel, "columns", &mut self.columns, (name, made_by), count)
    }

    /// What there is to do; checks the matrices' lengths against it.
    pub(super) fn work_of_rectangle(&self) -> Result<Work> {
        let info = self.kernel.info;
        let [count, columns] = self.counts()?;
        let extent = Extent::rectangle(info, [count, columns], self.kernel.rows.as_ref())?;
        self.kernel.expect_rows(&extent)?;
        let first_slot = self.first_value(&extent, columns)?;
        Ok(Work { is_any: extent.has_pairs(false), extent, first_slot })
    }

    /// The numbers of rows and columns. A slice has no shape: it tells one of the two where the other is known.
    fn counts(&self) -> Result<[usize; 2]> {
        let (rows, columns) =
            (self.n.map(|(rows, _)| rows), self.columns.map(|(columns, _)| columns));
        let matrix = match (rows, columns, self.matrices.first()) {
            (Some(rows), Some(columns), _) => return Ok([rows, columns]),
            // Without a matrix a launch has been given what nothing tells.
            (_, _, None) => return Ok([rows.unwrap_or(0), columns.unwrap_or(0)]),
            (_, _, Some(matrix)) => matrix,
        };
        let &Values { name: argument, length, .. } = matrix;
        let shared = |count: usize| {
            let is_whole = count > 0 && length.is_multiple_of(count);
            is_whole.then(|| length / count)
        };
        let told = match (rows, columns, &self.kernel.rows) {
            (Some(rows), None, None) => shared(rows).map(|columns| [rows, columns]),
            (Some(rows), None, Some(range)) => shared(range.len()).map(|columns| [rows, columns]),
            (None, Some(columns), None) => shared(columns).map(|rows| [rows, columns]),
            _ => None,
        };
        let kernel = self.kernel.info.name;
        told.ok_or(RectangleCause::NoShape { kernel, argument, length }.into())
    }

    /// The place that all matrices begin with, counted from the first value of all rows. Also checks that they have
    /// values for all visited rows.
    fn first_value(&self, extent: &Extent, columns: usize) -> Result<u64> {
        let kernel = self.kernel.info.name;
        let visited = extent.rows();
        let mut first: Option<(&'static str, usize)> = None;
        for Values { name: argument, length, shape } in &self.matrices {
            let (argument, found) = (*argument, *length);
            let begin = match shape {
                Some(MatrixShape { rows, .. }) => {
                    let has_all = rows.start <= visited.start && visited.end <= rows.end;
                    if !has_all && !visited.is_empty() {
                        let found = rows.clone();
                        return Err(RectangleCause::MissingRows {
                            kernel,
                            argument,
                            found,
                            visited,
                        }
                        .into());
                    }
                    rows.start
                }
                None => {
                    let (rows, expected) = (visited.len(), visited.len().saturating_mul(columns));
                    if found != expected {
                        return Err(RectangleCause::Length {
                            kernel,
                            argument,
                            rows,
                            columns,
                            expected,
                            found,
                        }
                        .into());
                    }
                    visited.start
                }
            };
            match first {
                None => first = Some((argument, begin)),
                Some((first, expected)) if expected != begin => {
                    return Err(RectangleCause::FirstRows {
                        kernel,
                        argument,
                        found: begin,
                        first,
                        expected,
                    }
                    .into());
                }
                Some(_) => {}
            }
        }
        Ok(first.map_or(0, |(_, row)| row as u64 * columns as u64))
    }
}

/// Compares a count with what an earlier argument has told.
fn agree(
    kernel: &'static str,
    what: &'static str,
    known: &mut Option<(usize, &'static str)>,
    (argument, made_by): (&'static str, Option<&'static str>),
    found: usize,
) -> Result<()> {
    match *known {
        None => *known = Some((found, argument)),
        Some((expected, first)) if expected != found => {
            return Err(RectangleCause::Counts {
                kernel,
                argument,
                what,
                found,
                first,
                expected,
                made_by,
            }
            .into());
        }
        Some(_) => {}
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::argument::Shapeless;
    use crate::types::info::samples::CROSS;
    use crate::{Device, Kernel};

    /// The rows, the columns and the first slot of a launch into a slice, of which only the number is known.
    fn work(
        kernel: &Kernel,
        [rows, columns]: [Option<usize>; 2],
        length: usize,
    ) -> Result<(usize, Option<usize>, u64)> {
        let mut memory = vec![0_u32; length];
        let mut values = Shapeless(&mut memory);
        let mut launch = Launch::new(kernel);
        if let Some(rows) = rows {
            launch.rows(rows)?;
        }
        if let Some(columns) = columns {
            launch.columns(columns)?;
        }
        launch.matrix("out", &mut values)?;
        let Work { extent, first_slot, .. } = launch.work_of_rectangle()?;
        Ok((extent.n, extent.columns, first_slot))
    }

    #[test]
    fn values_without_a_shape_tell_the_count_that_is_missing() {
        let device = Device::emulator().unwrap();
        // SAFETY: it is not launched.
        let kernel = unsafe { Kernel::load(&device, &CROSS) }.unwrap();
        for counts in [[Some(3), Some(5)], [Some(3), None], [None, Some(5)]] {
            assert_eq!(work(&kernel, counts, 15).unwrap(), (3, Some(5), 0), "{counts:?}");
        }
        for counts in [[None, None], [Some(4), None], [None, Some(4)], [Some(0), None]] {
            let error = work(&kernel, counts, 15).unwrap_err().to_string();
            assert!(error.contains("does not tell how many rows and columns"), "{error}");
        }
        let error = work(&kernel, [Some(3), Some(5)], 14).unwrap_err().to_string();
        assert!(error.contains("has 14 values, and 3 rows of 5 columns have 15"), "{error}");

        // A slice has the values of the visited rows.
        let band = kernel.rows(2..5);
        assert_eq!(work(&band, [Some(9), Some(5)], 15).unwrap(), (9, Some(5), 10));
        assert_eq!(work(&band, [Some(9), None], 15).unwrap(), (9, Some(5), 10));
        assert!(work(&band, [None, Some(5)], 15).is_err());
        assert!(work(&band, [Some(9), Some(5)], 45).is_err());
    }
}

//! Kernels whose elements have features: the additions to the tests of all sweeps.

use td_kernel::__private::Sweep;
use td_kernel::{Device, Features, Result};

/// The item, in the sweep `fold`: its elements have features too, and a pair with a wrong fold counts as wrong, or does
/// nothing. In other sweeps the item is unchanged.
///
/// Feature k of element e is e + 5 k. A pair's fold of `3 * f.i + f.j + k` follows from i, j and the number of features.
pub fn item(item: &str, sweep: Sweep) -> String {
    if sweep != Sweep::Fold || item.contains("let feature") {
        return item.to_owned();
    }
    let is_rectangle = ["#[row]", "#[column]", "Matrix<"].iter().any(|part| item.contains(part));
    let [parameters, f, g] = match is_rectangle {
        true => ["#[row] own: &Features<u32>, #[column] other: &Features<u32>", "own", "other"],
        false => ["#[each] own: &Features<u32>", "own.i", "own.j"],
    };
    let is_counted = item.contains("wrong: &mut Sum<");
    let count = if is_counted { "{ wrong += 1; return; }" } else { "return;" };
    let (name, rest) = item.split_once('(').unwrap_or((item, ""));
    let (others, rest) = rest.split_once("r#\"").unwrap_or((rest, ""));
    let (body, end) = rest.rsplit_once("\"#").unwrap_or((rest, ""));
    // The terms of i and j once for each feature, and those of k: 3 * 5 + 5 + 1 for each.
    format!(
        "{name}({parameters}, #[fold] folded: u32, {others} let feature = r#\" folded += 3 * {f} + {g} + k; \"#;
    let pair = r#\"
    if (folded != features * (3 * i + j) + 21 * (features * (features - 1) / 2))
        {count}
    {body}\"#;{end}"
    )
}

/// The features that [`item`] adds: those of one set, those of two, or none.
pub enum Added {
    /// In other sweeps.
    None,
    /// Of each element.
    One(Features<u32>),
    /// Of rows and of columns.
    Two(Features<u32>, Features<u32>),
}

impl Added {
    /// For a kernel over the pairs of one set.
    pub fn of_one(device: &Device, sweep: Sweep, n: usize) -> Result<Added> {
        if sweep != Sweep::Fold {
            return Ok(Added::None);
        }
        Ok(Added::One(numbered(device, n, width(n))?))
    }

    /// For a kernel over the pairs of two sets.
    pub fn of_sets(device: &Device, sweep: Sweep, [rows, columns]: [usize; 2]) -> Result<Added> {
        if sweep != Sweep::Fold {
            return Ok(Added::None);
        }
        let width = width(rows + columns);
        Ok(Added::Two(numbered(device, rows, width)?, numbered(device, columns, width)?))
    }
}

/// Widths of less than a word, of whole chunks, and of several chunks and a remainder, by turns.
fn width(n: usize) -> usize {
    [5, 1, 16, 37, 2, 32, 19][n % 7]
}

/// Feature k of element e is e + 5 k.
fn numbered(device: &Device, n: usize, width: usize) -> Result<Features<u32>> {
    let values: Vec<u32> =
        (0..n).flat_map(|e| (0..width).map(move |k| (e + 5 * k) as u32)).collect();
    device.features(&values, width)
}

/// Passes the features of [`item`], whose type cannot be named here, to a launch.
macro_rules! pass {
    ($launch:ident, $added:expr) => {
        match &$added {
            $crate::folds::Added::None => {}
            $crate::folds::Added::One(features) => {
                $launch.bind(td_kernel::__private::Axis::Each, "own", features)?;
                $launch.width()?;
            }
            $crate::folds::Added::Two(rows, columns) => {
                $launch.bind(td_kernel::__private::Axis::Row, "own", rows)?;
                $launch.width()?;
                $launch.bind(td_kernel::__private::Axis::Column, "other", columns)?;
            }
        }
    };
}
pub(crate) use pass;

//! Nearest neighbours within many sets, compared with a closure over the pairs of each.

use std::fmt::Debug;

use super::super::run::{address, of_every_text};
use super::super::sets::joined;
use super::{Failure, Other, Runs, candidates, check, one_set, unequal, unlike};
use crate::testing::near::is_near;
use crate::{Device, DeviceType, HostNearest, Nearest, NearestValue, Result, Sets};

/// The nearest neighbours that a kernel found within many sets: from [`nearest_sets`] and [`nearest_row_sets`].
///
/// The expected closure returns the value of each pair of a set, or `None` if the kernel pushes none.
///
/// ```
/// use td_kernel::{td_kernel, testing};
///
/// #[td_kernel]
/// unsafe fn closest(#[each] x: &Sets<i32>, #[each] near: &mut Nearest<i32, 3>) {
///     r#" if (x.i != x.j) near.push(abs(x.i - x.j)); "#
/// }
///
/// let sets = [vec![3, 9, 4, 4], vec![], (0..50).map(|k| k * k % 41).collect()];
/// let found = testing::nearest_sets::<_, _, 3>(&sets, |device, x, near| closest::load(device)?.launch(x, near))?;
/// found.equals(|set, i, j| (sets[set][i] != sets[set][j]).then(|| (sets[set][i] - sets[set][j]).abs()))?;
/// # Ok::<(), testing::Failure>(())
/// ```
#[must_use = "nothing is compared yet: call `.equals(…)`, `.within(…)` or `.compare(…)` and return its result"]
pub struct RankedInSets<T> {
    runs: Runs<HostNearest<T>>,
    /// Where the elements with neighbours begin in each set, and where their neighbours do, unless these are the same elements.
    rows: Vec<usize>,
    columns: Option<Vec<usize>>,
}

impl<T: Copy + PartialOrd + Debug> RankedInSets<T> {
    /// Checks that each element has the K least of its values `expected(set, i, j)`, by value and then by index, and no others. i
    /// and j count the elements of the set: i > j, or the row and the column.
    ///
    /// # Errors
    ///
    /// Some elements have other neighbours: the error has the first of these elements, its first wrong neighbour, and their
    /// number.
    pub fn equals(
        &self,
        expected: impl Fn(usize, usize, usize) -> Option<T>,
    ) -> Result<(), Failure> {
        self.check(expected, unequal)
    }

    /// Checks that each element has the K least of its values, where the kernel's values differ from `expected(set, i, j)` by at
    /// most `tolerance` times that, or by `tolerance` if that is less than 1. Neighbours whose values differ by no more may be
    /// in either order, and either may be missing.
    ///
    /// # Errors
    ///
    /// Some elements have other neighbours: the error has the first of these elements, a wrong neighbour, and their number.
    pub fn within(
        &self,
        tolerance: f64,
        expected: impl Fn(usize, usize, usize) -> Option<T>,
    ) -> Result<(), Failure>
    where
        T: Into<f64>,
    {
        self.compare(expected, |found, expected| is_near(found.into(), expected.into(), tolerance))
    }

    /// Checks that each element has the K least of its values, where `is_right(found, expected)` decides whether a value is
    /// accepted, as in [`Ranked::compare`](super::Ranked::compare).
    ///
    /// # Errors
    ///
    /// Some elements have other neighbours: the error has the first of these elements, a wrong neighbour, and their number.
    pub fn compare(
        &self,
        expected: impl Fn(usize, usize, usize) -> Option<T>,
        is_right: impl Fn(T, T) -> bool,
    ) -> Result<(), Failure> {
        self.check(expected, |found, all, most| unlike(found, all, most, &is_right))
    }

    fn check(
        &self,
        expected: impl Fn(usize, usize, usize) -> Option<T>,
        difference: impl Fn(&[Other<T>], Vec<Other<T>>, usize) -> Option<super::Difference>,
    ) -> Result<(), Failure> {
        let within_set = |element: usize| {
            // Of several offsets that are equal, the last one is that of the set with elements.
            let set = self.rows.partition_point(|first| *first <= element) - 1;
            (set, element - self.rows[set])
        };
        let others = |element| {
            let (set, i) = within_set(element);
            let size = |offsets: &[usize]| offsets[set + 1] - offsets[set];
            let value = |i, j| expected(set, i, j);
            match &self.columns {
                Some(columns) => candidates(size(columns), |j| value(i, j)),
                None => candidates(size(&self.rows), one_set(i, false, value)),
            }
        };
        check(&self.runs, others, difference).map_err(|mut failure| {
            if let Failure::WrongElement { set: of, element, .. } = &mut failure {
                let (set, i) = within_set(*element);
                (*of, *element) = (Some(set), i);
            }
            failure
        })
    }
}

/// Runs a kernel that finds the nearest neighbours of each element in its set.
///
/// `run` gets a device, the sets, and neighbours in its memory; it loads the kernel for that device and launches it.
///
/// ```
/// use td_kernel::{td_kernel, testing};
///
/// #[td_kernel]
/// unsafe fn closest(#[each] x: &Sets<f32>, #[each] near: &mut Nearest<f32, 2>) {
///     r#" near.push(fabsf(x.i - x.j)); "#
/// }
///
/// let sets = [vec![1.0, 4.0, 9.0], vec![], (0..50).map(|k| (k * k) as f32).collect()];
/// testing::nearest_sets::<_, _, 2>(&sets, |device, x, near| closest::load(device)?.launch(x, near))?
///     .within(1e-6, |set, i, j| Some((sets[set][i] - sets[set][j]).abs()))?;
/// # Ok::<(), testing::Failure>(())
/// ```
///
/// # Errors
///
/// The error of `run`, or it launched no kernel with the given output.
pub fn nearest_sets<E: DeviceType, T: NearestValue, const K: usize>(
    sets: &[impl AsRef<[E]>],
    run: impl Fn(&Device, &Sets<E>, &mut Nearest<T, K>) -> Result<()>,
) -> Result<RankedInSets<T>, Failure> {
    let (elements, rows) = joined(sets);
    let runs = of_every_text(|device| {
        let sets = device.sets(&elements, &rows)?;
        let mut near: Nearest<T, K> = device.nearest(sets.element_count())?;
        run(device, &sets, &mut near)?;
        Ok((address(near.cells.view()), near.download()?))
    })?;
    Ok(RankedInSets { runs, rows, columns: None })
}

/// Runs a kernel that finds the nearest columns of each row in its set.
///
/// ```
/// use td_kernel::{td_kernel, testing};
///
/// #[td_kernel]
/// unsafe fn closest(#[row] x: &Sets<f32>, #[column] y: &Sets<f32>, #[row] near: &mut Nearest<f32, 2>) {
///     r#" near.push(fabsf(x - y)); "#
/// }
///
/// let (rows, columns) = ([vec![1.0, 4.0], vec![9.0]], [vec![2.0], vec![3.0, 5.0, 8.0]]);
/// testing::nearest_row_sets::<_, _, _, 2>(&rows, &columns, |device, x, y, near| closest::load(device)?.launch(x, y, near))?
///     .within(1e-6, |set, i, j| Some((rows[set][i] - columns[set][j]).abs()))?;
/// # Ok::<(), testing::Failure>(())
/// ```
///
/// # Errors
///
/// The error of `run`, the numbers of sets differ, or it launched no kernel with the given output.
pub fn nearest_row_sets<R: DeviceType, C: DeviceType, T: NearestValue, const K: usize>(
    rows: &[impl AsRef<[R]>],
    columns: &[impl AsRef<[C]>],
    run: impl Fn(&Device, &Sets<R>, &Sets<C>, &mut Nearest<T, K>) -> Result<()>,
) -> Result<RankedInSets<T>, Failure> {
    let ((x, rows), (y, columns)) = (joined(rows), joined(columns));
    let runs = of_every_text(|device| {
        let (x, y) = (device.sets(&x, &rows)?, device.sets(&y, &columns)?);
        let mut near: Nearest<T, K> = device.nearest(x.element_count())?;
        run(device, &x, &y, &mut near)?;
        Ok((address(near.cells.view()), near.download()?))
    })?;
    Ok(RankedInSets { runs, rows, columns: Some(columns) })
}

//! Runs a kernel over many sets, and compares the values of the pairs of each.

use std::cell::Cell;
use std::fmt::Debug;

use td_kernel_geometry::sets::LARGE;

use super::Failure;
use super::results::{Stored, comparisons};
use super::run::{address, of_every_text};
use crate::host::sets::offsets_of;
use crate::{AnySets, Device, DeviceType, FeatureSets, MatrixSets, PackedSets, Result, Sets};

/// Runs a kernel that stores a value for each pair within many sets.
///
/// `run` gets a device, the sets, and memory for the values; it loads the kernel for that device and launches it. For the
/// variants with tiles, all sets count as large.
///
/// ```
/// use td_kernel::{td_kernel, testing};
///
/// #[td_kernel]
/// unsafe fn distance(#[each] x: &Sets<f32>, distance: &mut Packed<f32>) {
///     r#" distance = fabsf(x.i - x.j); "#
/// }
///
/// let sets = [vec![1.0, 4.0, 9.0], vec![], (0..50).map(|k| (k * k) as f32).collect()];
/// testing::packed_sets(&sets, |device, x, distances| distance::load(device)?.launch(x, distances))?
///     .within(1e-6, |set, i, j| (sets[set][i] - sets[set][j]).abs())?;
/// # Ok::<(), testing::Failure>(())
/// ```
///
/// # Errors
///
/// The error of `run`, or it launched no kernel with the given output.
pub fn packed_sets<E: DeviceType, T: DeviceType>(
    sets: &[impl AsRef<[E]>],
    run: impl Fn(&Device, &Sets<E>, &mut PackedSets<T>) -> Result<()>,
) -> Result<StoredInSets<T>, Failure> {
    let (elements, offsets) = joined(sets);
    // The first variant visits runs of pairs, and each other one large sets.
    let large = Cell::new(LARGE);
    let make = |device: &Device| device.sets_with_large(&elements, &offsets, large.replace(0));
    packed_of(&offsets, make, run)
}

/// Runs a kernel that stores a value for each pair within many sets of elements with features, like [`packed_sets`].
///
/// ```
/// use td_kernel::{td_kernel, testing};
///
/// #[td_kernel]
/// unsafe fn product(#[each] p: &FeatureSets<i32>, #[fold] sum: i32, products: &mut Packed<i32>) {
///     let feature = r#" sum += p.i * p.j; "#;
///     let pair = r#" products = sum; "#;
/// }
///
/// let sets = [vec![[1, 2], [3, 4], [5, 6]], vec![], vec![[7, 8], [9, 10]]];
/// testing::packed_feature_sets(&sets, |device, p, products| product::load(device)?.launch(p, products))?
///     .equals(|set, i, j| {
///         let [a, b] = [sets[set][i], sets[set][j]];
///         a[0] * b[0] + a[1] * b[1]
///     })?;
/// # Ok::<(), testing::Failure>(())
/// ```
///
/// # Errors
///
/// The error of `run`, or of the features; or it launched no kernel with the given output.
pub fn packed_feature_sets<E: DeviceType, R: AsRef<[E]>, T: DeviceType>(
    sets: &[impl AsRef<[R]>],
    run: impl Fn(&Device, &FeatureSets<E>, &mut PackedSets<T>) -> Result<()>,
) -> Result<StoredInSets<T>, Failure> {
    let make = |device: &Device| device.upload_feature_sets(sets.iter().map(AsRef::as_ref));
    packed_of(&offsets_of(sets), make, run)
}

/// Runs a kernel that stores a value for each pair within the sets that `make` makes.
fn packed_of<S: AnySets, T: DeviceType>(
    offsets: &[usize],
    make: impl Fn(&Device) -> Result<S>,
    run: impl Fn(&Device, &S, &mut PackedSets<T>) -> Result<()>,
) -> Result<StoredInSets<T>, Failure> {
    let runs = of_every_text(|device| {
        let sets = make(device)?;
        let mut values = device.packed_sets(&sets)?;
        let address = address(values.memory.view());
        run(device, &sets, &mut values)?;
        let pairs = offsets.windows(2).flat_map(|ends| {
            let all = ends[0]..ends[1];
            all.flat_map(|i| (ends[0]..i).map(move |j| [i, j]))
        });
        Ok((address, pairs.zip(values.download()?.into_vec()).collect()))
    })?;
    let offsets = [offsets.to_vec(), offsets.to_vec()];
    Ok(StoredInSets { stored: Stored { runs, is_symmetric: false }, offsets })
}

/// Runs a kernel that stores a value for each pair of rows and columns of many sets.
///
/// `run` gets a device, the sets of rows and of columns, and memory for the values; it loads the kernel for that device and
/// launches it.
///
/// ```
/// use td_kernel::{td_kernel, testing};
///
/// #[td_kernel]
/// unsafe fn distance(#[row] x: &Sets<f32>, #[column] y: &Sets<f32>, distance: &mut Matrix<f32>) {
///     r#" distance = fabsf(x - y); "#
/// }
///
/// let (rows, columns) = ([vec![1.0, 4.0], vec![9.0]], [vec![2.0], vec![3.0, 5.0, 8.0]]);
/// testing::matrix_sets(&rows, &columns, |device, x, y, distances| distance::load(device)?.launch(x, y, distances))?
///     .within(1e-6, |set, i, j| (rows[set][i] - columns[set][j]).abs())?;
/// # Ok::<(), testing::Failure>(())
/// ```
///
/// # Errors
///
/// The error of `run`, the numbers of sets differ, or it launched no kernel with the given output.
pub fn matrix_sets<R: DeviceType, C: DeviceType, T: DeviceType>(
    rows: &[impl AsRef<[R]>],
    columns: &[impl AsRef<[C]>],
    run: impl Fn(&Device, &Sets<R>, &Sets<C>, &mut MatrixSets<T>) -> Result<()>,
) -> Result<StoredInSets<T>, Failure> {
    let ((x, of_rows), (y, of_columns)) = (joined(rows), joined(columns));
    let make = |device: &Device| Ok((device.sets(&x, &of_rows)?, device.sets(&y, &of_columns)?));
    matrix_of([&of_rows, &of_columns], make, run)
}

/// Runs a kernel that stores a value for each pair of rows and columns with features of many sets, like [`matrix_sets`].
///
/// ```
/// use td_kernel::{td_kernel, testing};
///
/// #[td_kernel]
/// unsafe fn product(
///     #[row] p: &FeatureSets<i32>,
///     #[column] q: &FeatureSets<i32>,
///     #[fold] sum: i32,
///     products: &mut Matrix<i32>,
/// ) {
///     let feature = r#" sum += p * q; "#;
///     let pair = r#" products = sum; "#;
/// }
///
/// let (rows, columns) = ([vec![[1, 2], [3, 4]], vec![[5, 6]]], [vec![[7, 8]], vec![[9, 10], [11, 12]]]);
/// testing::matrix_feature_sets(&rows, &columns, |device, p, q, products| product::load(device)?.launch(p, q, products))?
///     .equals(|set, i, j| {
///         let [a, b] = [rows[set][i], columns[set][j]];
///         a[0] * b[0] + a[1] * b[1]
///     })?;
/// # Ok::<(), testing::Failure>(())
/// ```
///
/// # Errors
///
/// The error of `run`, or of the features; the numbers of sets differ, or it launched no kernel with the given output.
pub fn matrix_feature_sets<
    E: DeviceType,
    F: DeviceType,
    R: AsRef<[E]>,
    C: AsRef<[F]>,
    T: DeviceType,
>(
    rows: &[impl AsRef<[R]>],
    columns: &[impl AsRef<[C]>],
    run: impl Fn(&Device, &FeatureSets<E>, &FeatureSets<F>, &mut MatrixSets<T>) -> Result<()>,
) -> Result<StoredInSets<T>, Failure> {
    let make = |device: &Device| {
        let rows = device.upload_feature_sets(rows.iter().map(AsRef::as_ref))?;
        Ok((rows, device.upload_feature_sets(columns.iter().map(AsRef::as_ref))?))
    };
    matrix_of([&offsets_of(rows), &offsets_of(columns)], make, run)
}

/// Runs a kernel that stores a value for each pair of the rows and columns that `make` makes.
fn matrix_of<R: AnySets, C: AnySets, T: DeviceType>(
    [of_rows, of_columns]: [&[usize]; 2],
    make: impl Fn(&Device) -> Result<(R, C)>,
    run: impl Fn(&Device, &R, &C, &mut MatrixSets<T>) -> Result<()>,
) -> Result<StoredInSets<T>, Failure> {
    let runs = of_every_text(|device| {
        let (x, y) = make(device)?;
        let mut values = device.matrix_sets(&x, &y)?;
        let address = address(values.memory.view());
        run(device, &x, &y, &mut values)?;
        let pairs = of_rows.windows(2).zip(of_columns.windows(2)).flat_map(|(rows, columns)| {
            let columns = columns[0]..columns[1];
            (rows[0]..rows[1]).flat_map(move |i| columns.clone().map(move |j| [i, j]))
        });
        Ok((address, pairs.zip(values.download()?.into_vec()).collect()))
    })?;
    let stored = Stored { runs, is_symmetric: false };
    Ok(StoredInSets { stored, offsets: [of_rows.to_vec(), of_columns.to_vec()] })
}

/// The elements of all sets, and where each set begins.
pub(super) fn joined<E: DeviceType>(sets: &[impl AsRef<[E]>]) -> (Vec<E>, Vec<usize>) {
    let elements = sets.iter().flat_map(|set| set.as_ref().iter().copied()).collect();
    (elements, offsets_of(sets))
}

/// The values that a kernel stored for every pair of many sets, for each of its variants: from [`packed_sets`],
/// [`matrix_sets`], [`packed_feature_sets`] and [`matrix_feature_sets`].
///
/// ```
/// use td_kernel::{td_kernel, testing};
///
/// #[td_kernel]
/// unsafe fn product(#[each] x: &Sets<i32>, products: &mut Packed<i32>) {
///     r#" products = x.i * x.j; "#
/// }
///
/// let sets = [[2, 3, 4], [5, 6, 7]];
/// let products = testing::packed_sets(&sets, |device, x, products| {
///     product::load(device)?.launch(x, products)
/// })?;
/// products.equals(|set, i, j| sets[set][i] * sets[set][j])?;
/// # Ok::<(), testing::Failure>(())
/// ```
#[must_use = "nothing is compared yet: call `.equals(…)`, `.within(…)` or `.compare(…)` and return its result"]
pub struct StoredInSets<T> {
    /// The values by the indices of elements among those of all sets.
    stored: Stored<T>,
    /// Where the rows and the columns of each set begin.
    offsets: [Vec<usize>; 2],
}

impl<T: Copy + Debug> StoredInSets<T> {
    comparisons! {
        /// Checks that each value is `expected(set, i, j)`, where i and j count the elements of the set: i > j, or the row and the
        /// column.
        ///
        /// # Errors
        ///
        /// Some values differ: the error has the first one, and their number.
        equals(Fn(usize, usize, usize) -> T),

        /// Checks that each value differs from `expected(set, i, j)` by at most `tolerance` times that, or by `tolerance` if that is
        /// less than 1; for a vector, each component.
        ///
        /// # Errors
        ///
        /// Some values differ: the error has the first one, and their number.
        within(Fn(usize, usize, usize) -> T),
    }

    /// Checks that `is_right(found, expected(set, i, j))` is true for each value.
    ///
    /// # Errors
    ///
    /// Some values differ: the error has the first one, and their number.
    pub fn compare(
        &self,
        expected: impl Fn(usize, usize, usize) -> T,
        is_right: impl Fn(T, T) -> bool,
    ) -> Result<(), Failure> {
        let within_set = |[i, j]: [usize; 2]| {
            // Of several offsets that are equal, the last one is that of the set with elements.
            let [rows, columns] = &self.offsets;
            let set = rows.partition_point(|first| *first <= i) - 1;
            (set, i - rows[set], j - columns[set])
        };
        let pair_value = |i, j| {
            let (set, i, j) = within_set([i, j]);
            expected(set, i, j)
        };
        self.stored.compare(pair_value, is_right).map_err(|mut failure| {
            if let Failure::Differs { set: of, pair, .. } = &mut failure {
                let (set, i, j) = within_set(*pair);
                (*of, *pair) = (Some(set), [i, j]);
            }
            failure
        })
    }
}

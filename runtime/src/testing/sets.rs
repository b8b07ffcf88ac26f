//! Runs a kernel over many sets, and compares the values of the pairs within each.

use std::cell::Cell;
use std::fmt::Debug;

use td_kernel_maps::sets::LARGE;

use super::Failure;
use super::near::Near;
use super::results::Stored;
use super::run::{address, of_every_text};
use crate::{Device, DeviceType, PackedSets, Result, Sets};

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
    let (mut elements, mut offsets) = (Vec::new(), vec![0]);
    for set in sets {
        elements.extend_from_slice(set.as_ref());
        offsets.push(elements.len());
    }
    // The first variant visits runs of pairs, and each other one large sets.
    let large = Cell::new(LARGE);
    let runs = of_every_text(|device| {
        let sets = device.sets_with_large(&elements, &offsets, large.replace(0))?;
        let mut values = device.packed_sets(&sets)?;
        let address = address(values.memory.view());
        run(device, &sets, &mut values)?;
        let pairs = offsets.windows(2).flat_map(|ends| {
            let all = ends[0]..ends[1];
            all.flat_map(|i| (ends[0]..i).map(move |j| [i, j]))
        });
        Ok((address, pairs.zip(values.download()?.into_vec()).collect()))
    })?;
    Ok(StoredInSets { stored: Stored { runs, is_symmetric: false }, offsets })
}

/// The values that a kernel stored for every pair within many sets, for each of its variants: from [`packed_sets`].
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
    offsets: Vec<usize>,
}

impl<T: Copy + Debug> StoredInSets<T> {
    /// Checks that each value is `expected(set, i, j)`, with i > j, which count the elements of the set.
    ///
    /// # Errors
    ///
    /// Some values differ: the error has the first one, and their number.
    pub fn equals(&self, expected: impl Fn(usize, usize, usize) -> T) -> Result<(), Failure>
    where
        T: PartialEq,
    {
        self.compare(expected, |found, expected| found == expected)
    }

    /// Checks that each value differs from `expected(set, i, j)` by at most `tolerance` times that, or by `tolerance` if that is
    /// less than 1; for a vector, each component.
    ///
    /// # Errors
    ///
    /// Some values differ: the error has the first one, and their number.
    pub fn within(
        &self,
        tolerance: f64,
        expected: impl Fn(usize, usize, usize) -> T,
    ) -> Result<(), Failure>
    where
        T: Near,
    {
        self.compare(expected, |found, expected| found.is_near(&expected, tolerance))
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
            let set = self.offsets.partition_point(|first| *first <= i) - 1;
            (set, i - self.offsets[set], j - self.offsets[set])
        };
        let of_pair = |i, j| {
            let (set, i, j) = within_set([i, j]);
            expected(set, i, j)
        };
        self.stored.compare(of_pair, is_right).map_err(|mut failure| {
            if let Failure::Differs { set: of, pair, .. } = &mut failure {
                let (set, i, j) = within_set(*pair);
                (*of, *pair) = (Some(set), [i, j]);
            }
            failure
        })
    }
}

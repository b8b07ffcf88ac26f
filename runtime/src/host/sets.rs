//! Where the elements and the pairs of many sets are, and values of their pairs.

#[cfg(test)]
mod tests;

use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

use td_kernel_geometry::sets::tiles::TiledSets;
use td_kernel_geometry::sets::{LargeSet, RUN};

use crate::host::methods::{debug, length};
use crate::host::{self, triangle};
use crate::{Error, RectangleKind, Result, TriangleKind};

/// Where each set begins: its elements, and its pairs.
#[derive(Debug, PartialEq, Eq)]
pub struct SetOffsets {
    /// The first element of each set, and the number of elements.
    pub(crate) elements: Vec<u32>,
    /// The first pair of each set, and the number of pairs.
    pairs: Vec<usize>,
}

impl SetOffsets {
    /// The offsets of sets that begin at these elements; the last offset is the number of elements.
    pub(crate) fn new(offsets: &[usize]) -> Result<SetOffsets> {
        let (Some(first), Some(all)) = (offsets.first(), offsets.last().copied()) else {
            return Err(wrong_offsets("there are no offsets"));
        };
        if *first != 0 {
            return Err(wrong_offsets(&format!("offset 0 is {first}")));
        }
        if let Some(at) = offsets.windows(2).position(|ends| ends[0] > ends[1]) {
            let (before, next) = (offsets[at], offsets[at + 1]);
            let found = format!("offset {} is {next}, but offset {at} is {before}", at + 1);
            return Err(wrong_offsets(&found));
        }
        if u32::try_from(all).is_err() || u32::try_from(offsets.len()).is_err() {
            let sets = offsets.len() - 1;
            let problem = format!(
                "{sets} sets of {all} elements in all are too many: sets and elements are counted in 32 bits, so divide them among several `Sets`"
            );
            return Err(Error::arguments(problem));
        }
        // They fit 32 bits.
        let elements = host::collected(offsets.len(), offsets.iter().map(|offset| *offset as u32))?;
        let own = |ends: &[usize]| triangle::pairs(ends[1] - ends[0], false);
        let pairs = starts(offsets.len(), offsets.windows(2).map(own))?;
        Ok(SetOffsets { elements, pairs })
    }

    /// The number of sets.
    pub(crate) fn len(&self) -> usize {
        self.pairs.len().saturating_sub(1)
    }

    /// The number of elements of all sets.
    pub(crate) fn element_count(&self) -> usize {
        self.elements.last().map_or(0, |count| *count as usize)
    }

    /// The number of pairs of all sets.
    pub(crate) fn pair_count(&self) -> usize {
        self.pairs.last().copied().unwrap_or_default()
    }

    pub(crate) fn elements_of(&self, set: usize) -> Option<Range<usize>> {
        Some(*self.elements.get(set)? as usize..*self.elements.get(set.checked_add(1)?)? as usize)
    }

    pub(crate) fn pairs_of(&self, set: usize) -> Option<Range<usize>> {
        between(&self.pairs, set)
    }

    /// The number of elements of each set.
    fn sizes(&self) -> impl Iterator<Item = u32> + Clone {
        self.elements.windows(2).map(|ends| ends[1] - ends[0])
    }

    /// The sets of at least `least` elements that have pairs.
    fn large(&self, least: u32) -> Result<Vec<LargeSet>> {
        let sizes = self.sizes();
        // Seldom is one large, and this is the fastest way to find none.
        if sizes.clone().max() < Some(least) {
            return Ok(Vec::new());
        }
        let sets = || (0..).zip(sizes.clone().zip(&self.pairs));
        let large = || sets().filter(|(_, (size, _))| *size > 1 && *size >= least);
        let each = large().map(|(set, (elements, start))| LargeSet {
            set,
            elements,
            start: *start as u64,
        });
        host::collected(large().count(), each)
    }
}

/// Where the pairs of an element of the rows of each set and one of the columns of the same set begin.
#[derive(Debug)]
pub struct RectangleOffsets {
    pub(crate) rows: Arc<SetOffsets>,
    pub(crate) columns: Arc<SetOffsets>,
    pairs: Vec<usize>,
}

/// The elements determine the pairs.
impl PartialEq for RectangleOffsets {
    fn eq(&self, other: &Self) -> bool {
        (&self.rows, &self.columns) == (&other.rows, &other.columns)
    }
}

impl RectangleOffsets {
    /// The pairs of as many sets of rows and of columns.
    pub(crate) fn new(rows: &Arc<SetOffsets>, columns: &Arc<SetOffsets>) -> Result<Self> {
        let (count, found) = (rows.len(), columns.len());
        if count != found {
            return Err(Error::arguments(format!(
                "a `Sets` of {count} sets does not match one of {found}: write as many sets of rows as of columns, and empty sets for those without elements"
            )));
        }
        let [of_rows, of_columns] = [rows, columns].map(|sets| sets.sizes());
        let own = of_rows.zip(of_columns);
        let own = own.map(|(rows, columns)| (rows as usize).checked_mul(columns as usize));
        let pairs = starts(rows.elements.len(), own)?;
        Ok(RectangleOffsets { rows: rows.clone(), columns: columns.clone(), pairs })
    }
}

/// The pairs of many sets, one set after another.
#[derive(Clone, Debug, PartialEq)]
pub enum SetPairs {
    /// Those within each set.
    Triangles(Arc<SetOffsets>),
    /// Those of rows and columns.
    Rectangles(Arc<RectangleOffsets>),
}

impl SetPairs {
    fn starts(&self) -> &[usize] {
        match self {
            SetPairs::Triangles(offsets) => &offsets.pairs,
            SetPairs::Rectangles(offsets) => &offsets.pairs,
        }
    }

    /// The columns of rectangles.
    pub(crate) fn columns(&self) -> Option<&Arc<SetOffsets>> {
        let SetPairs::Rectangles(offsets) = self else { return None };
        Some(&offsets.columns)
    }

    pub(crate) fn tiled(&self) -> TiledSets<'_> {
        match self {
            SetPairs::Triangles(offsets) => TiledSets::new(&offsets.elements, None),
            SetPairs::Rectangles(offsets) => {
                TiledSets::new(&offsets.rows.elements, Some(&offsets.columns.elements))
            }
        }
    }

    /// The number of sets.
    pub(crate) fn len(&self) -> usize {
        self.starts().len().saturating_sub(1)
    }

    /// The number of pairs of all sets.
    pub(crate) fn pair_count(&self) -> usize {
        self.starts().last().copied().unwrap_or_default()
    }

    pub(crate) fn pairs_of(&self, set: usize) -> Option<Range<usize>> {
        between(self.starts(), set)
    }

    /// The sets whose pairs are in no run: those of at least `least` elements. Runs visit all rectangles.
    pub(crate) fn large(&self, least: u32) -> Result<Vec<LargeSet>> {
        let SetPairs::Triangles(offsets) = self else { return Ok(Vec::new()) };
        offsets.large(least)
    }

    /// Whether a set has more pairs than 32 bits count.
    pub(crate) fn has_wide_set(&self) -> bool {
        let most = u32::MAX as usize;
        // All sets together seldom have so many pairs.
        self.pair_count() > most && self.starts().windows(2).any(|ends| ends[1] - ends[0] > most)
    }

    /// An upper bound of the pairs of an element.
    pub(crate) fn most_of_element(&self) -> u32 {
        let most = |sets: &SetOffsets| sets.sizes().max().unwrap_or_default();
        match self {
            SetPairs::Triangles(offsets) => most(offsets),
            SetPairs::Rectangles(offsets) => most(&offsets.rows).max(most(&offsets.columns)),
        }
    }

    /// The index of pair (i, j) among those of its set.
    fn slot(&self, set: usize, i: usize, j: usize) -> Option<usize> {
        match self {
            SetPairs::Triangles(offsets) => {
                let has_pair = offsets.elements_of(set)?.len() > i && i > j;
                triangle::pairs(i, false).filter(|_| has_pair).map(|start| start + j)
            }
            SetPairs::Rectangles(offsets) => {
                let columns = offsets.columns.elements_of(set)?.len();
                let has_pair = offsets.rows.elements_of(set)?.len() > i && columns > j;
                has_pair.then_some(i * columns + j)
            }
        }
    }

    /// Checks that kernels can count the pairs of sets of fewer than `large` elements.
    pub(crate) fn expect_runs(&self, large: u32) -> Result<()> {
        // They count runs in 32 bits.
        let most = u64::from(u32::MAX) * u64::from(RUN);
        let of = |set: &LargeSet| td_kernel_geometry::triangle(set.elements - 1);
        let large_total = self.large(large)?.iter().map(of).sum::<u64>();
        match self.pair_count() as u64 - large_total <= most {
            true => Ok(()),
            false => Err(too_many(&format!("more than {most}"))),
        }
    }
}

/// The first pair of each set, and the number of pairs, from the number of pairs of each.
fn starts(count: usize, sizes: impl Iterator<Item = Option<usize>>) -> Result<Vec<usize>> {
    let mut starts = host::with_room(count)?;
    let mut before = 0_usize;
    starts.push(before);
    for own in sizes {
        let after = own.and_then(|own| before.checked_add(own));
        before = after.ok_or_else(|| too_many("too many"))?;
        starts.push(before);
    }
    Ok(starts)
}

/// Where each of these sets begins if they follow one another, and where the last one ends.
pub(crate) fn offsets_of<E>(sets: &[impl AsRef<[E]>]) -> Vec<usize> {
    let ends = sets.iter().scan(0_usize, |end, set| {
        *end += set.as_ref().len();
        Some(*end)
    });
    [0].into_iter().chain(ends).collect()
}

/// What lies from the start of a set to that of the next.
fn between(starts: &[usize], set: usize) -> Option<Range<usize>> {
    Some(*starts.get(set)?..*starts.get(set.checked_add(1)?)?)
}

fn too_many(count: &str) -> Error {
    Error::arguments(format!("the sets have {count} pairs: divide them among several `Sets`"))
}

fn wrong_offsets(found: &str) -> Error {
    Error::arguments(format!(
        "{found}: offsets begin with 0 and do not descend, and the last is the number of elements"
    ))
}

/// A value for each pair of many sets, set after set, on the host: a [`HostPackedSets`] or a [`HostMatrixSets`].
///
/// ```
/// use td_kernel::HostSetValues;
///
/// /// The largest value of each set.
/// fn largest<K>(values: &HostSetValues<u32, K>) -> Vec<Option<u32>> {
///     (0..values.len()).map(|set| values.set(set)?.iter().copied().max()).collect()
/// }
/// ```
#[derive(Clone)]
pub struct HostSetValues<T, K> {
    values: Vec<T>,
    pairs: SetPairs,
    kind: PhantomData<K>,
}

/// A value for each pair within many sets, set after set, on the host: from
/// [`PackedSets::download`](crate::PackedSets::download).
///
/// The values of a set are those of packed rows: pair (i, j) with i > j has the value i (i - 1) / 2 + j.
///
/// ```
/// use td_kernel::{Device, td_kernel};
///
/// #[td_kernel]
/// unsafe fn difference(#[each] x: &Sets<i32>, difference: &mut Packed<i32>) {
///     r#" difference = x.i - x.j; "#
/// }
///
/// let device = Device::cpu()?;
/// let x = device.upload_sets([&[1, 3, 9][..], &[], &[5, 6]])?;
/// let mut differences = device.packed_sets(&x)?;
/// difference::load(&device)?.launch(&x, &mut differences)?;
/// let values = differences.download()?;
/// assert_eq!((values.len(), values.as_slice()), (3, &[2, 8, 6, 1][..]));
/// assert_eq!((values.set(0), values.set(1), values.set(3)), (Some(&[2, 8, 6][..]), Some(&[][..]), None));
/// assert_eq!((values.get(0, 2, 1), values.get(0, 1, 1), values.get(2, 1, 0)), (Some(&6), None, Some(&1)));
/// # Ok::<(), td_kernel::Error>(())
/// ```
pub type HostPackedSets<T> = HostSetValues<T, TriangleKind>;

/// A value for each pair of rows and columns of many sets, set after set, on the host: from
/// [`MatrixSets::download`](crate::MatrixSets::download).
///
/// The values of a set are those of a matrix: with c columns, pair (i, j) has the value c i + j.
///
/// ```
/// use td_kernel::{Device, td_kernel};
///
/// #[td_kernel]
/// unsafe fn difference(#[row] x: &Sets<i32>, #[column] y: &Sets<i32>, difference: &mut Matrix<i32>) {
///     r#" difference = x - y; "#
/// }
///
/// let device = Device::cpu()?;
/// let x = device.upload_sets([&[1, 3][..], &[], &[5]])?;
/// let y = device.upload_sets([&[0, 1, 2][..], &[4], &[3, 4]])?;
/// let mut differences = device.matrix_sets(&x, &y)?;
/// difference::load(&device)?.launch(&x, &y, &mut differences)?;
/// let values = differences.download()?;
/// assert_eq!((values.len(), values.as_slice()), (3, &[1, 0, -1, 3, 2, 1, 2, 1][..]));
/// assert_eq!((values.set(0), values.set(1), values.set(2)), (Some(&[1, 0, -1, 3, 2, 1][..]), Some(&[][..]), Some(&[2, 1][..])));
/// assert_eq!((values.get(0, 1, 2), values.get(0, 1, 3), values.get(2, 0, 1)), (Some(&1), None, Some(&1)));
/// # Ok::<(), td_kernel::Error>(())
/// ```
pub type HostMatrixSets<T> = HostSetValues<T, RectangleKind>;

impl<T, K> HostSetValues<T, K> {
    pub(crate) fn of(pairs: SetPairs, values: Vec<T>) -> Self {
        HostSetValues { values, pairs, kind: PhantomData }
    }

    length!(self, "sets", self.pairs.len());

    /// The values of a set's pairs, by rows. `None` if there is no such set.
    pub fn set(&self, set: usize) -> Option<&[T]> {
        self.values.get(self.pairs.pairs_of(set)?)
    }

    /// The value of the pair (i, j) of a set; `i` and `j` count the set's elements. `None` if the set has no such pair: within a
    /// set, i > j.
    pub fn get(&self, set: usize, i: usize, j: usize) -> Option<&T> {
        self.set(set)?.get(self.pairs.slot(set, i, j)?)
    }

    /// The values of all sets, one set after another.
    pub fn as_slice(&self) -> &[T] {
        &self.values
    }

    /// The values of all sets, one set after another.
    pub fn into_vec(self) -> Vec<T> {
        self.values
    }
}

debug!([T, K] HostSetValues<T, K>, self: sets = self.len(), pairs = self.values.len());

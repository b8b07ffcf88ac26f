//! Where the elements and the pairs of many sets are, and values of their pairs.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use td_kernel_maps::sets::RUN;

use crate::host::{self, triangle};
use crate::{Error, Result};

/// Where each set begins: its elements, and its pairs.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SetOffsets {
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
        let mut pairs = host::with_room(offsets.len())?;
        pairs.push(0);
        // Kernels count runs in 32 bits.
        let most = u64::from(u32::MAX) * u64::from(RUN);
        let mut before = 0_usize;
        for ends in offsets.windows(2) {
            let own = triangle::pairs(ends[1] - ends[0], false);
            let after = own.and_then(|own| before.checked_add(own));
            let after = after.filter(|pairs| *pairs as u64 <= most);
            before = after.ok_or_else(|| {
                let problem = format!(
                    "the sets have more than {most} pairs: divide them among several `Sets`"
                );
                Error::arguments(problem)
            })?;
            pairs.push(before);
        }
        Ok(SetOffsets { elements, pairs })
    }

    /// The number of sets.
    pub(crate) fn len(&self) -> usize {
        self.pairs.len().saturating_sub(1)
    }

    /// The number of pairs of all sets.
    pub(crate) fn pair_count(&self) -> usize {
        self.pairs.last().copied().unwrap_or_default()
    }

    /// The elements of a set.
    pub(crate) fn elements_of(&self, set: usize) -> Option<Range<usize>> {
        Some(*self.elements.get(set)? as usize..*self.elements.get(set.checked_add(1)?)? as usize)
    }

    /// The pairs of a set.
    pub(crate) fn pairs_of(&self, set: usize) -> Option<Range<usize>> {
        Some(*self.pairs.get(set)?..*self.pairs.get(set.checked_add(1)?)?)
    }
}

fn wrong_offsets(found: &str) -> Error {
    Error::arguments(format!(
        "{found}: offsets begin with 0 and do not descend, and the last is the number of elements"
    ))
}

/// A value for each pair of many sets, set after set, on the host: from [`PackedSets::download`](crate::PackedSets::download).
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
#[derive(Clone)]
pub struct HostPackedSets<T> {
    values: Vec<T>,
    offsets: Arc<SetOffsets>,
}

impl<T> HostPackedSets<T> {
    /// Values for all pairs.
    pub(crate) fn of(offsets: Arc<SetOffsets>, values: Vec<T>) -> HostPackedSets<T> {
        HostPackedSets { values, offsets }
    }

    /// The number of sets.
    pub fn len(&self) -> usize {
        self.offsets.len()
    }

    /// Whether there are no sets.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The values of a set's pairs, in packed rows. `None` if there is no such set.
    pub fn set(&self, set: usize) -> Option<&[T]> {
        self.values.get(self.offsets.pairs_of(set)?)
    }

    /// The value of the pair (i, j) of a set; `i` and `j` count the set's elements. `None` unless i > j is a pair of the set.
    pub fn get(&self, set: usize, i: usize, j: usize) -> Option<&T> {
        let has_pair = self.offsets.elements_of(set)?.len() > i && i > j;
        self.set(set)?.get(triangle::pairs(i, false)? + j).filter(|_| has_pair)
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

impl<T> fmt::Debug for HostPackedSets<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HostPackedSets")
            .field("sets", &self.len())
            .field("pairs", &self.values.len())
            .finish_non_exhaustive()
    }
}

//! The nearest neighbours of each element, on a device.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;
use std::time::Duration;

use super::Neighbours;
use super::extrema::private::{Celled as _, Small};
use crate::backend::{Backend, Notes};
use crate::memory::Memory;
use crate::memory::gathered::{Gathered, Parted, sealed};
use crate::{Error, Result, Target, host};

/// The K nearest others of each element, on a device, from [`Target::nearest`]: what `#[each] near: &mut Nearest<T, K>` is
/// in a launch, and `#[row]` for the rows of two sets, each of which has its nearest columns. K is from 1 to 256.
///
/// The body pushes a value for the pair, a distance or anything that is least for what is nearest: `near.push(value)`
/// offers it to both elements, so that each pair is computed once. Where a body pushes several values for a pair, the least
/// of them counts; where it pushes none, the two are no neighbours.
///
/// ```
/// use td_kernel::{Device, td_kernel};
///
/// #[td_kernel]
/// unsafe fn nearest(#[each] p: &[[f32; 2]], #[each] near: &mut Nearest<f32, 2>) {
///     r#"
///     float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y;
///     near.push(dx * dx + dy * dy);
///     "#
/// }
///
/// let device = Device::cpu()?;
/// let p = device.upload(&[[0.0, 0.0], [1.0, 0.0], [0.0, 2.0], [5.0, 5.0]])?;
/// let mut near = device.nearest(4)?; // a `Nearest<f32, 2>`, as the launch says
/// nearest::load(&device)?.launch(&p, &mut near)?;
/// let near = near.download()?;
/// assert_eq!(near.row(0), Some((&[1, 2][..], &[1.0, 4.0][..])));
/// assert_eq!(near.indices(), [1, 2, 0, 2, 0, 1, 2, 1]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
///
/// # What is found
///
/// Exactly the K least by value and then by index, in this order, ties included: the same in every run. An element is its own neighbour only with `diagonal = true`, where it is offered the pair with
/// itself, once, as any other. Values that are no number (NaN) are not taken, -0 counts as 0, and infinity is a value
/// like others, the last. 16-bit floats are compared as floats, before they are rounded.
///
/// A product is fused with an addition only where the body calls `fmaf`. So the value of a pair has the same bits in every
/// tile and on every GPU, as long as the functions that the body calls have the same bits there.
///
/// A launch goes on with what the launches before have found, as [`Minima`](crate::Minima) do: several sets of data
/// can be searched one after another. The same value with the same index is kept once. [`clear`](Nearest::clear)
/// forgets all.
///
/// # How it is done
///
/// Nothing is stored for a pair unless it may be among the nearest of one of its elements: it is compared with the value of
/// the farthest of the K found so far. What passes goes to the element's queue, and is merged between *rounds*, which
/// double: after each, an element has seen twice as many others. Where a queue was full, the round is repeated in smaller
/// ones, so that nothing is lost, whatever the order of the data. A launch waits for its rounds, and so returns when its work
/// is done.
///
/// Several [`Devices`](crate::Devices) find the same, to the last bit. Each visits some of the pairs in rounds of its own, and
/// keeps the K nearest of every element; in the end of a launch each takes what the others have of some of the elements, and
/// merges it. Of two sets each has some of the rows, with all columns, unless there are few rows.
///
/// On [`Device::cpu`](crate::Device::cpu) there are plain loops without rounds: what may be among the nearest goes there at once. Elements that
/// lie side by side meet first, so that points in any order of space are found fastest.
///
/// On each device an element takes 8 bytes for each neighbour, and 8 for each place in its queue: 8 K places, rounded up to a power of
/// two, or two tiles, if that is more.
///
/// # For two sets
///
/// ```
/// use td_kernel::{Device, td_kernel};
///
/// #[td_kernel]
/// unsafe fn nearest(#[row] query: &[i32], #[column] data: &[i32], #[row] near: &mut Nearest<i32, 3>) {
///     r#" near.push(abs(query - data)); "#
/// }
///
/// let device = Device::cpu()?;
/// let (query, data) = (device.upload(&[4, 9])?, device.upload(&[5, 3])?);
/// let mut near = device.nearest(2)?;
/// nearest::load(&device)?.launch(&query, &data, &mut near)?;
/// let near = near.download()?;
/// // Of equal values the smaller index comes first; and there are no three.
/// assert_eq!(near.row(0), Some((&[0, 1][..], &[1, 1][..])));
/// assert_eq!(near.indices(), [0, 1, u32::MAX, 0, 1, u32::MAX]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
pub struct Nearest<T, const K: usize> {
    /// K for each element, the nearest first: each with the rank of a value, complemented, above the complement of an
    /// index. Zero is none.
    pub(crate) cells: Memory<u64>,
    /// For each element the value of its last cell, as kernels compare with it. A launch begins with making it.
    pub(crate) bounds: Memory<u32>,
    /// What waits to be merged: `capacity` cells for each element, and how many there are.
    pub(crate) queues: Memory<u64>,
    pub(crate) counts: Memory<u32>,
    pub(crate) capacity: u32,
    /// What a launch needs of each device.
    pub(crate) searches: Vec<OfDevice>,
    pub(crate) homes: Homes,
    elements: usize,
    values: PhantomData<T>,
}

/// What a launch needs of a device, and tells of it.
pub(crate) struct OfDevice {
    /// A word that is not 0 where a queue was full, and what reads it while the device goes on.
    pub(crate) missed: Memory<u32>,
    pub(crate) notes: Option<Box<dyn Notes>>,
    /// The times of the last launch, if they are measured.
    pub(crate) times: Option<Times>,
}

/// How long a device has searched, and how much of that it has merged queues.
#[derive(Clone, Copy, Default)]
pub(crate) struct Times {
    pub(crate) all: Duration,
    pub(crate) merges: Duration,
}

/// Of several devices: the elements whose cells on a device are their neighbours, in the order of the devices. (On others
/// they have some of these.) Empty where nothing has been found yet, and on one device.
pub(crate) type Homes = Vec<Range<usize>>;

/// The elements of the largest tile of a kernel that looks for neighbours.
const TILE: usize = 256;

/// The most neighbours of an element that a kernel looks for.
const MOST: usize = 256;

/// What [`Nearest`] are found by: `f32`, `i8`, `i16`, `i32`, `u8`, `u16`, `u32`, and of the crate half `f16` and `bf16`.
/// A value shares a word of 64 bits with an index.
///
/// ```
/// use td_kernel::{Nearest, NearestValue, Result};
///
/// /// The nearest one of each element.
/// fn first<T: NearestValue, const K: usize>(near: &Nearest<T, K>) -> Result<Vec<Option<u32>>> {
///     let near = near.download()?;
///     Ok(near.rows().map(|(_, neighbours, _)| neighbours.first().copied()).collect())
/// }
/// # let near = td_kernel::Device::cpu()?.nearest::<f32, 3>(1)?;
/// # assert_eq!(first(&near)?, [None]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
///
/// No other type can implement it.
#[diagnostic::on_unimplemented(
    message = "`Nearest` cannot hold `{Self}`",
    label = "not a number of at most 32 bits",
    note = "write `f32`, or an integer of at most 32 bits: value and index are kept in one word of 64"
)]
pub trait NearestValue: Small {}

impl<T: Small> NearestValue for T {}

/// Refuses a number of neighbours that no element can have.
pub(crate) fn expect_count(found: usize) -> Result<()> {
    match found {
        1..=MOST => Ok(()),
        _ => Err(Error::arguments(format!(
            "a `Nearest` keeps from 1 to {MOST} neighbours of each element, and not {found}"
        ))),
    }
}

impl Target {
    /// The nearest of each of `n` elements, none so far. The value's type and K follow from the launch that is given it;
    /// where there is none, `device.nearest::<f32, 10>(n)` says them.
    ///
    /// # Errors
    ///
    /// K is not from 1 to 256, there is not enough memory, or the device fails.
    pub fn nearest<T: NearestValue, const K: usize>(&self, n: usize) -> Result<Nearest<T, K>> {
        expect_count(K)?;
        let backend = self.backend();
        // More elements than memory has bytes are refused as too many bytes.
        let cells = Memory::zeroed(backend, n.saturating_mul(K))?;
        let searches = self.devices().iter().enumerate().map(|(at, device)| {
            let backend = device.backend();
            let of_device = Memory::zeroed(backend, 1)
                .and_then(|missed| Ok(OfDevice { missed, notes: backend.notes()?, times: None }));
            of_device.map_err(|error| match self.is_several() {
                true => error.on_device(at, device.name()),
                false => error,
            })
        });
        let searches = searches.collect::<Result<_>>()?;
        Ok(Nearest {
            cells,
            // Blocks may read those of a whole tile.
            bounds: Memory::zeroed(backend, n.div_ceil(TILE).saturating_mul(TILE))?,
            queues: Memory::empty(),
            counts: Memory::zeroed(backend, n)?,
            capacity: 0,
            searches,
            homes: Homes::new(),
            elements: n,
            values: PhantomData,
        })
    }
}

impl<T, const K: usize> Nearest<T, K> {
    /// The number of elements.
    pub fn len(&self) -> usize {
        self.elements
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Has each launch from now on measure how long it merges queues, which [`merging`](Nearest::merging) tells.
    ///
    /// ```
    /// use td_kernel::{Device, td_kernel};
    ///
    /// #[td_kernel]
    /// unsafe fn near(#[each] x: &[f32], #[each] near: &mut Nearest<f32, 1>) {
    ///     r#" near.push(fabsf(x.i - x.j)); "#
    /// }
    ///
    /// let device = Device::emulator()?;
    /// let (x, mut found) = (device.upload(&[0.0_f32, 3.0, 1.0])?, device.nearest(3)?);
    /// found.measure_merging();
    /// near::load(&device)?.launch(&x, &mut found)?;
    /// assert!(found.merging().is_some_and(|share| share > 0.0 && share < 1.0));
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    pub fn measure_merging(&mut self) {
        self.searches.iter_mut().for_each(|search| search.times = Some(Times::default()));
    }

    /// The share of the last launch's time, from 0 to 1, in which what rounds had queued was merged; of several devices, of the
    /// time that all of them took, but for what they merge in the end. `None` where it was not
    /// [measured](Nearest::measure_merging), or where there was nothing to merge: plain loops have no queues.
    pub fn merging(&self) -> Option<f64> {
        let times = || self.searches.iter().filter_map(|search| search.times);
        let all: Duration = times().map(|times| times.all).sum();
        let merges: Duration = times().map(|times| times.merges).sum();
        (!all.is_zero()).then(|| merges.as_secs_f64() / all.as_secs_f64())
    }

    /// Makes room for this many cells in each queue, where there is less.
    pub(crate) fn make_room(&mut self, backend: &dyn Backend, capacity: u32) -> Result<()> {
        if self.capacity >= capacity {
            return Ok(());
        }
        // Nothing waits between launches, unless one has failed; its pairs will be visited again.
        self.counts.clear()?;
        self.capacity = 0;
        self.queues = Memory::empty();
        self.queues = Memory::zeroed(backend, self.elements.saturating_mul(capacity as usize))?;
        self.capacity = capacity;
        Ok(())
    }

    /// Forgets all neighbours.
    ///
    /// # Errors
    ///
    /// The device failed.
    pub fn clear(&mut self) -> Result<()> {
        self.cells.clear()?;
        self.counts.clear()?;
        self.homes.clear();
        self.searches.iter_mut().try_for_each(|search| search.missed.clear())
    }
}

impl<T: NearestValue, const K: usize> Nearest<T, K> {
    /// The nearest of each element, once the kernels launched so far have ended.
    ///
    /// # Errors
    ///
    /// The device failed, perhaps in a kernel launched before.
    pub fn download(&self) -> Result<Neighbours<T>> {
        self.neighbours(&self.complete_cells()?)
    }

    /// The cells of each element, from where it has all.
    fn complete_cells(&self) -> Result<Vec<u64>> {
        match self.homes.as_slice() {
            [] => self.cells.download(),
            homes => {
                let mut cells = host::zeros(self.cells.len())?;
                for (device, home) in homes.iter().enumerate() {
                    let home = home.start * K..home.end * K;
                    let found = self.cells.download_of_device(device, home.clone())?;
                    cells[home].copy_from_slice(&found);
                }
                Ok(cells)
            }
        }
    }

    /// What cells stand for.
    fn neighbours(&self, cells: &[u64]) -> Result<Neighbours<T>> {
        let found = cells.iter().map(|cell| <(T, u32)>::of(&[*cell], true));
        Neighbours::of(self.elements, K, found)
    }

    /// What its words are.
    fn parts(&self) -> Parted {
        Parted::of_cells(self.cells.len())
    }
}

impl<T: NearestValue, const K: usize> sealed::Output for Nearest<T, K> {}

impl<T: NearestValue, const K: usize> Gathered for Nearest<T, K> {
    type Found = Neighbours<T>;

    fn words(&self) -> Result<Vec<u64>> {
        self.complete_cells()
    }

    fn join(&self, words: &mut Vec<u64>, others: &[u64]) -> Result<()> {
        let parts = self.parts();
        parts.expect(words)?;
        parts.expect(others)?;
        merge(words, others, K);
        Ok(())
    }

    fn found(&self, words: &[u64]) -> Result<Neighbours<T>> {
        self.parts().expect(words)?;
        self.neighbours(words)
    }
}

/// Merges cells into others, so many for each element: both the greatest first, of which equal ones are kept once.
pub(crate) fn merge(own: &mut [u64], others: &[u64], neighbours: usize) {
    let mut merged = Vec::with_capacity(neighbours);
    for (own, others) in own.chunks_exact_mut(neighbours).zip(others.chunks_exact(neighbours)) {
        let (mut left, mut right) = (&*own, others);
        while merged.len() < own.len()
            && let ([first, rest @ ..], [other, others @ ..]) = (left, right)
        {
            merged.push(*first.max(other));
            left = if first >= other { rest } else { left };
            right = if other >= first { others } else { right };
        }
        own.copy_from_slice(&merged);
        merged.clear();
    }
}

impl<T, const K: usize> fmt::Debug for Nearest<T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Nearest");
        debug.field("len", &self.len()).field("neighbours", &K).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::merge;

    #[test]
    fn cells_are_merged_by_element_and_kept_once() {
        // Three elements, of three neighbours each. 0 is none.
        let mut own = [9, 5, 1, 0, 0, 0, 8, 7, 0];
        merge(&mut own, &[7, 5, 4, 3, 0, 0, 7, 0, 0], 3);
        assert_eq!(own, [9, 7, 5, 3, 0, 0, 8, 7, 0]);
        let before = own;
        merge(&mut own, &before, 3);
        assert_eq!(own, before);
        merge(&mut [], &[], 3);
    }
}

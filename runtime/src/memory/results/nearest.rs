//! The nearest neighbours of each element, on a device.

use std::marker::PhantomData;
use std::ops::Range;

use super::HostNearest;
use super::extrema::private::{Celled as _, Small};
use crate::backend::{Backend, Mailbox};
use crate::host::methods::{clear, debug, length};
use crate::memory::Memory;
use crate::memory::partial_result::{Parted, PartialResult, sealed};
use crate::{Error, Result, Target, host};

/// The K nearest others of each element, on a device, from [`Target::nearest`]: the argument for
/// `#[each] near: &mut Nearest<T, K>`, and for `#[row]` with two sets, where each row has its nearest columns. K is from 1 to
/// 256. In a kernel with `Nearest<T>`, [`Target::nearest_k`] sets it at run time.
///
/// The body calls `near.push(value)` with a distance, or any other value that is smaller for nearer pairs. With `#[each]`
/// this offers the value to both elements, so each pair is computed once; with `#[row]`, to the row. If a body pushes several
/// values for a pair, the smallest counts; if it pushes none, the two elements are not neighbours.
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
/// let mut near = device.nearest(4)?; // a `Nearest<f32, 2>`, inferred from the launch
/// nearest::load(&device)?.launch(&p, &mut near)?;
/// let near = near.download()?;
/// assert_eq!(near.row(0), Some((&[1, 2][..], &[1.0, 4.0][..])));
/// assert_eq!(near.indices(), [1, 2, 0, 2, 0, 1, 2, 1]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
///
/// # Results
///
/// Exactly the K smallest values, ordered by value and then by index, ties included: the same in every run. An element is its own
/// neighbour only with `diagonal = true`; the pair with itself is then offered once, like any other. NaN is ignored, -0 counts as
/// 0, and infinity is an ordinary value, the last one. 16-bit floats are compared as `float`, before they are rounded.
///
/// A product is fused with an addition only where the body calls `fmaf`. So the value of a pair has the same bits in every tile
/// and on every GPU, as long as the functions that the body calls do.
///
/// Neighbours accumulate over launches, as in [`Minima`](crate::Minima), so several sets of data can be searched one after
/// another. The same value with the same index is kept once. [`clear`](Nearest::clear) removes all neighbours.
///
/// # Algorithm
///
/// A pair's value is compared with the K-th nearest so far of each of its elements, and stored only if it may be among the K
/// nearest. It then goes to the element's queue. Queues are merged between *rounds*, which double: after each round an element
/// has seen twice as many others. If a queue overflows, the round is repeated in smaller ones, so no neighbour is lost,
/// whatever the order of the data. A launch waits for its rounds, so it returns only when its work is done.
///
/// A kernel with a [lower bound over boxes](crate#only-near-pairs) has no rounds and no queues: each element is compared with
/// the elements near it. On one device the launch returns at once; several devices wait for each other to merge their results.
///
/// Several [`Devices`](crate::Devices) give the same result, to the last bit. Each device visits some of the pairs in its own
/// rounds, and keeps the K nearest of every element. At the end of a launch each device merges the results of all devices for
/// some of the elements. With two sets, each device has some of the rows and all columns, unless there are few rows.
///
/// [`Device::cpu`](crate::Device::cpu) uses loops without rounds, which insert candidates at once. Elements with neighbouring
/// indices meet first, so points in spatial order are searched fastest.
///
/// On each device an element takes 8 bytes for each neighbour, and 8 for each slot of its queue: 8 K slots, rounded up to a
/// power of two, or two tiles if that is more.
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
/// // Of equal values the smaller index comes first. Each row has fewer than three neighbours.
/// assert_eq!(near.row(0), Some((&[0, 1][..], &[1, 1][..])));
/// assert_eq!(near.indices(), [0, 1, u32::MAX, 0, 1, u32::MAX]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
///
/// # For many sets
///
/// With [`Sets`](crate::Sets), each element has the nearest elements of its own set. Elements are those of all sets, set after set; an
/// index counts within the set.
///
/// ```
/// use td_kernel::{Device, td_kernel};
///
/// #[td_kernel]
/// unsafe fn nearest(#[each] x: &Sets<f32>, #[each] near: &mut Nearest<f32, 2>) {
///     r#" near.push(fabsf(x.i - x.j)); "#
/// }
///
/// let device = Device::cpu()?;
/// let x = device.upload_sets([&[0.0, 5.0, 1.0, 2.5][..], &[3.0, 7.0]])?;
/// let mut near = device.nearest(x.element_count())?;
/// nearest::load(&device)?.launch(&x, &mut near)?;
/// let near = near.download()?;
/// assert_eq!(near.row(1), Some((&[3, 2][..], &[2.5, 4.0][..])));
/// // The first element of the second set, which has one other element.
/// assert_eq!(near.row(4), Some((&[1][..], &[4.0][..])));
/// # Ok::<(), td_kernel::Error>(())
/// ```
///
/// A thread has an element and visits its whole set, so the launch has neither rounds nor queues, and returns at once. With several
/// devices, each one finds the neighbours of some elements.
pub struct Nearest<T, const K: usize = 0> {
    /// Some for each element, the nearest first: the complement of a value's rank, above the complement of an index. Zero is an
    /// empty cell.
    pub(crate) cells: Memory<u64>,
    /// The value of each element's last cell, for kernels to compare with. A launch first computes these.
    pub(crate) bounds: Memory<u32>,
    /// The queues: `capacity` cells for each element, and the number in use.
    pub(crate) queues: Memory<u64>,
    pub(crate) counts: Memory<u32>,
    pub(crate) capacity: u32,
    /// A launch's state on each device.
    pub(crate) states: Vec<DeviceState>,
    pub(crate) final_ranges: FinalRanges,
    elements: usize,
    /// The number of neighbours of an element that a download has, and that a kernel keeps, which is larger if K is set at
    /// run time.
    k: usize,
    pub(crate) cells_of_element: usize,
    /// Whether a kernel over `Sets` found neighbours, so that indices count within a set.
    pub(crate) is_of_sets: bool,
    values: PhantomData<T>,
}

/// A launch's state on a device.
pub(crate) struct DeviceState {
    /// Nonzero after a queue overflowed; the host reads it while the device continues.
    pub(crate) missed: Memory<u32>,
    pub(crate) mailbox: Option<Box<dyn Mailbox>>,
}

/// With several devices: the elements whose final cells are on each device, in the order of the devices. (Other devices have
/// partial results for them.) Empty on one device, and while nothing has been found. All elements on each device if launches over
/// different `Sets` have divided them differently: then a download merges the cells of all.
pub(crate) type FinalRanges = Vec<Range<usize>>;

/// The rows or columns of the largest tile of a kernel with nearest neighbours.
const TILE: usize = 256;

/// The most neighbours of an element.
const MOST: usize = 256;

/// The fewest neighbours for which a kernel with a K at run time is compiled.
const LEAST: usize = 8;

/// The values of [`Nearest`]: `f32`, `i8`, `i16`, `i32`, `u8`, `u16`, `u32`, and `f16` and `bf16` of the crate half. A value
/// shares a 64-bit word with an index.
///
/// ```
/// use td_kernel::{Nearest, NearestValue, Result};
///
/// /// The nearest neighbour of each element.
/// fn first<T: NearestValue, const K: usize>(near: &Nearest<T, K>) -> Result<Vec<Option<u32>>> {
///     let near = near.download()?;
///     Ok(near.rows().map(|(_, neighbours, _)| neighbours.first().copied()).collect())
/// }
/// # let near = td_kernel::Device::cpu()?.nearest::<f32, 3>(1)?;
/// # assert_eq!(first(&near)?, [None]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
///
/// This trait is sealed.
#[diagnostic::on_unimplemented(
    message = "`Nearest` cannot hold `{Self}`",
    label = "not a number of at most 32 bits",
    note = "write `f32`, or an integer of at most 32 bits: the value and the index share a 64-bit word"
)]
pub trait NearestValue: Small {}

impl<T: Small> NearestValue for T {}

/// Checks the number of neighbours.
pub(crate) fn expect_count(found: usize) -> Result<()> {
    match found {
        1..=MOST => Ok(()),
        _ => Err(Error::arguments(format!(
            "a `Nearest` keeps 1 to {MOST} neighbours of each element, not {found}"
        ))),
    }
}

impl Target {
    /// The nearest neighbours of each of `n` elements, initially none. The launch determines the value's type and K; without a
    /// launch, write `device.nearest::<f32, 10>(n)`.
    ///
    /// # Errors
    ///
    /// K is not from 1 to 256, there is not enough memory, or the device fails.
    pub fn nearest<T: NearestValue, const K: usize>(&self, n: usize) -> Result<Nearest<T, K>> {
        if K == 0 {
            return Err(Error::arguments(
                "the kernel's `Nearest<T>` does not have the number of neighbours: write `device.nearest_k(n, k)`",
            ));
        }
        expect_count(K)?;
        self.nearest_of(n, K, K)
    }

    /// The `k` nearest neighbours of each of `n` elements, initially none: the argument for `#[each] near: &mut Nearest<T>`,
    /// without a number. The first launch compiles the kernel for the next of 8, 16, 32, 64, 128 and 256 neighbours, which an
    /// element keeps; a download has the `k` nearest of them.
    ///
    /// ```
    /// use td_kernel::{Device, td_kernel};
    ///
    /// #[td_kernel]
    /// unsafe fn nearest(#[each] x: &[f32], #[each] near: &mut Nearest<f32>) {
    ///     r#" near.push(fabsf(x.i - x.j)); "#
    /// }
    ///
    /// let device = Device::cpu()?;
    /// let (x, kernel) = (device.upload(&[1.0, 9.0, 2.0, 5.0])?, nearest::load(&device)?);
    /// for k in 1..4 {
    ///     let mut near = device.nearest_k(4, k)?;
    ///     kernel.launch(&x, &mut near)?;
    ///     assert_eq!(near.download()?.indices()[..k], [2, 3, 1][..k]);
    /// }
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `k` is not from 1 to 256, there is not enough memory, or the device fails.
    pub fn nearest_k<T: NearestValue>(&self, n: usize, k: usize) -> Result<Nearest<T>> {
        expect_count(k)?;
        self.nearest_of(n, k, k.next_power_of_two().max(LEAST))
    }

    /// The `k` nearest neighbours of each element, in memory for a few more.
    fn nearest_of<T, const K: usize>(
        &self,
        n: usize,
        k: usize,
        cells_of_element: usize,
    ) -> Result<Nearest<T, K>> {
        let backend = self.backend();
        // An overflow saturates, and the allocation then fails as too large.
        let cells = Memory::zeroed(backend, n.saturating_mul(cells_of_element))?;
        let states = self.devices().iter().enumerate().map(|(at, device)| {
            let backend = device.backend();
            let state = Memory::zeroed(backend, 1)
                .and_then(|missed| Ok(DeviceState { missed, mailbox: backend.mailbox()? }));
            state.map_err(|error| self.named(at, error))
        });
        let states = states.collect::<Result<_>>()?;
        Ok(Nearest {
            cells,
            // Blocks may read the bounds of a whole tile.
            bounds: Memory::zeroed(backend, n.div_ceil(TILE).saturating_mul(TILE))?,
            queues: Memory::empty(),
            counts: Memory::zeroed(backend, n)?,
            capacity: 0,
            states,
            final_ranges: FinalRanges::new(),
            elements: n,
            k,
            cells_of_element,
            is_of_sets: false,
            values: PhantomData,
        })
    }
}

impl<T, const K: usize> Nearest<T, K> {
    length!(self, "elements", self.elements);

    /// Grows each queue to this many cells.
    pub(crate) fn make_room(&mut self, backend: &dyn Backend, capacity: u32) -> Result<()> {
        if self.capacity >= capacity {
            return Ok(());
        }
        // Queues are empty between launches, except after a failed one, whose pairs will be visited again.
        self.counts.clear()?;
        self.capacity = 0;
        self.queues = Memory::empty();
        self.queues = Memory::zeroed(backend, self.elements.saturating_mul(capacity as usize))?;
        self.capacity = capacity;
        Ok(())
    }

    clear!(self, "Removes all neighbours.", {
        self.is_of_sets = false;
        self.cells.clear()?;
        self.counts.clear()?;
        self.final_ranges.clear();
        self.states.iter_mut().try_for_each(|state| state.missed.clear())
    });
}

impl<T: NearestValue, const K: usize> Nearest<T, K> {
    /// Downloads the nearest neighbours of each element, after the kernels launched so far.
    ///
    /// # Errors
    ///
    /// The device failed, perhaps in a kernel launched before.
    pub fn download(&self) -> Result<HostNearest<T>> {
        self.neighbours(&self.complete_cells()?)
    }

    /// The cells of each element, from the device that has its final ones.
    fn complete_cells(&self) -> Result<Vec<u64>> {
        match self.final_ranges.as_slice() {
            [] => self.cells.download(),
            final_ranges => {
                let (mut cells, k) = (host::zeros(self.cells.len())?, self.cells_of_element);
                let mut end = 0;
                for (device, range) in final_ranges.iter().enumerate() {
                    let range = range.start * k..range.end * k;
                    let found = self.cells.download_of_device(device, range.clone())?;
                    match range.start >= end {
                        true => cells[range.clone()].copy_from_slice(&found),
                        false => merge(&mut cells[range.clone()], &found, k),
                    }
                    end = range.end;
                }
                Ok(cells)
            }
        }
    }

    fn neighbours(&self, cells: &[u64]) -> Result<HostNearest<T>> {
        let kept = cells.chunks_exact(self.cells_of_element).flat_map(|cells| &cells[..self.k]);
        let found = kept.map(|cell| <(T, u32)>::of(&[*cell], true));
        let mut near = HostNearest::of(self.elements, self.k, found)?;
        near.is_of_sets = self.is_of_sets;
        Ok(near)
    }

    /// The layout of its words.
    fn parts(&self) -> Parted {
        Parted::with_cells(self.cells.len())
    }
}

impl<T: NearestValue, const K: usize> sealed::Output for Nearest<T, K> {}

impl<T: NearestValue, const K: usize> PartialResult for Nearest<T, K> {
    type Output = HostNearest<T>;

    fn to_bits(&self) -> Result<Vec<u64>> {
        self.complete_cells()
    }

    fn join(&self, words: &mut Vec<u64>, others: &[u64]) -> Result<()> {
        let parts = self.parts();
        parts.expect(words)?;
        parts.expect(others)?;
        merge(words, others, self.cells_of_element);
        Ok(())
    }

    fn finish(&self, words: &[u64]) -> Result<HostNearest<T>> {
        self.parts().expect(words)?;
        self.neighbours(words)
    }
}

/// Merges `others` into `own`: for each element `neighbours` cells in descending order. Equal cells, the same value with the same
/// index, are kept once.
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

debug!([T, const K: usize] Nearest<T, K>, self: len = self.len(), neighbours = self.k);

#[cfg(test)]
mod tests {
    use super::merge;

    #[test]
    fn merge_keeps_each_cell_once() {
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

//! Lists of pairs.

mod csr;
mod list;
#[cfg(test)]
mod tests;

pub use self::csr::Csr;
pub use self::list::HostPairs;
pub(crate) use self::list::expect_one_set;
use crate::error::{Detail, counted};
use crate::host::methods::{clear, debug};
use crate::memory::Memory;
use crate::memory::pair_bounds::Bounds;
use crate::{DeviceType, Error, ErrorKind, Result, Target, host};

/// A list of index pairs on a device, from [`Target::pairs`](crate::Target::pairs). Each launch appends to it.
///
/// ```
/// use td_kernel::{Device, td_kernel};
///
/// #[td_kernel]
/// unsafe fn close(#[each] x: &[f32], limit: f32, list: &mut Pairs) {
///     r#" if (fabsf(x.i - x.j) < limit) list.push(); "#
/// }
///
/// let device = Device::cpu()?;
/// let kernel = close::load(&device)?;
/// let x = device.upload(&[1.0, 2.0, 4.0])?;
/// let mut list = device.pairs(1)?;
/// kernel.launch(&x, 1.5, &mut list)?;
/// assert_eq!(list.download()?.pairs(), [[1, 0]]);
/// // If the list is too short, the error has the needed capacity.
/// list.clear()?;
/// kernel.launch(&x, 9.0, &mut list)?;
/// assert_eq!(list.download().unwrap_err().needed(), Some(3));
/// # Ok::<(), td_kernel::Error>(())
/// ```
///
/// # Pairs with values
///
/// In a `Pairs<T>` each pair has a value, of any type that slots can have: the body pushes it. A pair that the body pushes
/// several times is listed once, with the last value.
///
/// ```
/// use td_kernel::{Device, td_kernel};
///
/// #[td_kernel]
/// unsafe fn close(#[each] x: &[f32], limit: f32, list: &mut Pairs<f32>) {
///     r#"
///     float distance = fabsf(x.i - x.j);
///     if (distance < limit) list.push(distance);
///     "#
/// }
///
/// let device = Device::cpu()?;
/// let x = device.upload(&[1.0, 2.0, 4.0])?;
/// let mut list = device.pairs(3)?; // a `Pairs<f32>`, inferred from the launch
/// close::load(&device)?.launch(&x, 2.5, &mut list)?;
/// let list = list.download()?.sorted()?;
/// assert_eq!((list.pairs(), list.values()), (&[[1, 0], [2, 1]][..], &[1.0, 2.0][..]));
/// // The neighbours of each element.
/// let graph = list.to_csr(3)?;
/// assert_eq!(graph.row(1), Some((&[0, 2][..], &[1.0, 2.0][..])));
/// # Ok::<(), td_kernel::Error>(())
/// ```
///
/// # For many sets
///
/// Beside [`Sets`](crate::Sets), i and j count within a set, so a launch takes a `Pairs<u32>` for `list: &mut Pairs`: the value is the
/// index of the pair's set.
///
/// ```
/// use td_kernel::{Device, td_kernel};
///
/// #[td_kernel]
/// unsafe fn close(#[each] x: &Sets<f32>, limit: f32, list: &mut Pairs) {
///     r#" if (fabsf(x.i - x.j) < limit) list.push(); "#
/// }
///
/// let device = Device::cpu()?;
/// let x = device.upload_sets([&[1.0, 2.0][..], &[5.0], &[2.0, 9.0, 3.0]])?;
/// let mut list = device.pairs(3)?;
/// close::load(&device)?.launch(&x, 1.5, &mut list)?;
/// let list = list.download()?;
/// let mut list: Vec<_> = list.iter().map(|([i, j], set)| [*set, i, j]).collect();
/// list.sort();
/// assert_eq!(list, [[0, 1, 0], [2, 2, 0]]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
pub struct Pairs<T = ()> {
    /// For pairs without values: i and j together, so that a pair is one store.
    pub(crate) list: Memory<[u32; 2]>,
    /// For pairs with values: separate arrays of i, j and values.
    pub(crate) i: Memory<u32>,
    pub(crate) j: Memory<u32>,
    pub(crate) values: Memory<T>,
    pub(crate) count: Memory<u64>,
    /// The pairs that the launches so far may have pushed.
    pub(crate) bounds: Bounds,
    capacity: usize,
}

/// The value of a pair on a list: `()` for none, or a [`DeviceType`].
///
/// ```
/// use td_kernel::{Device, PairValue, Pairs, Result};
///
/// /// A list with twice the capacity.
/// fn larger<T: PairValue>(device: &Device, list: &Pairs<T>) -> Result<Pairs<T>> {
///     device.pairs(2 * list.capacity())
/// }
///
/// let device = Device::cpu()?;
/// let (plain, valued) = (device.pairs::<()>(4)?, device.pairs::<[f32; 3]>(8)?);
/// assert_eq!(larger(&device, &plain)?.capacity() + larger(&device, &valued)?.capacity(), 24);
/// # Ok::<(), td_kernel::Error>(())
/// ```
///
/// This trait is sealed.
#[diagnostic::on_unimplemented(
    message = "`Pairs` cannot hold values of type `{Self}`",
    label = "not a type that a GPU shares with Rust",
    note = "write `Pairs` for pairs without values, or the type that the kernel names, as in `Pairs<f32>`"
)]
pub trait PairValue: sealed::Value {
    /// An empty list with this capacity.
    #[doc(hidden)]
    fn room(device: &Target, capacity: usize) -> Result<Pairs<Self>>;

    /// The pairs of a list, where `counts` has the number on each device.
    #[doc(hidden)]
    fn download(list: &Pairs<Self>, counts: &[usize]) -> Result<HostPairs<Self>>;
}

impl PairValue for () {
    fn room(device: &Target, capacity: usize) -> Result<Pairs> {
        let backend = device.backend();
        Ok(Pairs {
            list: Memory::zeroed(backend, capacity)?,
            i: Memory::empty(),
            j: Memory::empty(),
            values: Memory::empty(),
            count: Memory::zeroed(backend, 1)?,
            bounds: Bounds::default(),
            capacity,
        })
    }

    fn download(list: &Pairs, counts: &[usize]) -> Result<HostPairs> {
        let mut pairs = Vec::new();
        for (device, count) in counts.iter().enumerate() {
            append(&mut pairs, list.list.download_of_device(device, 0..*count)?)?;
        }
        Ok(pairs.into())
    }
}

impl<T: DeviceType> PairValue for T {
    fn room(device: &Target, capacity: usize) -> Result<Pairs<T>> {
        let backend = device.backend();
        Ok(Pairs {
            list: Memory::empty(),
            i: Memory::zeroed(backend, capacity)?,
            j: Memory::zeroed(backend, capacity)?,
            values: Memory::zeroed(backend, capacity)?,
            count: Memory::zeroed(backend, 1)?,
            bounds: Bounds::default(),
            capacity,
        })
    }

    fn download(list: &Pairs<T>, counts: &[usize]) -> Result<HostPairs<T>> {
        // In pieces, so that the indices of few pairs are in host memory twice.
        const PIECE: usize = 1 << 22;
        let (mut pairs, mut values) = (host::with_room(counts.iter().sum())?, Vec::new());
        for (device, &count) in counts.iter().enumerate() {
            for begin in (0..count).step_by(PIECE) {
                let piece = begin..count.min(begin + PIECE);
                let i = list.i.download_of_device(device, piece.clone())?;
                let j = list.j.download_of_device(device, piece)?;
                pairs.extend(i.into_iter().zip(j).map(|(i, j)| [i, j]));
            }
            append(&mut values, list.values.download_of_device(device, 0..count)?)?;
        }
        HostPairs::from_vecs(pairs, values)
    }
}

/// Appends the pairs of a device. Those of the first device are moved, not copied.
fn append<T>(all: &mut Vec<T>, more: Vec<T>) -> Result<()> {
    if all.is_empty() {
        *all = more;
    } else {
        host::make_room(all, more.len())?;
        all.extend(more);
    }
    Ok(())
}

mod sealed {
    /// `()`, or a type that a GPU shares with Rust.
    pub trait Value: Sized {}

    impl Value for () {}
    impl<T: crate::DeviceType> Value for T {}
}

impl Target {
    /// An empty list with room for `capacity` pairs. The launch determines whether they have values; without a launch, write
    /// `device.pairs::<()>(capacity)` or `device.pairs::<f32>(capacity)`.
    ///
    /// # Errors
    ///
    /// Not enough memory, or the device fails.
    pub fn pairs<T: PairValue>(&self, capacity: usize) -> Result<Pairs<T>> {
        T::room(self, capacity)
    }
}

impl<T> Pairs<T> {
    /// The number of pairs that fit.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// The number of pairs pushed so far, which can exceed the capacity.
    ///
    /// # Errors
    ///
    /// The device failed, perhaps in a kernel launched before.
    pub fn count(&self) -> Result<u64> {
        Ok(self.counts()?.iter().fold(0, |sum, count| sum.saturating_add(*count)))
    }

    /// The number of pairs pushed on each device.
    fn counts(&self) -> Result<Vec<u64>> {
        self.count.download_all()
    }

    /// The number of pairs pushed on each device, or an error if more were pushed than fit.
    pub(crate) fn fitting_counts(&self) -> Result<Vec<usize>> {
        let counts = self.counts()?;
        let needed = counts.iter().fold(0, |sum: u64, count| sum.saturating_add(*count));
        // Each device has the full capacity, so if one device's list overflows, the total exceeds the capacity, too.
        let needed = usize::try_from(needed).unwrap_or(usize::MAX);
        if needed > self.capacity {
            let capacity = self.capacity;
            let were = if needed == 1 { "was" } else { "were" };
            let problem = format!(
                "{} {were} pushed, but the capacity is {capacity}: use `device.pairs({needed})`",
                counted(needed, "pair")
            );
            return Err(Error::new(ErrorKind::PairsOverflow, problem)
                .with(Detail::Amounts { needed: Some(needed), limit: Some(capacity) }));
        }
        Ok(counts.into_iter().map(|count| count as usize).collect())
    }

    clear!(self, "Empties the list.", {
        self.count.clear()?;
        self.bounds = Bounds::default();
        // The rest of the memory is ignored from now on.
        self.list.forget_failure();
        self.i.forget_failure();
        self.j.forget_failure();
        self.values.forget_failure();
        Ok(())
    });
}

impl<T: PairValue> Pairs<T> {
    /// Downloads the pairs, in the arbitrary order in which threads pushed them. [`sorted`](HostPairs::sorted) gives the same
    /// order in every run.
    ///
    /// # Errors
    ///
    /// More pairs were pushed than fit ([`Error::needed`](crate::Error::needed) is their number), or the device failed.
    pub fn download(&self) -> Result<HostPairs<T>> {
        let list = T::download(self, &self.fitting_counts()?)?;
        Ok(HostPairs { is_of_sets: self.bounds.is_of_sets, ..list })
    }
}

debug!([T] Pairs<T>: capacity);

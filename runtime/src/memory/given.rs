//! Given pairs: a list on a device that a launch visits instead of all pairs.

mod source;

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use td_kernel_geometry::entry_shares;

pub use self::source::PairSource;
use crate::backend::view::{Byte, View};
use crate::host::methods::{debug, length};
use crate::memory::Memory;
use crate::memory::pair_bounds::{Bounds, Elements, Known};
use crate::{HostPairs, Result, Target, host};

/// Pairs on a device that a launch visits instead of all pairs: from [`Target::given_pairs`](crate::Target::given_pairs).
///
/// ```
/// use td_kernel::{Device, td_kernel};
///
/// #[td_kernel]
/// unsafe fn difference(#[each] x: &[f32], difference: &mut Packed<f32>) {
///     r#" difference = x.i - x.j; "#
/// }
///
/// let device = Device::cpu()?;
/// let x = device.upload(&[1.0, 2.0, 4.0, 8.0])?;
/// let pairs = device.given_pairs(&[[3, 1], [2, 0], [3, 2]])?;
/// // A value for each pair of the list, in its order.
/// let mut differences = device.zeroed(pairs.len())?;
/// difference::load(&device)?.pairs(&pairs).launch(&x, &mut differences)?;
/// assert_eq!(differences.download()?, [6.0, 3.0, 4.0]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
///
/// The pairs do not change. Clones are the same list.
#[derive(Clone)]
pub struct GivenPairs {
    shared: Arc<Shared>,
}

struct Shared {
    indices: Indices,
    /// The entries of each device if they differ from device to device; otherwise each device has all of `length`.
    entries_per_device: Option<Vec<usize>>,
    length: usize,
    known: Known,
    /// The launches over the list so far that may visit it by element.
    launches: AtomicU32,
    /// The pairs by element, from the second such launch on; `None` inside if there is not enough memory.
    partners: OnceLock<Option<Partners>>,
}

/// The pairs of a list by element, on its device.
pub(crate) struct Partners {
    /// Where the partners of each element begin.
    pub(crate) starts: Memory<u32>,
    /// For each element, the ends of its two runs of partners: of the pairs in which it is i, and of those in which it is j.
    pub(crate) ends: Memory<u32>,
    pub(crate) partners: Memory<u32>,
    pub(crate) elements: u32,
}

/// The indices on a device.
enum Indices {
    /// i and j of each pair together.
    Together(Memory<[u32; 2]>),
    /// Separate arrays of i and j.
    Apart([Memory<u32>; 2]),
}

impl Target {
    /// The pairs of a list, for launches that visit these instead of all pairs. The list is one of these:
    ///
    /// | `pairs` | indices |
    /// | --- | --- |
    /// | `Pairs` or `Pairs<T>` | those that kernels have pushed; they stay on the device |
    /// | `Buffer<[u32; 2]>` | i and j of each pair, on the device |
    /// | `(Buffer<u32>, Buffer<u32>)` | i of each pair, and j of each pair, on the device |
    /// | `&[[u32; 2]]`, `&HostPairs<T>` | on the host |
    /// | `&Csr<T>` | row by row, on the host; of a symmetric graph each pair once |
    ///
    /// For one set, each pair is `[i, j]` with i > j, or i ≥ j for a kernel with `diagonal = true`; for two sets, it is a row and
    /// a column. A launch checks this, and that the elements exist. For that, this method copies the indices of buffers to the host
    /// once; of a `Pairs` it reads only the length.
    ///
    /// # Errors
    ///
    /// More pairs were pushed than the list has room for, or a kernel over `Sets` pushed them; the two buffers differ in length;
    /// there is not enough memory, or the device fails.
    pub fn given_pairs(&self, pairs: impl PairSource) -> Result<GivenPairs> {
        pairs.given(self)
    }
}

impl GivenPairs {
    /// Pairs in this memory, all on each device, or some.
    fn new(
        indices: Indices,
        entries_per_device: Option<Vec<usize>>,
        length: usize,
        known: Known,
    ) -> GivenPairs {
        let (launches, partners) = (AtomicU32::new(0), OnceLock::new());
        let shared = Shared { indices, entries_per_device, length, known, launches, partners };
        GivenPairs { shared: Arc::new(shared) }
    }

    /// Whether an earlier launch may have visited the list by element.
    pub(crate) fn is_launched_again(&self) -> bool {
        self.shared.launches.fetch_add(1, Ordering::Relaxed) > 0
    }

    /// The pairs by element, made by `make` in the first call. If two threads make them, one result is kept.
    pub(crate) fn partners(
        &self,
        make: impl FnOnce() -> Result<Option<Partners>>,
    ) -> Result<Option<&Partners>> {
        if let Some(made) = self.shared.partners.get() {
            return Ok(made.as_ref());
        }
        let made = make()?;
        Ok(self.shared.partners.get_or_init(|| made).as_ref())
    }

    length!(self, "pairs", self.shared.length);

    /// Whether both are the same list, and not only lists of the same pairs.
    pub fn is_same(&self, other: &GivenPairs) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    /// Copies the pairs to the host, in the order in which a launch visits them.
    ///
    /// # Errors
    ///
    /// There is not enough memory, or the device failed.
    pub fn download(&self) -> Result<HostPairs> {
        let devices = self.shared.entries_per_device.as_ref().map_or(1, Vec::len);
        let mut pairs = host::with_room(self.len())?;
        for (device, part) in self.parts(devices).into_iter().enumerate() {
            match &self.shared.indices {
                Indices::Together(list) => pairs.extend(list.download_of_device(device, part)?),
                Indices::Apart([i, j]) => {
                    let i = i.download_of_device(device, part.clone())?;
                    let j = j.download_of_device(device, part)?;
                    pairs.extend(i.into_iter().zip(j).map(|(i, j)| [i, j]));
                }
            }
        }
        Ok(pairs.into())
    }

    /// The bounds of the indices.
    pub(crate) fn bounds(&self) -> Bounds {
        self.shared.known.bounds()
    }

    /// The entries that each of `devices` devices visits.
    pub(crate) fn parts(&self, devices: usize) -> Vec<Range<usize>> {
        match &self.shared.entries_per_device {
            Some(all) => all.iter().map(|length| 0..*length).collect(),
            None => entry_shares(self.len(), devices).collect(),
        }
    }

    /// The memory of the indices: of i and j together, or of i and of j.
    pub(crate) fn indices(&self) -> (View<'_, Byte>, Option<View<'_, Byte>>) {
        match &self.shared.indices {
            Indices::Together(list) => (list.view().untyped(), None),
            Indices::Apart([i, j]) => (i.view().untyped(), Some(j.view().untyped())),
        }
    }

    /// Checks the pairs against the elements of a launch.
    pub(crate) fn check(&self, elements: &Elements) -> std::result::Result<(), String> {
        self.shared.known.check(elements)
    }
}

debug!([] GivenPairs: len);

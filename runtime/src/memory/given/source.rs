//! What given pairs are made from.

use super::{GivenPairs, Indices};
use crate::memory::Memory;
use crate::memory::pair_bounds::{Known, Read};
use crate::memory::pairs::expect_one_set;
use crate::{Buffer, Csr, Error, HostPairs, PairValue, Pairs, Result, Target, host};

/// A list of pairs, for [`Target::given_pairs`](crate::Target::given_pairs).
///
/// ```
/// use td_kernel::{Device, GivenPairs, HostPairs, PairSource, Result};
///
/// fn count(device: &Device, pairs: impl PairSource) -> Result<usize> {
///     Ok(device.given_pairs(pairs)?.len())
/// }
///
/// let device = Device::cpu()?;
/// let list = HostPairs::from(vec![[1, 0], [2, 1]]);
/// assert_eq!(count(&device, &list)?, 2);
/// // The symmetric graph has each pair twice.
/// assert_eq!(count(&device, &list.to_csr(3)?)?, 2);
/// assert_eq!(count(&device, (device.upload(&[1, 2])?, device.upload(&[0, 1])?))?, 2);
/// # Ok::<(), td_kernel::Error>(())
/// ```
///
/// This trait is sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of pairs",
    label = "expected a list of pairs",
    note = "pass a `Pairs` that kernels have filled, a `&HostPairs`, a `&Csr`, pairs `&[[u32; 2]]`, a `Buffer<[u32; 2]>`, or two buffers `(Buffer<u32>, Buffer<u32>)` of i and j"
)]
pub trait PairSource: sealed::Source {
    /// The pairs, on this device.
    #[doc(hidden)]
    fn given(self, device: &Target) -> Result<GivenPairs>;
}

impl<T: PairValue> PairSource for Pairs<T> {
    fn given(self, _: &Target) -> Result<GivenPairs> {
        expect_one_set(self.bounds.is_of_sets)?;
        let counts = self.fitting_counts()?;
        let Pairs { list, i, j, bounds, .. } = self;
        let indices = match i.len() {
            0 => Indices::Together(list),
            _ => Indices::Apart([i, j]),
        };
        let length = counts.iter().sum();
        Ok(GivenPairs::new(indices, Some(counts), length, Known::Pushed(bounds)))
    }
}

impl PairSource for Buffer<[u32; 2]> {
    fn given(self, _: &Target) -> Result<GivenPairs> {
        let length = self.len();
        let read = read_back(length, |piece| self.memory.download_of_device(0, piece))?;
        Ok(GivenPairs::new(Indices::Together(self.memory), None, length, read))
    }
}

impl PairSource for (Buffer<u32>, Buffer<u32>) {
    fn given(self, _: &Target) -> Result<GivenPairs> {
        let (i, j) = self;
        let length = i.len();
        if length != j.len() {
            return Err(Error::arguments(format!(
                "the list has {length} indices i and {} indices j: pass equally many of each",
                j.len()
            )));
        }
        let read = read_back(length, |piece| {
            let rows = i.memory.download_of_device(0, piece.clone())?;
            let columns = j.memory.download_of_device(0, piece)?;
            host::collected(rows.len(), rows.into_iter().zip(columns).map(|(i, j)| [i, j]))
        })?;
        Ok(GivenPairs::new(Indices::Apart([i.memory, j.memory]), None, length, read))
    }
}

impl PairSource for &[[u32; 2]] {
    fn given(self, device: &Target) -> Result<GivenPairs> {
        let known = Known::Read(Read::of(self.iter().copied()));
        let list = Memory::upload(device.backend(), self)?;
        Ok(GivenPairs::new(Indices::Together(list), None, self.len(), known))
    }
}

impl<const N: usize> PairSource for &[[u32; 2]; N] {
    fn given(self, device: &Target) -> Result<GivenPairs> {
        self.as_slice().given(device)
    }
}

impl PairSource for &Vec<[u32; 2]> {
    fn given(self, device: &Target) -> Result<GivenPairs> {
        self.as_slice().given(device)
    }
}

impl<T> PairSource for &HostPairs<T> {
    fn given(self, device: &Target) -> Result<GivenPairs> {
        expect_one_set(self.is_of_sets)?;
        self.pairs().given(device)
    }
}

impl<T> PairSource for &Csr<T> {
    fn given(self, device: &Target) -> Result<GivenPairs> {
        let mut pairs = host::with_room(self.len())?;
        for (row, neighbours, _) in self.rows() {
            let own = neighbours.iter().filter(|j| !self.is_symmetric() || **j as usize <= row);
            // Rows are numbered by 32 bits, like their neighbours.
            pairs.extend(own.map(|j| [row as u32, *j]));
        }
        pairs.as_slice().given(device)
    }
}

/// Reads pairs on a device, in pieces that fit into host memory.
fn read_back(
    length: usize,
    pairs: impl Fn(std::ops::Range<usize>) -> Result<Vec<[u32; 2]>>,
) -> Result<Known> {
    const PIECE: usize = 1 << 22;
    let mut read = Read::default();
    for begin in (0..length).step_by(PIECE) {
        let piece = begin..length.min(begin + PIECE);
        read.add(begin, pairs(piece)?.into_iter());
    }
    Ok(Known::Read(read))
}

mod sealed {
    use crate::{Buffer, Csr, HostPairs, Pairs};

    /// A list of this crate, or pairs on the host.
    pub trait Source {}

    impl<T> Source for Pairs<T> {}
    impl Source for Buffer<[u32; 2]> {}
    impl Source for (Buffer<u32>, Buffer<u32>) {}
    impl Source for &[[u32; 2]] {}
    impl<const N: usize> Source for &[[u32; 2]; N] {}
    impl Source for &Vec<[u32; 2]> {}
    impl<T> Source for &HostPairs<T> {}
    impl<T> Source for &Csr<T> {}
}

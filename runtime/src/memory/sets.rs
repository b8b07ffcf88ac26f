//! Elements of many sets.

mod divided;
mod features;
mod tables;
mod tiles;
mod values;

use std::ops::Range;

use td_kernel_geometry::sets::LARGE;

pub use self::features::FeatureSets;
pub(crate) use self::tables::{LARGE_IN_LOOPS, SetLayout, SetTables, Visited};

pub use self::values::{AnySets, MatrixSets, PackedSets};
use crate::host::methods::{debug, length};
use crate::host::sets::SetOffsets;
use crate::memory::Memory;
use crate::{DeviceType, Error, Result, Target, host};

/// Where the sets of a type with a `layout` are.
macro_rules! of_layout {
    ($name:ident) => {
        impl<T> $name<T> {
            length!(self, "sets", self.layout.offsets.len());

            /// The number of elements of all sets.
            pub fn element_count(&self) -> usize {
                self.layout.offsets.element_count()
            }

            /// The number of pairs within all sets.
            pub fn pair_count(&self) -> usize {
                self.layout.offsets.pair_count()
            }

            /// The elements of a set, among those of all sets. `None` if there is no such set.
            pub fn elements(&self, set: usize) -> Option<Range<usize>> {
                self.layout.offsets.elements_of(set)
            }

            /// The pairs of a set, among those of all sets. `None` if there is no such set.
            pub fn pairs(&self, set: usize) -> Option<Range<usize>> {
                self.layout.offsets.pairs_of(set)
            }
        }
    };
}

/// Elements of many sets on a device, one set after another: from [`Target::upload_sets`] or [`Target::sets`].
///
/// A kernel with `#[each] x: &Sets<T>` visits the pairs within each set, all in one launch. Its body has `i` and `j`, which count
/// the elements of the pair's set, and `set`, the index of that set. Sets without pairs cost nothing. Other elements with
/// `#[each]` are slices with an element for each of all sets, in the same order.
///
/// A kernel with `#[row] x: &Sets<T>` and `#[column] y: &Sets<T>` visits all pairs of an element of set k of one and an element of
/// set k of the other, for each k. Both have as many sets.
///
/// The indices in a list of pairs, in `Minima<(T, u32)>` and in a [`Nearest`](crate::Nearest) count within the set too. So such a
/// list cannot be given to a kernel, and its download has no [`to_csr`](crate::HostPairs::to_csr): push `set` as the value of a
/// `Pairs<u32>`, and split the download by it.
///
/// On several devices, each visits consecutive pairs of all sets, about as many as each other device. A [`PackedSets`] or
/// [`MatrixSets`] has the values of these pairs there.
///
/// The first launch makes tables, which later launches with the same `Sets` use again: 16 bytes for each 256 pairs and for each
/// set, or 32 for each set of rows and columns; for nearest neighbours and states of elements 4 bytes for each 32 elements and 16 for each set.
///
/// ```
/// use td_kernel::{Device, td_kernel};
///
/// /// The energy of charges, within molecules only.
/// #[td_kernel]
/// unsafe fn energy(#[each] p: &Sets<[f32; 3]>, #[each] charge: &[f32], energy: &mut Sum<f32>) {
///     r#"
///     const float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z;
///     energy += charge.i * charge.j / sqrtf(x * x + y * y + z * z);
///     "#
/// }
///
/// let device = Device::cpu()?;
/// let molecules = [vec![[0.0, 0.0, 0.0], [2.0, 0.0, 0.0]], vec![], vec![[0.0, 0.0, 0.0], [0.0, 4.0, 0.0]]];
/// let p = device.upload_sets(&molecules)?;
/// assert_eq!((p.len(), p.element_count(), p.pair_count()), (3, 4, 2));
/// let (charges, mut sum) = (device.upload(&[1.0, 1.0, 1.0, -1.0])?, device.sum()?);
/// energy::load(&device)?.launch(&p, &charges, &mut sum)?;
/// assert_eq!(sum.download()?, 0.25);
/// # Ok::<(), td_kernel::Error>(())
/// ```
pub struct Sets<T> {
    pub(crate) elements: Memory<T>,
    pub(crate) layout: SetLayout,
}

impl Target {
    /// Copies the elements of some sets to the device: arrays, slices or vectors.
    ///
    /// ```
    /// use td_kernel::Device;
    ///
    /// let sets = Device::cpu()?.upload_sets([vec![1.0, 2.0], vec![], vec![3.0]])?;
    /// assert_eq!((sets.len(), sets.download()?), (3, vec![1.0, 2.0, 3.0]));
    /// assert_eq!((sets.elements(0), sets.elements(2), sets.elements(3)), (Some(0..2), Some(2..3), None));
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// There are more sets or elements than 32 bits count, or not enough memory; or the device fails.
    pub fn upload_sets<T: DeviceType, S: AsRef<[T]>>(
        &self,
        sets: impl IntoIterator<Item = S>,
    ) -> Result<Sets<T>> {
        let (mut elements, mut offsets) = (Vec::new(), vec![0]);
        for set in sets {
            let set = set.as_ref();
            if elements.capacity() - elements.len() < set.len() {
                // Doubles the capacity, so that elements are copied few times.
                let more = set.len().max(elements.len());
                host::make_room(&mut elements, more)?;
            }
            elements.extend_from_slice(set);
            offsets.push(elements.len());
        }
        self.sets(&elements, &offsets)
    }

    /// Copies the elements of some sets to the device, one set after another. Set s has the elements `offsets[s]..offsets[s + 1]`,
    /// so the last offset is the number of elements.
    ///
    /// ```
    /// use td_kernel::Device;
    ///
    /// let device = Device::cpu()?;
    /// let sets = device.sets(&[1.0, 2.0, 3.0], &[0, 2, 2, 3])?;
    /// assert_eq!((sets.len(), sets.pairs(0), sets.pairs(1)), (3, Some(0..1), Some(1..1)));
    /// let error = device.sets(&[1.0, 2.0, 3.0], &[0, 2]).unwrap_err();
    /// assert!(error.to_string().starts_with("the last offset is 2, but there are 3 elements"));
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The offsets do not ascend from 0 to the number of elements; there are more sets or elements than 32 bits count, or
    /// not enough memory; or the device fails.
    pub fn sets<T: DeviceType>(&self, elements: &[T], offsets: &[usize]) -> Result<Sets<T>> {
        self.sets_with_large(elements, offsets, LARGE)
    }

    /// The same, with tiles for sets of at least `large` elements, at most [`LARGE`], for tests.
    #[doc(hidden)]
    pub fn sets_with_large<T: DeviceType>(
        &self,
        elements: &[T],
        offsets: &[usize],
        large: u32,
    ) -> Result<Sets<T>> {
        let starts = SetOffsets::new(offsets)?;
        expect_elements(&starts, elements.len())?;
        let elements = Memory::upload(self.backend(), elements)?;
        Ok(Sets { elements, layout: SetLayout::new(starts, large.min(LARGE)) })
    }
}

/// Checks that the last set ends with the last element.
fn expect_elements(offsets: &SetOffsets, count: usize) -> Result<()> {
    let last = offsets.element_count();
    match last == count {
        true => Ok(()),
        false => Err(Error::arguments(format!(
            "the last offset is {last}, but there are {count} elements: write the number of elements as the last offset"
        ))),
    }
}

of_layout!(Sets);
of_layout!(FeatureSets);

impl<T: DeviceType> Sets<T> {
    /// Copies the elements to the host, one set after another, after the kernels launched so far.
    ///
    /// # Errors
    ///
    /// The device failed, perhaps in a kernel launched before.
    pub fn download(&self) -> Result<Vec<T>> {
        self.elements.download()
    }

    /// Replaces the elements of all sets, such as the coordinates of molecules in the next frame, after the kernels launched so
    /// far. The sets keep their sizes.
    ///
    /// ```
    /// use td_kernel::Device;
    ///
    /// let mut sets = Device::cpu()?.upload_sets([&[1.0, 2.0][..], &[3.0]])?;
    /// sets.upload_into(&[4.0, 5.0, 6.0])?;
    /// assert_eq!(sets.download()?, [4.0, 5.0, 6.0]);
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The slice has another length; or the device failed, perhaps in a kernel launched before.
    pub fn upload_into(&mut self, elements: &[T]) -> Result<()> {
        self.elements.upload_into(0..self.elements.len(), elements)
    }
}

debug!([T] Sets<T>, self: len = self.len(), elements = self.element_count());

//! Elements with features of many sets.

use td_kernel_geometry::sets::LARGE;

use super::{SetLayout, expect_elements};
use crate::host::methods::debug;
use crate::host::sets::{SetOffsets, offsets_of};
use crate::{DeviceType, Features, HostMatrix, Result, Target};

/// Elements with features of many sets on a device, one set after another: from [`Target::upload_feature_sets`] or
/// [`Target::feature_sets`].
///
/// A kernel with `#[each] x: &FeatureSets<T>` visits the pairs within each set, all in one launch, and has the bodies `feature` and
/// `pair` of a kernel over [`Features`]. With `#[row]` and `#[column]` it visits all pairs of set k of one and set k of the other.
/// What [`Sets`](crate::Sets) says about indices and results holds here too. Other features of the same elements are `&Features<T>`,
/// and single values are `&[T]` with `#[each]`, both with an element for each of all sets, in the same order.
///
/// A launch visits tiles of each set, whose side follows from the sizes of the sets: 128, 64 or 32 elements. A set of fewer elements
/// takes as long as a whole tile. The first launch makes a table with 16 bytes for each tile and 32 for each set, which later
/// launches use again. Some outputs [do not work](crate#parameters). A product is a `#[fold]`.
///
/// On several devices, each visits consecutive rows of all sets, and about as many pairs. A set is divided between whole tiles, so
/// `deterministic` sums have the same bits as on one device with tiles of the same side. A [`PackedSets`](crate::PackedSets) or
/// [`MatrixSets`](crate::MatrixSets) has the values of these pairs there.
///
/// ```
/// use td_kernel::{Device, td_kernel};
///
/// /// The squared distances between the descriptors of each image.
/// #[td_kernel]
/// unsafe fn squares(#[each] p: &FeatureSets<f32>, #[fold] sum: f32, square: &mut Packed<f32>) {
///     let feature = r#" sum += (p.i - p.j) * (p.i - p.j); "#;
///     let pair = r#" square = sum; "#;
/// }
///
/// let device = Device::cpu()?;
/// let images = [vec![[0.0, 0.0], [3.0, 4.0]], vec![], vec![[1.0, 1.0], [1.0, 2.0], [3.0, 1.0]]];
/// let p = device.upload_feature_sets(&images)?;
/// assert_eq!((p.len(), p.element_count(), p.pair_count(), p.width()), (3, 5, 4, 2));
/// let mut values = device.packed_sets(&p)?;
/// squares::load(&device)?.launch(&p, &mut values)?;
/// let values = values.download()?;
/// assert_eq!((values.set(0), values.set(2)), (Some(&[25.0][..]), Some(&[1.0, 4.0, 5.0][..])));
/// # Ok::<(), td_kernel::Error>(())
/// ```
pub struct FeatureSets<T> {
    pub(crate) features: Features<T>,
    pub(crate) layout: SetLayout,
}

impl Target {
    /// Copies the elements of some sets to the device. A set is an array, a slice or a vector of elements, and each element is an
    /// array, a slice or a vector of features, as many for all elements.
    ///
    /// ```
    /// use td_kernel::Device;
    ///
    /// let sets = Device::cpu()?.upload_feature_sets([vec![[1.0, 2.0], [3.0, 4.0]], vec![], vec![[5.0, 6.0]]])?;
    /// assert_eq!((sets.len(), sets.elements(2), sets.width()), (3, Some(2..3), 2));
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`features_from_rows`](Target::features_from_rows) for the elements of all sets; or there are more sets than
    /// 32 bits count.
    pub fn upload_feature_sets<T: DeviceType, R: AsRef<[T]>, S: AsRef<[R]>>(
        &self,
        sets: impl IntoIterator<Item = S>,
    ) -> Result<FeatureSets<T>> {
        let sets: Vec<S> = sets.into_iter().collect();
        let offsets = offsets_of(&sets);
        let features = self.features_from_rows(sets.iter().flat_map(AsRef::as_ref))?;
        FeatureSets::new(features, &offsets)
    }

    /// Copies the elements of some sets to the device, one set after another: each `width` values are an element. Set s has the
    /// elements `offsets[s]..offsets[s + 1]`, so the last offset is the number of elements.
    ///
    /// ```
    /// use td_kernel::Device;
    ///
    /// let device = Device::cpu()?;
    /// let sets = device.feature_sets(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 2, &[0, 2, 2, 3])?;
    /// assert_eq!((sets.len(), sets.pairs(0), sets.elements(2)), (3, Some(0..1), Some(2..3)));
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`features`](Target::features), and those of [`sets`](Target::sets) for the offsets.
    pub fn feature_sets<T: DeviceType>(
        &self,
        values: &[T],
        width: usize,
        offsets: &[usize],
    ) -> Result<FeatureSets<T>> {
        FeatureSets::new(self.features(values, width)?, offsets)
    }
}

impl<T: DeviceType> FeatureSets<T> {
    fn new(features: Features<T>, offsets: &[usize]) -> Result<FeatureSets<T>> {
        let starts = SetOffsets::new(offsets)?;
        expect_elements(&starts, features.len())?;
        Ok(FeatureSets { features, layout: SetLayout::new(starts, LARGE) })
    }

    /// The number of features of each element.
    pub fn width(&self) -> usize {
        self.features.width()
    }

    /// Copies the features to the host, after the kernels launched so far: a matrix with a row for each element of all sets.
    ///
    /// # Errors
    ///
    /// The device failed, perhaps in a kernel launched before.
    pub fn download(&self) -> Result<HostMatrix<T>> {
        self.features.download()
    }

    /// Replaces the features of the elements of all sets, by rows, after the kernels launched so far. The sets keep their sizes.
    ///
    /// ```
    /// use td_kernel::Device;
    ///
    /// let mut sets = Device::cpu()?.upload_feature_sets([&[[1.0], [2.0]][..], &[[3.0]]])?;
    /// sets.upload_into(&[4.0, 5.0, 6.0])?;
    /// assert_eq!(sets.download()?.as_slice(), [4.0, 5.0, 6.0]);
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The slice has another length; or the device failed, perhaps in a kernel launched before.
    pub fn upload_into(&mut self, values: &[T]) -> Result<()> {
        self.features.upload_into(values)
    }
}

debug!(
    [T: DeviceType] FeatureSets<T>,
    self: len = self.len(), elements = self.element_count(), width = self.width()
);

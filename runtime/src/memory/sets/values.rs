//! Values for the pairs of many sets.

use std::ops::Range;

use super::SetLayout;
use super::divided::Divided;
use crate::backend::view::ViewMut;
use crate::host::methods::debug;
use crate::host::sets::{HostMatrixSets, HostPackedSets, SetPairs};
use crate::memory::argument::{readable, writable};
use crate::memory::elements::elements;
use crate::{DeviceType, FeatureSets, Matrix, Packed, Result, Sets, Slots, Target};

/// Defines a type of values on a device, which is an argument for `$kind` and whose `download` returns a `$host`. Separate types
/// make rustc's messages name the types that signatures use.
macro_rules! values {
    ($(#[$about:meta])* $name:ident, $kind:ident, $host:ident) => {
        $(#[$about])*
        pub struct $name<T> {
            pub(crate) memory: Divided<T>,
            pairs: SetPairs,
        }

        elements!($name<T>);

        impl<T: DeviceType> $name<T> {
            fn range(&self) -> Range<usize> {
                0..self.memory.len()
            }

            /// A value for each of these pairs, all bits zero.
            fn zeroed(device: &Target, pairs: SetPairs, large: Option<u32>) -> Result<Self> {
                let memory = Divided::zeroed(device, &pairs, large)?;
                Ok($name { memory, pairs })
            }

            /// Copies the values to the host, after the kernels launched so far.
            ///
            /// # Errors
            ///
            /// The device failed, perhaps in a kernel launched before.
            pub fn download(&self) -> Result<$host<T>> {
                Ok($host::of(self.pairs.clone(), self.memory.download()?))
            }
        }

        readable! { $name<T>: |own| own.memory.view(); }
        writable! { $name<T>: |own| own.memory.view_mut(); }

        impl<T: DeviceType> Slots<$kind<T>> for $name<T> {
            fn slots(&mut self) -> ViewMut<'_, T> {
                self.memory.slots()
            }

            fn pairs_of_sets(&self) -> Option<&SetPairs> {
                Some(&self.pairs)
            }
        }

        debug!([T: DeviceType] $name<T>: len);
    };
}

values! {
    /// A value for each pair within many sets on a device, one set after another: from [`Target::packed_sets`]. It is an argument
    /// for a kernel's `&mut Packed<T>`, beside a [`Sets`].
    ///
    /// ```
    /// use td_kernel::{Device, td_kernel};
    ///
    /// #[td_kernel]
    /// unsafe fn distance(#[each] x: &Sets<f32>, distance: &mut Packed<f32>) {
    ///     r#" distance = fabsf(x.i - x.j); "#
    /// }
    ///
    /// let device = Device::cpu()?;
    /// let x = device.upload_sets([vec![0.0, 1.0, 4.0], vec![2.0, 9.0]])?;
    /// let mut distances = device.packed_sets(&x)?;
    /// distance::load(&device)?.launch(&x, &mut distances)?;
    /// let distances = distances.download()?;
    /// assert_eq!((distances.set(0), distances.set(1)), (Some(&[1.0, 4.0, 3.0][..]), Some(&[7.0][..])));
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    PackedSets, Packed, HostPackedSets
}

values! {
    /// A value for each pair of rows and columns of many sets on a device, one set after another: from [`Target::matrix_sets`]. It
    /// is an argument for a kernel's `&mut Matrix<T>`, beside two [`Sets`].
    ///
    /// ```
    /// use td_kernel::{Device, td_kernel};
    ///
    /// #[td_kernel]
    /// unsafe fn distance(#[row] x: &Sets<f32>, #[column] y: &Sets<f32>, distance: &mut Matrix<f32>) {
    ///     r#" distance = fabsf(x - y); "#
    /// }
    ///
    /// let device = Device::cpu()?;
    /// let x = device.upload_sets([vec![0.0, 1.0], vec![2.0]])?;
    /// let y = device.upload_sets([vec![4.0], vec![2.0, 9.0]])?;
    /// let mut distances = device.matrix_sets(&x, &y)?;
    /// distance::load(&device)?.launch(&x, &y, &mut distances)?;
    /// let distances = distances.download()?;
    /// assert_eq!((distances.set(0), distances.set(1)), (Some(&[4.0, 3.0][..]), Some(&[0.0, 7.0][..])));
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    MatrixSets, Matrix, HostMatrixSets
}

/// The elements of many sets: [`Sets`] or [`FeatureSets`].
///
/// ```
/// use td_kernel::{AnySets, Device, PackedSets, Result};
///
/// /// Memory for a number for each pair.
/// fn numbers(device: &Device, sets: &impl AnySets) -> Result<PackedSets<f32>> {
///     device.packed_sets(sets)
/// }
///
/// let device = Device::cpu()?;
/// assert_eq!(numbers(&device, &device.upload_sets([[1.0, 2.0, 4.0]])?)?.len(), 3);
/// assert_eq!(numbers(&device, &device.upload_feature_sets([[[1.0], [2.0]]])?)?.len(), 1);
/// # Ok::<(), td_kernel::Error>(())
/// ```
///
/// This trait is sealed.
pub trait AnySets: of_sets::Layout {}

/// Where the sets begin.
mod of_sets {
    use super::super::SetLayout;

    pub trait Layout {
        /// Whether the elements have features.
        const HAS_FEATURES: bool;

        fn layout(&self) -> &SetLayout;
    }
}

impl<T> of_sets::Layout for Sets<T> {
    const HAS_FEATURES: bool = false;

    fn layout(&self) -> &SetLayout {
        &self.layout
    }
}

impl<T> AnySets for Sets<T> {}

impl<T> of_sets::Layout for FeatureSets<T> {
    const HAS_FEATURES: bool = true;

    fn layout(&self) -> &SetLayout {
        &self.layout
    }
}

impl<T> AnySets for FeatureSets<T> {}

impl Target {
    /// A value for each pair within these sets, all bits zero.
    ///
    /// # Errors
    ///
    /// There is not enough memory, or the device fails.
    pub fn packed_sets<T: DeviceType, S: AnySets>(&self, sets: &S) -> Result<PackedSets<T>> {
        let layout = sets.layout();
        let pairs = layout.pairs_with(None)?;
        let large = (!S::HAS_FEATURES).then(|| layout.large(self.backend().runs_loops()));
        PackedSets::zeroed(self, pairs, large)
    }

    /// A value for each pair of an element of set k of the rows and one of set k of the columns, for each k, all bits zero.
    ///
    /// ```
    /// use td_kernel::Device;
    ///
    /// let device = Device::cpu()?;
    /// let (rows, columns) = (device.sets(&[1, 2, 3], &[0, 1, 3])?, device.sets(&[4, 5], &[0, 2, 2])?);
    /// assert_eq!(device.matrix_sets::<f32, _, _>(&rows, &columns)?.len(), 2);
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The numbers of sets differ, there is not enough memory, or the device fails.
    pub fn matrix_sets<T: DeviceType, R: AnySets, C: AnySets>(
        &self,
        rows: &R,
        columns: &C,
    ) -> Result<MatrixSets<T>> {
        let pairs = rows.layout().pairs_with(Some(columns.layout()))?;
        let has_features = R::HAS_FEATURES || C::HAS_FEATURES;
        MatrixSets::zeroed(self, pairs, (!has_features).then_some(u32::MAX))
    }
}

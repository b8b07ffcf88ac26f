//! What all generated kernels have in common.

use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;

use cudarc::driver::CudaStream;

use crate::{Report, Result, Target, Tuned};

/// A kernel that [`#[td_kernel]`](macro@crate::td_kernel) has generated, for code that is generic over kernels.
///
/// The macro implements it for every kernel. It may get more items, so do not implement it yourself. Each item does
/// what the generated type's own item of that name does.
///
/// [`LaunchWith`] names kernels by the arguments that they take:
///
/// ```
/// use td_kernel::{Device, LaunchWith, Packed, PackedMatrix, Result, Slice, Slots, td_kernel};
///
/// #[td_kernel]
/// unsafe fn difference(#[each] x: &[f32], out: &mut Packed<f32>) {
///     r#" out = x.i - x.j; "#
/// }
///
/// #[td_kernel(map = "rb")]
/// unsafe fn product(#[each] x: &[f32], out: &mut Packed<f32>) {
///     r#" out = x.i * x.j; "#
/// }
///
/// /// The values of all pairs, by any kernel from numbers to packed slots.
/// fn values<K>(device: &Device, x: &[f32]) -> Result<PackedMatrix<f32>>
/// where
///     K: for<'a> LaunchWith<(&'a dyn Slice<f32>, &'a mut dyn Slots<Packed<f32>>)>,
/// {
///     let mut out = device.packed(x.len())?;
///     K::load(device)?.launch_with((&device.upload(x)?, &mut out))?;
///     out.download()
/// }
///
/// # fn main() -> Result<()> {
/// let device = Device::cpu()?;
/// assert_eq!(values::<difference>(&device, &[1.0, 3.0, 7.0])?.as_slice(), [2.0, 6.0, 4.0]);
/// assert_eq!(values::<product>(&device, &[1.0, 3.0, 7.0])?.as_slice(), [3.0, 7.0, 21.0]);
/// # Ok(())
/// # }
/// ```
pub trait PairKernel: Clone + Debug + Send + Sync + Sized + 'static {
    /// The kernel's name: that of its function.
    const NAME: &'static str;

    /// The generated CUDA C++, complete, of the variant for many elements.
    const SOURCE: &'static str;

    /// The generated CUDA C++ of each variant. The first is for many elements.
    const SOURCES: &'static [&'static str];

    /// NVRTC's options for these sources, as [`nvrtc::compile`](crate::backend::nvrtc::compile) takes them.
    const OPTIONS: &'static [&'static str];

    /// Compiles the kernel for a device or several, or finds it compiled already.
    ///
    /// # Errors
    ///
    /// The kernel does not compile, or the device cannot compile anything.
    fn load(target: &impl AsRef<Target>) -> Result<Self>;

    /// The same kernel, launched on `stream` from now on.
    ///
    /// # Errors
    ///
    /// The stream belongs to another device than the kernel, or the device fails.
    fn with_stream(&self, stream: &Arc<CudaStream>) -> Result<Self>;

    /// The same kernel, whose launches visit only the pairs (i, j) with i in `rows`, where i is the larger index.
    #[must_use]
    fn rows(&self, rows: Range<usize>) -> Self;

    /// What a launch for this many elements takes; for the pairs of two sets, of this many elements each.
    ///
    /// # Errors
    ///
    /// The map does not take this many elements, a variant does not compile, or the device fails.
    fn report(&self, elements: usize) -> Result<Report>;
}

/// A kernel whose launches take these arguments: those of its `launch`, in the order of the signature, as a tuple, with
/// `usize` for n before them where no parameter tells n; for the pairs of two sets, for the rows and the columns that no
/// parameter tells.
///
/// | in the signature | in the tuple |
/// | --- | --- |
/// | `#[each] x: &[T]`, `#[row] …`, `#[column] …`, `x: &[T]` | `&'a dyn Slice<T>` |
/// | `#[each] x: &Features<T>`, `#[row] …`, `#[column] …` | `&'a Features<T>` |
/// | `x: &mut [T]` | `&'a mut dyn SliceMut<T>` |
/// | `x: T` | `T` |
/// | `x: &mut Packed<T>` | `&'a mut dyn Slots<Packed<T>>` |
/// | `x: &mut Square<T>` | `&'a mut dyn Slots<Square<T>>` |
/// | `x: &mut Matrix<T>` | `&'a mut dyn Slots<Matrix<T>>` |
/// | `x: &mut Sum<T>`, `x: &mut Pairs` | `&'a mut Sum<T>`, `&'a mut Pairs` |
/// | `x: &mut Pairs<T>` | `&'a mut Pairs<T>` |
/// | `#[each] x: &mut Nearest<T, K>`, `#[row] …` | `&'a mut Nearest<T, K>` |
///
/// A `#[fold]` is not in the tuple, since no launch takes it.
///
/// The macro implements it for every kernel, once. A bound that several functions have is shortest as a trait of its own.
/// The tuple is written in the call: there, and not in a variable, rustc makes `&dyn Slice<f32>` of a `&Buffer<f32>`.
///
/// ```
/// use td_kernel::{Device, LaunchWith, Result, Slice, Sum, td_kernel};
///
/// #[td_kernel]
/// unsafe fn close(#[each] x: &[f32], radius: f32, count: &mut Sum<u32>) {
///     r#" if (fabsf(x.i - x.j) < radius) count += 1; "#
/// }
///
/// /// A kernel that counts pairs of numbers within a radius.
/// trait Counts: for<'a> LaunchWith<(&'a dyn Slice<f32>, f32, &'a mut Sum<u32>)> {}
/// impl<K> Counts for K where K: for<'a> LaunchWith<(&'a dyn Slice<f32>, f32, &'a mut Sum<u32>)> {}
///
/// fn count<K: Counts>(device: &Device, x: &[f32], radius: f32) -> Result<u32> {
///     let mut count = device.sum()?;
///     K::load(device)?.launch_with((&device.upload(x)?, radius, &mut count))?;
///     count.download()
/// }
///
/// assert_eq!(count::<close>(&Device::cpu()?, &[0.0, 0.5, 2.0], 1.0)?, 1);
/// # Ok::<(), td_kernel::Error>(())
/// ```
pub trait LaunchWith<Arguments>: PairKernel {
    /// Launches the kernel over all pairs, or those of its rows.
    ///
    /// # Errors
    ///
    /// Those of the generated type's `launch`: what is wrong with the arguments, before anything has run; or the device
    /// fails.
    fn launch_with(&self, arguments: Arguments) -> Result<()>;

    /// Times the kernel's variants on these arguments, and remembers the fastest one.
    ///
    /// # Errors
    ///
    /// Those of a launch; or there are no pairs.
    fn tune_with(&self, arguments: Arguments) -> Result<Tuned>;
}

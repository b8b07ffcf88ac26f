//! A state for each element, which a function of the prelude joins.

use std::fmt;

use crate::memory::Memory;
use crate::{DeviceType, Result, Target};

/// A state for each element, on a device, from [`Target::reduce`](crate::Target::reduce): the argument for
/// `#[each] x: &mut Reduce<State>`, and with two sets for `#[row] x: &mut Reduce<State>`. It is for reductions of your own, such as
/// the logarithm of a sum of exponentials, means weighted by a softmax, or variances.
///
/// A state is a struct. The prelude defines `join`, which combines two of them, and a body joins a pair's state to that of an
/// element: `x.join(…)` for the row's element, `x.i.join(…)` and `x.j.join(…)` for the elements of one set. All states begin as
/// the one given to `reduce`. Each launch joins to the states that are there, as sums do.
///
/// ```
/// use td_kernel::{Device, DeviceType, td_kernel};
///
/// /// A sum of exponentials: `sum` times exp(max).
/// #[repr(C)]
/// #[derive(Clone, Copy, Debug, DeviceType)]
/// struct LogSum {
///     max: f32,
///     sum: f32,
/// }
///
/// /// For each query, the logarithm of the sum of exp(query * data) over all data.
/// #[td_kernel(prelude = r#"
/// LogSum join(LogSum a, LogSum b)
/// {
///     float max = fmaxf(a.max, b.max);
///     // Without this, two states without pairs would give NaN.
///     if (max == -INFINITY)
///         return a;
///     return {max, a.sum * expf(a.max - max) + b.sum * expf(b.max - max)};
/// }
/// "#)]
/// unsafe fn log_sum_exp(#[row] query: &[f32], #[column] data: &[f32], #[row] out: &mut Reduce<LogSum>) {
///     r#" out.join({query * data, 1}); "#
/// }
///
/// let device = Device::cpu()?;
/// let (query, data) = (device.upload(&[1.0, 100.0])?, device.upload(&[1.0, 2.0])?);
/// let mut out = device.reduce(2, LogSum { max: f32::NEG_INFINITY, sum: 0.0 })?;
/// log_sum_exp::load(&device)?.launch(&query, &data, &mut out)?;
/// let logarithms: Vec<_> = out.download()?.iter().map(|each| each.max + each.sum.ln()).collect();
/// assert!((logarithms[0] - 2.313_261_7).abs() < 1e-5 && (logarithms[1] - 200.0).abs() < 1e-5);
/// # Ok::<(), td_kernel::Error>(())
/// ```
///
/// # What `join` must satisfy
///
/// - `join(join(a, b), c)` is `join(a, join(b, c))`, up to rounding.
/// - `join(a, b)` is `join(b, a)`, up to rounding.
/// - The start is neutral: `join(start, a)` and `join(a, start)` are `a`, and so `join(start, start)` is `start`.
///
/// Its arguments are values or `const` references. With the feature `testing`, `testing::reduce` compares the results of several
/// orders.
///
/// # The order of joins
///
/// A thread has all pairs of an element, or a fixed part of them, so states are joined without atomics, in the same order in every
/// run. On a device, results repeat bit for bit. The order differs between a GPU and the CPU, and between a launch over all rows and
/// several launches over some of them. A block of a GPU has 32 elements, so a launch needs some thousand elements, or rows, to use
/// all of a GPU.
///
/// A kernel of one set evaluates each pair twice, once for each of its elements. So a kernel may have several `Reduce`, but no other
/// outputs. It runs on one device, and its elements have no features: they are numbers, arrays of up to 64 `f32`, or structs.
pub struct Reduce<S: DeviceType> {
    pub(crate) states: Memory<S>,
    pub(crate) start: S,
}

impl Target {
    /// A state for each of `n` elements. All begin as `start`, to which `join` of the kernel's prelude joins the states of pairs. It
    /// is neutral: joining it to a state does not change that.
    ///
    /// # Errors
    ///
    /// Not enough memory, or the device fails.
    pub fn reduce<S: DeviceType>(&self, n: usize, start: S) -> Result<Reduce<S>> {
        Ok(Reduce { states: Memory::filled(self.backend(), n, start)?, start })
    }
}

impl<S: DeviceType> Reduce<S> {
    /// The number of elements.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Downloads the state of each element, after the kernels launched so far.
    ///
    /// # Errors
    ///
    /// The device failed, perhaps in a kernel launched before.
    pub fn download(&self) -> Result<Vec<S>> {
        self.states.download()
    }

    /// Resets all states to the start.
    ///
    /// # Errors
    ///
    /// The device failed.
    pub fn clear(&mut self) -> Result<()> {
        self.states.fill(self.start)
    }
}

impl<S: DeviceType> fmt::Debug for Reduce<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reduce").field("len", &self.len()).finish_non_exhaustive()
    }
}

//! States of elements or of all pairs, which a function of the prelude joins.

use super::{Join, join::PartStates};
use crate::host::methods::{clear, debug, length};
use crate::memory::Memory;
use crate::{DeviceType, Result, Target};

/// A state for each element, or one of all pairs, on a device, from [`Target::reduce`](crate::Target::reduce). It is for reductions
/// of your own, such as the logarithm of a sum of exponentials, means weighted by a softmax, or variances.
///
/// | argument for | states |
/// | --- | --- |
/// | `#[each] x: &mut Reduce<State>` | one for each element of a set |
/// | `#[row]` or `#[column] x: &mut Reduce<State>` | one for each row of two sets, or for each column |
/// | `x: &mut Reduce<State>` | one of all pairs, of one set or of two: `device.reduce(1, start)` |
///
/// A state is a struct. The prelude defines `join`, which combines two of them, and a body joins a pair's state to that of an
/// element: `x.join(…)` for the row's element or for all pairs, `x.i.join(…)` and `x.j.join(…)` for the elements of one set. All
/// states begin as the one given to `reduce`. Each launch joins to the states that are there, as sums do.
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
/// States are joined without atomics, in the same order in every run, so results repeat bit for bit. The order depends on the
/// device, and a launch over all rows has another one than several launches over some of them. Over given pairs it is that of the
/// list, and a launch pushes pairs in another order in each run.
///
/// With several [`Devices`](crate::Devices), each has states of its own pairs. A download joins them in the order of the devices,
/// by the `join` of the kernel that was launched last.
///
/// # States of elements
///
/// A thread has all pairs of an element, or a fixed part of them. For one set or two, a block of a GPU has 32 elements, so a launch needs
/// some thousand elements, or rows, to use all of a GPU. A kernel of one set evaluates each pair twice, once for each of its elements. So it
/// may have several such `Reduce` and totals, but few [other outputs](crate#parameters).
///
/// Within [`Sets`](crate::Sets), a thread has an element and visits all elements of its set.
///
/// Elements may have [features](crate#folds): the body `pair` joins a state of their folds.
///
/// # One state of all pairs
///
/// Each block joins the states of its threads and stores one, and a kernel of one block joins these after the launch. Among near
/// pairs, each warp stores one. Each pair is evaluated once, so other outputs and features work. For one set or two, the map is `walk`,
/// which has few blocks, unless the kernel has features or its attribute names another one.
///
/// ```
/// use td_kernel::{Device, DeviceType, td_kernel};
///
/// /// The least and the greatest of some numbers.
/// #[repr(C)]
/// #[derive(Clone, Copy, Debug, PartialEq, DeviceType)]
/// struct Range {
///     least: f32,
///     greatest: f32,
/// }
///
/// /// The shortest and the longest distance.
/// #[td_kernel(prelude = r#"
/// Range join(Range a, Range b)
/// {
///     return {fminf(a.least, b.least), fmaxf(a.greatest, b.greatest)};
/// }
/// "#)]
/// unsafe fn range(#[each] x: &[f32], out: &mut Reduce<Range>) {
///     r#"
///     float d = fabsf(x.i - x.j);
///     out.join({d, d});
///     "#
/// }
///
/// let device = Device::cpu()?;
/// let mut out = device.reduce(1, Range { least: f32::INFINITY, greatest: 0.0 })?;
/// range::load(&device)?.launch(&device.upload(&[3.0, -1.0, 4.0, 0.5])?, &mut out)?;
/// assert_eq!(out.download()?, [Range { least: 1.0, greatest: 5.0 }]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
pub struct Reduce<S: DeviceType> {
    pub(crate) states: Memory<S>,
    pub(crate) start: S,
    /// The states of a launch's blocks, if there is one state of all pairs.
    pub(crate) parts: PartStates<S>,
    /// What joins the states of several devices, after the first launch.
    pub(crate) join: Option<Join>,
}

impl Target {
    /// A state for each of `n` elements, or one of all pairs if `n` is 1. All begin as `start`, to which `join` of the kernel's
    /// prelude joins the states of pairs. It is neutral: joining it to a state does not change that.
    ///
    /// # Errors
    ///
    /// Not enough memory, or the device fails.
    pub fn reduce<S: DeviceType>(&self, n: usize, start: S) -> Result<Reduce<S>> {
        let states = Memory::filled(self.backend(), n, start)?;
        Ok(Reduce { states, start, parts: PartStates::new(start), join: None })
    }
}

impl<S: DeviceType> Reduce<S> {
    length!(self, "states", self.states.len());

    /// Downloads the states, after the kernels launched so far.
    ///
    /// # Errors
    ///
    /// Not enough memory; or a device failed, perhaps in a kernel launched before.
    pub fn download(&self) -> Result<Vec<S>> {
        match &self.join {
            Some(join) => join.joined(&self.states, self.start),
            None => self.states.download(),
        }
    }

    clear!(self, "Resets all states to the start.", {
        self.parts.clear()?;
        self.states.fill(self.start)
    });
}

debug!([S: DeviceType] Reduce<S>: len);

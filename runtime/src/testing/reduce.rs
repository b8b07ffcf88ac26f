//! States of elements or of all pairs, in several orders of joins.

use super::Failure;
use super::elements::ElementResults;
use super::run::{address, of_every_text};
use super::trial::{Trial, on_trial};
use crate::{Device, DeviceType, Reduce, Result};

/// Runs a kernel that joins states for each of `elements` elements: those of one set, or the rows or columns of two. For one state of all pairs,
/// `elements` is 1.
///
/// `run` gets a device and states in its memory, which begin as `start`; it loads the kernel for that device and launches it. It is
/// called for several orders of joins: those of a GPU's tiles, one with the arguments of `join` exchanged, and that of the CPU. Compare
/// with a tolerance that covers their rounding. With few pairs, up to some hundred for an element, some threads of a GPU have no
/// pair, so that `join` also gets the start on either side.
///
/// ```
/// use td_kernel::{DeviceType, td_kernel, testing};
///
/// /// The number of values, their mean, and the sum of the squares of their differences from it.
/// #[repr(C)]
/// #[derive(Clone, Copy, Debug, DeviceType)]
/// struct Moments {
///     count: f32,
///     mean: f32,
///     squares: f32,
/// }
///
/// #[td_kernel(prelude = r#"
/// Moments join(Moments a, Moments b)
/// {
///     float count = a.count + b.count, difference = b.mean - a.mean;
///     float share = count > 0 ? b.count / count : 0;
///     return {count, a.mean + share * difference, a.squares + b.squares + a.count * share * difference * difference};
/// }
/// "#)]
/// unsafe fn moments(#[each] x: &[f32], #[each] out: &mut Reduce<Moments>) {
///     r#"
///     float d = fabsf(x.i - x.j);
///     out.i.join({1, d, 0});
///     out.j.join({1, d, 0});
///     "#
/// }
///
/// let x: Vec<f32> = (0..100).map(|k| (k * k % 37) as f32).collect();
/// let start = Moments { count: 0.0, mean: 0.0, squares: 0.0 };
/// let found = testing::reduce(x.len(), start, |device, out| {
///     moments::load(device)?.launch(&device.upload(&x)?, out)
/// })?;
/// let expected = |i: usize| {
///     let others = || (0..x.len()).filter(|j| *j != i).map(|j| f64::from((x[i] - x[j]).abs()));
///     let mean = others().sum::<f64>() / 99.0;
///     let squares = others().map(|d| (d - mean) * (d - mean)).sum::<f64>();
///     Moments { count: 99.0, mean: mean as f32, squares: squares as f32 }
/// };
/// found.compare(expected, |found, expected| {
///     found.count == expected.count
///         && (found.mean - expected.mean).abs() < 1e-4
///         && (found.squares - expected.squares).abs() < 1e-4 * expected.squares
/// })?;
/// # Ok::<(), testing::Failure>(())
/// ```
///
/// # Errors
///
/// The error of `run`, or it launched no kernel with the given output.
pub fn reduce<S: DeviceType>(
    elements: usize,
    start: S,
    run: impl Fn(&Device, &mut Reduce<S>) -> Result<()>,
) -> Result<ElementResults<S>, Failure> {
    let attempt = |device: &Device| -> Result<_> {
        let mut out = device.reduce(elements, start)?;
        run(device, &mut out)?;
        Ok((address(out.states.view()), out.download()?))
    };
    let mut runs = of_every_text(attempt)?;
    let exchanged = on_trial(&Device::cpu()?, &Trial::with_exchanged_joins());
    let others =
        [("arguments of `join` exchanged", exchanged), ("loops of the CPU", Device::cpu()?)];
    for (order, device) in others {
        let (_, states) = attempt(&device)?;
        runs.results.push((order.to_owned(), states));
    }
    Ok(ElementResults { runs })
}

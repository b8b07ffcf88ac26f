//! Runs a kernel over given pairs: in the CPU's loop, and the source for a GPU.

use super::Failure;
use super::results::{Runs, Stored};
use super::run::address;
use super::trial::{Trial, on_trial};
use crate::{Buffer, Device, DeviceType, GivenPairs, Result};

/// Runs a kernel that stores a value for each entry of a list.
///
/// `run` gets a device, the list, and memory for the values; it loads the kernel for that device and launches it over the list.
///
/// ```
/// use td_kernel::{td_kernel, testing};
///
/// #[td_kernel]
/// unsafe fn distance(#[each] x: &[f32], distance: &mut Packed<f32>) {
///     r#" distance = fabsf(x.i - x.j); "#
/// }
///
/// let x: Vec<f32> = (0..50).map(|k| (k * k) as f32).collect();
/// testing::given(&[[7, 3], [49, 0], [8, 7]], |device, pairs, distances| {
///     distance::load(device)?.pairs(pairs).launch(&device.upload(&x)?, distances)
/// })?
/// .within(1e-6, |i, j| (x[i] - x[j]).abs())?;
/// # Ok::<(), testing::Failure>(())
/// ```
///
/// # Errors
///
/// The error of `run`, or it launched no kernel with the given output.
pub fn given<T: DeviceType>(
    pairs: &[[u32; 2]],
    run: impl Fn(&Device, &GivenPairs, &mut Buffer<T>) -> Result<()>,
) -> Result<Stored<T>, Failure> {
    let (device, trial) = (Device::cpu()?, Trial::of(0));
    let both = [
        ("the CPU's loop over a list", device.clone()),
        ("sweep entries", on_trial(&device, &trial)),
    ];
    let (mut results, mut written) = (Vec::new(), 0);
    for (what, device) in both {
        let list = device.given_pairs(pairs)?;
        let mut values = device.zeroed(pairs.len())?;
        written = address(values.memory.view());
        run(&device, &list, &mut values)?;
        let indices = pairs.iter().map(|pair| pair.map(|index| index as usize));
        results.push((what.to_owned(), indices.zip(values.download()?).collect()));
    }
    let (info, _) = trial.writer(written).ok_or(Failure::NothingLaunched)?;
    let runs = Runs { kernel: info.name, diagonal: info.diagonal, results };
    Ok(Stored { runs, is_symmetric: false })
}

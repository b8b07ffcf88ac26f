//! Runs a kernel on the CPU, once for each of its texts.

use super::Failure;
use super::results::{Listed, Runs, Stored, Total};
use super::trial::{Trial, on_trial};
use crate::error::Cause;
use crate::view::View;
use crate::{Device, DeviceType, Error, Packed, Pairs, Result, Square, Sum, Summand, triangle};

/// Runs a kernel that stores a value for each pair of `elements` elements.
///
/// `run` gets a device and slots in its memory; it loads the kernel for that device, and launches it. The
/// kernel's first output is compared; it may have others.
///
/// # Errors
///
/// The error of `run`, or it launched no kernel with the output that it is given.
pub fn packed<T: DeviceType>(
    elements: usize,
    run: impl Fn(&Device, &mut Packed<T>) -> Result<()>,
) -> Result<Stored<T>, Failure> {
    let attempt = |device: &Device, mut slots: Packed<T>| -> Result<_> {
        let address = address(slots.memory.view());
        run(device, &mut slots)?;
        let slots = slots.download()?;
        let diagonal = usize::from(slots.has_diagonal());
        let pairs = (0..elements).flat_map(|i| (0..i + diagonal).map(move |j| (i, j)));
        Ok((address, pairs.filter_map(|(i, j)| Some(([i, j], *slots.get(i, j)?))).collect()))
    };
    let runs = of_every_text(|device| match attempt(device, device.packed(elements)?) {
        // Only this error tells that the kernel has the diagonal.
        Err(error) if matches!(error.cause(), Cause::WrongDiagonal { kernel_has: true, .. }) => {
            attempt(device, device.packed_with_diagonal(elements)?)
        }
        other => other,
    })?;
    Ok(Stored { runs })
}

/// Runs a kernel that stores a value at (i, j) and at (j, i) for each pair of `elements` elements.
///
/// `run` gets a device and a square in its memory; it loads the kernel for that device, and launches it.
///
/// # Errors
///
/// The error of `run`, or it launched no kernel with the output that it is given.
pub fn square<T: DeviceType>(
    elements: usize,
    run: impl Fn(&Device, &mut Square<T>) -> Result<()>,
) -> Result<Stored<T>, Failure> {
    let mut runs = of_every_text(|device| {
        let mut square = device.square(elements)?;
        let address = address(square.memory.view());
        run(device, &mut square)?;
        let square = square.download()?;
        let places = (0..elements).flat_map(|i| (0..elements).map(move |j| [i, j]));
        let values = places.filter_map(|[i, j]| Some(([i, j], *square.get(i, j)?)));
        Ok((address, values.collect::<Vec<_>>()))
    })?;
    if !runs.diagonal {
        // Without pairs (i, i), the values on the diagonal belong to no pair.
        for (_, values) in &mut runs.results {
            values.retain(|([i, j], _)| i != j);
        }
    }
    Ok(Stored { runs })
}

/// Runs a kernel that adds up a value for each pair of `elements` elements.
///
/// `run` gets a device and a total in its memory; it loads the kernel for that device, and launches it.
///
/// # Errors
///
/// The error of `run`, or it launched no kernel with the output that it is given.
pub fn sum<T: Summand>(
    elements: usize,
    run: impl Fn(&Device, &mut Sum<T>) -> Result<()>,
) -> Result<Total<T>, Failure> {
    let runs = of_every_text(|device| {
        let mut sum = device.sum()?;
        let address = address(sum.memory.view());
        run(device, &mut sum)?;
        Ok((address, sum.download()?))
    })?;
    Ok(Total { runs, elements })
}

/// Runs a kernel that lists some pairs of `elements` elements.
///
/// `run` gets a device and a list with room for all pairs; it loads the kernel for that device, and
/// launches it.
///
/// # Errors
///
/// The error of `run`, or it launched no kernel with the output that it is given.
pub fn pairs(
    elements: usize,
    run: impl Fn(&Device, &mut Pairs) -> Result<()>,
) -> Result<Listed, Failure> {
    let room = triangle::pairs(elements, true)
        .ok_or_else(|| Error::new(Cause::TooLarge { elements, size: size_of::<[u32; 2]>() }))?;
    let runs = of_every_text(|device| {
        let mut pairs = device.pairs(room)?;
        let address = address(pairs.count.view());
        run(device, &mut pairs)?;
        Ok((address, pairs.download()?))
    })?;
    Ok(Listed { runs, elements })
}

/// Runs a kernel in its first text, and then in each other text that it turns out to have. `run` also returns the
/// output's address: the kernel that was launched with that address is the one under test.
fn of_every_text<R>(run: impl Fn(&Device) -> Result<(u64, R)>) -> Result<Runs<R>, Failure> {
    let device = Device::cpu()?;
    let mut results = Vec::new();
    for text in 0.. {
        let trial = Trial::of(text);
        let (address, result) = run(&on_trial(&device, &trial))?;
        let Some((info, variant)) = trial.writer(address) else {
            return Err(Failure::NothingLaunched);
        };
        if let Some(variant) = variant {
            results.push((variant.to_string(), result));
        }
        if text + 1 >= info.variants.len() {
            return Ok(Runs { kernel: info.name, diagonal: info.diagonal, results });
        }
    }
    Err(Failure::NothingLaunched)
}

/// The address of elements on the CPU; 0 where there are none.
fn address<T>(view: View<'_, T>) -> u64 {
    view.access(None, None).map_or(0, |access| access.address)
}

//! Runs a kernel on the CPU, once for each of its variants.

use super::Failure;
use super::lists::{Listed, ListedValues};
use super::results::{Runs, Stored, Total};
use super::trial::{Trial, on_trial};
use crate::backend::view::View;
use crate::error::Detail;
use crate::memory::Memory;
use crate::memory::exact::Exact;
use crate::{
    Device, DeviceType, HostPairs, HostValues, Matrix, Packed, PairValue, Pairs, Result, Shape,
    Square, Sum, SumElement,
};

/// Runs a kernel that stores a value for each pair of `elements` elements.
///
/// `run` gets a device and slots in its memory; it loads the kernel for that device and launches it. The kernel's first output
/// is compared; it may have others.
///
/// # Errors
///
/// The error of `run`, or it launched no kernel with the given output.
pub fn packed<T: DeviceType>(
    elements: usize,
    run: impl Fn(&Device, &mut Packed<T>) -> Result<()>,
) -> Result<Stored<T>, Failure> {
    let attempt = |device: &Device, mut slots: Packed<T>| -> Result<_> {
        let address = address(slots.memory.view());
        run(device, &mut slots)?;
        Ok((address, with_pairs(slots.download()?)))
    };
    let runs = of_every_text(|device| match attempt(device, device.packed(elements)?) {
        // Only this error shows that the kernel has the diagonal.
        Err(error) if matches!(error.detail(), Detail::Diagonal) => {
            attempt(device, device.packed(Shape::triangle(elements).with_diagonal())?)
        }
        other => other,
    })?;
    Ok(Stored { runs, is_symmetric: true })
}

/// Runs a kernel that stores a value at (i, j) and at (j, i) for each pair of `elements` elements.
///
/// `run` gets a device and a square in its memory; it loads the kernel for that device and launches it.
///
/// # Errors
///
/// The error of `run`, or it launched no kernel with the given output.
pub fn square<T: DeviceType>(
    elements: usize,
    run: impl Fn(&Device, &mut Square<T>) -> Result<()>,
) -> Result<Stored<T>, Failure> {
    let mut runs = of_every_text(|device| {
        let mut square = device.square(elements)?;
        let address = address(square.memory.view());
        run(device, &mut square)?;
        Ok((address, with_pairs(square.download()?)))
    })?;
    if !runs.diagonal {
        // Without pairs (i, i), the values on the diagonal belong to no pair.
        for (_, values) in &mut runs.results {
            values.retain(|([i, j], _)| i != j);
        }
    }
    Ok(Stored { runs, is_symmetric: true })
}

/// Runs a kernel that stores a value for each pair of two sets, `(rows, columns)`.
///
/// `run` gets a device and a matrix in its memory; it loads the kernel for that device and launches it. The given matrix is
/// compared; the kernel may have other outputs.
///
/// ```
/// use td_kernel::{td_kernel, testing};
///
/// #[td_kernel]
/// unsafe fn distance(#[row] query: &[f32], #[column] data: &[f32], distance: &mut Matrix<f32>) {
///     r#" distance = fabsf(query - data); "#
/// }
///
/// let query: Vec<f32> = (0..50).map(|k| (k * k) as f32).collect();
/// let data: Vec<f32> = (0..70).map(|k| k as f32 / 2.0).collect();
/// testing::matrix((query.len(), data.len()), |device, distances| {
///     distance::load(device)?.launch(&device.upload(&query)?, &device.upload(&data)?, distances)
/// })?
/// .within(1e-6, |i, j| (query[i] - data[j]).abs())?;
/// # Ok::<(), testing::Failure>(())
/// ```
///
/// # Errors
///
/// The error of `run`, or it launched no kernel with the given output.
pub fn matrix<T: DeviceType>(
    pairs: impl Into<Shape>,
    run: impl Fn(&Device, &mut Matrix<T>) -> Result<()>,
) -> Result<Stored<T>, Failure> {
    let shape = pairs.into();
    let runs = of_every_text(|device| {
        let mut matrix = device.matrix(shape)?;
        let address = address(matrix.memory.view());
        run(device, &mut matrix)?;
        Ok((address, with_pairs(matrix.download()?)))
    })?;
    Ok(Stored { runs, is_symmetric: false })
}

fn with_pairs<T, K>(values: HostValues<T, K>) -> Vec<([usize; 2], T)> {
    values.into_iter().map(|((i, j), value)| ([i, j], value)).collect()
}

/// Runs a kernel that adds up a value for each pair: of n elements, or of two sets, `(rows, columns)`.
///
/// `run` gets a device and a total in its memory; it loads the kernel for that device and launches it.
///
/// # Errors
///
/// The error of `run`, or it launched no kernel with the given output.
pub fn sum<T: SumElement>(
    pairs: impl Into<Shape>,
    run: impl Fn(&Device, &mut Sum<T>) -> Result<()>,
) -> Result<Total<T>, Failure> {
    let runs = of_every_text(|device| {
        let mut sum: Sum<T> = device.sum()?;
        run(device, &mut sum)?;
        Ok((address_of_sums(sum.exact.as_ref(), &sum.memory), sum.download()?))
    })?;
    Ok(Total { runs, shape: pairs.into() })
}

/// Runs a kernel that lists some pairs: of n elements, or of two sets, `(rows, columns)`.
///
/// `run` gets a device and a list with room for all pairs; it loads the kernel for that device and launches it.
///
/// # Errors
///
/// The error of `run`, or it launched no kernel with the given output.
pub fn pairs(
    pairs: impl Into<Shape>,
    run: impl Fn(&Device, &mut Pairs) -> Result<()>,
) -> Result<Listed, Failure> {
    let shape = pairs.into();
    Ok(Listed { runs: lists(shape, run)?, shape })
}

/// Runs a kernel that lists some pairs with a value each: of n elements, or of two sets, `(rows, columns)`.
///
/// `run` gets a device and a list with room for all pairs; it loads the kernel for that device and launches it.
///
/// # Errors
///
/// The error of `run`, or it launched no kernel with the given output.
pub fn pairs_with_values<T: DeviceType>(
    pairs: impl Into<Shape>,
    run: impl Fn(&Device, &mut Pairs<T>) -> Result<()>,
) -> Result<ListedValues<T>, Failure> {
    let shape = pairs.into();
    Ok(ListedValues { runs: lists(shape, run)?, shape })
}

fn lists<T: PairValue>(
    shape: Shape,
    run: impl Fn(&Device, &mut Pairs<T>) -> Result<()>,
) -> Result<Runs<HostPairs<T>>, Failure> {
    let room = shape.with_diagonal().checked::<[u32; 2]>()?.len();
    of_every_text(|device| {
        let mut pairs = device.pairs(room)?;
        let address = address(pairs.count.view());
        run(device, &mut pairs)?;
        Ok((address, pairs.download()?))
    })
}

/// Runs a kernel in its first variant, then in each other variant that it has. `run` also returns the output's address: the
/// kernel that was launched with that address is the one under test.
pub(super) fn of_every_text<R>(
    run: impl Fn(&Device) -> Result<(u64, R)>,
) -> Result<Runs<R>, Failure> {
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

/// The address of exact sums, or of the others if there are none.
pub(super) fn address_of_sums<T: DeviceType>(exact: Option<&Exact>, others: &Memory<T>) -> u64 {
    exact.map_or_else(|| address(others.view()), |exact| address(exact.memory.view()))
}

/// The address of elements on the CPU; 0 if there are none.
pub(super) fn address<T>(view: View<'_, T>) -> u64 {
    view.untyped().access(None, None).map_or(0, |access| access.address)
}

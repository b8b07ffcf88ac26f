//! Tests that need a GPU, and tests of all devices on a GPU. They need its driver and NVRTC.
//!
//! Tests with `small` in their path are quick enough for a memory checker.
#![allow(clippy::unwrap_used, clippy::panic)]

#[macro_use(assert_errors)]
extern crate td_kernel_tests;

mod arguments;
mod catalogue;
mod chunked;
mod chunks;
mod code;
#[path = "../guide/cudarc_slices.rs"]
mod cudarc_slices;
mod devices;
mod faults;
mod folds;
mod lists;
mod lower;
mod near;
mod order;
mod products;
mod rectangle;
mod results;
mod roots;
mod sharing;
#[path = "../small/mod.rs"]
mod small;
mod sums;
mod transfers;
mod visits;

use std::sync::{LazyLock, PoisonError, RwLock, RwLockReadGuard};
use td_kernel::__private::Axis;

use td_kernel::{Device, Kernel, Result, SliceMut, td_kernel};
use td_kernel_geometry::Root;
use td_kernel_tests::Choice;

/// Euclidean distance of every pair of points.
#[td_kernel(map = "ltm")]
unsafe fn edm(#[each] p: &[[f32; 4]], distance: &mut Packed<f32>) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z, dw = p.i.w - p.j.w;
    distance = sqrtf(fmaf(dw, dw, fmaf(dz, dz, fmaf(dy, dy, dx * dx))));
    "#
}

/// Marks each pair with a bit in the triangle with its diagonal, and counts errors.
const VISIT: &str = r##"
unsafe fn visit(
    strict: u32,
    bits: &mut [u32],
    visited: &mut Sum<u64>,
    again: &mut Sum<u64>,
    outside: &mut Sum<u64>,
) {
    r#"
    if (i >= n || j + strict > i) {
        outside += 1;
        return;
    }
    const unsigned long long cell = (unsigned long long)i * (i + 1) / 2 + j;
    const unsigned int bit = 1u << (cell % 32);
    if (atomicOr(&bits[cell / 32], bit) & bit)
        again += 1;
    visited += 1;
    "#
}
"##;

/// Tests that need much of a GPU's memory lock this shared; tests that read the free memory lock it exclusively.
static MEMORY: RwLock<()> = RwLock::new(());

fn share_memory() -> RwLockReadGuard<'static, ()> {
    MEMORY.read().unwrap_or_else(PoisonError::into_inner)
}

/// Whether `small` runs on a GPU.
const IS_GPU: bool = true;

/// The device of the tests in `small` and of the catalogue, which share what it has compiled.
static SHARED: LazyLock<Device> = LazyLock::new(gpu);

/// The device of the tests in `small`.
fn devices() -> Vec<Device> {
    vec![SHARED.clone()]
}

/// A device that has compiled nothing.
fn gpu() -> Device {
    Device::cuda(0).unwrap()
}

/// A kernel's errors: visits outside, repeated visits, and missing pairs. With all zero, it visited each pair exactly once.
fn wrong_visits(device: &Device, kernels: &[Kernel], choice: &Choice, n: usize) -> Result<u64> {
    let mut bits = device.zeroed::<u32>((n * (n + 1) / 2).div_ceil(32))?;
    let (mut visited, mut again, mut outside) =
        (device.sum::<u64>()?, device.sum::<u64>()?, device.sum::<u64>()?);
    let strict = u32::from(!choice.diagonal);
    for kernel in kernels {
        let mut launch = kernel.launch();
        launch.bind(Axis::Each, "n", n)?;
        launch.bind(Axis::All, "scalar", &strict)?;
        launch.bind(Axis::All, "bits", SliceMut::view_mut(&mut bits))?;
        launch.bind(Axis::All, "visited", &mut visited)?;
        launch.bind(Axis::All, "again", &mut again)?;
        launch.bind(Axis::All, "outside", &mut outside)?;
        // SAFETY: the parameters of the item, in its order and with its types.
        unsafe { launch.run() }?;
    }
    let missed = (choice.pairs(n) as u64).abs_diff(visited.download()?);
    Ok(missed + again.download()? + outside.download()?)
}

/// Checks that the kernel visits each pair once, at once and in ranges of rows, or that the launch is an error because a float root
/// fails before n.
fn visits_each_pair_once(device: &Device, kernel: &Kernel, choice: &Choice, n: usize) {
    check_visits(device, std::slice::from_ref(kernel), choice, n);
    if choice.has_ranges() {
        let first = n * 7 / 50;
        let second = (first + 1).min(n);
        let ends = [0, first, second, second.max(n * 31 / 50), n];
        let ranges = ends.windows(2).map(|ends| kernel.rows(ends[0]..ends[1]));
        check_visits(device, &ranges.collect::<Vec<_>>(), choice, n);
    }
}

fn check_visits(device: &Device, kernels: &[Kernel], choice: &Choice, n: usize) {
    match wrong_visits(device, kernels, choice, n) {
        Ok(wrong) => {
            println!("{}, n = {n}: {wrong} wrong", choice.attribute());
            assert_eq!(wrong, 0);
        }
        Err(error)
            if error.kind() == td_kernel::ErrorKind::MapLimitExceeded
                && choice.root != Root::Exact =>
        {
            println!("{error}");
        }
        Err(error) => panic!("{choice:?}, n = {n}: {error}"),
    }
}

fn points(n: usize) -> Vec<[f32; 4]> {
    (0..n)
        .map(|k| [k as f32 * 0.37, (k % 11) as f32, (k % 5) as f32 * -2.5, 1.0 / (k + 1) as f32])
        .collect()
}

fn distances(points: &[[f32; 4]]) -> Vec<f64> {
    let distance = |(i, j): (usize, usize)| {
        let squares =
            points[i].iter().zip(points[j]).map(|(a, b)| (f64::from(*a) - f64::from(b)).powi(2));
        squares.sum::<f64>().sqrt()
    };
    (0..points.len()).flat_map(|i| (0..i).map(move |j| (i, j))).map(distance).collect()
}

fn assert_near(found: &[f32], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!(
            (f64::from(*found) - expected).abs() <= 1e-6 * expected.max(1.0),
            "{found} {expected}"
        );
    }
}

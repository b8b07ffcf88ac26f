//! The time of a program's first launch when nothing is compiled yet, with a small body and with a large one. NVRTC 13 caches
//! its results for later processes, so only the first run on a machine shows it.

use std::time::{Duration, Instant};

use td_kernel::{Device, Result, nvrtc, td_kernel};

use crate::Failure;
use crate::kernels::packed_3;

/// A large body: that of `td_kernel_tests::large`.
#[td_kernel]
unsafe fn levenshtein(
    #[each] word: &[u32],
    distance: &mut Packed<u8>,
    #[each] near: &mut Sum<u32>,
    total: &mut Sum<u64>,
) {
    include_str!("../../tests/src/levenshtein.cu")
}

/// The element count: launches of so few take other variants than the first ones, which `load` compiles.
const N: usize = 1000;

/// Prints the times of NVRTC's start, and of `load`, `prepare` and the launch after them.
pub(crate) fn run() -> std::result::Result<(), Failure> {
    let device = Device::cuda(0)?;
    let (points, mut distance) = (device.upload(&[[1.0; 3]; N])?, device.packed(N)?);
    let (words, mut letters) = (device.upload(&[1_u32; N])?, device.packed(N)?);
    let (mut near, mut total) = (device.sums(N)?, device.sum()?);
    let empty = "extern \"C\" __global__ void empty() {}";
    let (_, started) = timed(|| nvrtc::compile("empty", empty, &[], 80))?;
    println!("NVRTC's start, with an empty kernel: {:.1} ms", started.as_secs_f64() * 1e3);
    println!(
        "{:12}  {:>7}  {:>7}  {:>7}  in ms, for {N} elements",
        "kernel", "load", "prepare", "launch"
    );
    let launch = |kernel: &packed_3| kernel.launch(&points, &mut distance);
    show("distances", &device, || packed_3::load(&device), |kernel| kernel.prepare(N), launch)?;
    let launch = |kernel: &levenshtein| kernel.launch(&words, &mut letters, &mut near, &mut total);
    let load = || levenshtein::load(&device);
    Ok(show("levenshtein", &device, load, |kernel| kernel.prepare(N), launch)?)
}

fn show<K>(
    name: &str,
    device: &Device,
    load: impl FnOnce() -> Result<K>,
    prepare: impl FnOnce(&K) -> Result<()>,
    launch: impl FnOnce(&K) -> Result<()>,
) -> Result<()> {
    let (kernel, loaded) = timed(load)?;
    let ((), prepared) = timed(|| prepare(&kernel))?;
    let ((), launched) = timed(|| launch(&kernel).and_then(|()| device.synchronize()))?;
    let [load, prepare, launch] = [loaded, prepared, launched].map(|time| time.as_secs_f64() * 1e3);
    println!("{name:12}  {load:7.1}  {prepare:7.1}  {launch:7.1}");
    Ok(())
}

fn timed<R>(work: impl FnOnce() -> Result<R>) -> Result<(R, Duration)> {
    let begin = Instant::now();
    work().map(|result| (result, begin.elapsed()))
}

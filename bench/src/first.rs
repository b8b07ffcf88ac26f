//! The host's time for a launch: for a program's first launch when nothing is compiled yet, with a small body and with a large one;
//! for a `load` that finds the kernel in the cache; and for each later launch, compared with one of the same arguments by cudarc. NVRTC
//! 13 caches its results for later processes, so only the first run on a machine shows the first launch.

use std::time::Instant;

use td_kernel::cudarc::driver::{LaunchConfig, PushKernelArg};
use td_kernel::cudarc::nvrtc::Ptx;
use td_kernel::nvrtc::{self, Code};
use td_kernel::{Device, Result, td_kernel};

use crate::Failure;
use crate::kernels::packed_3;
use crate::measure::times::timed;

/// A large body: that of `td_kernel_tests::large`.
#[td_kernel]
unsafe fn levenshtein(
    #[each] word: &[u32],
    distance: &mut Packed<u8>,
    #[each] near: &mut Sums<u32>,
    total: &mut Sum<u64>,
) {
    include_str!("../../tests/src/catalogue/levenshtein.cu")
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
    show("levenshtein", &device, load, |kernel| kernel.prepare(N), launch)?;
    later()
}

/// How many launches are timed together: fewer than a stream holds before the host has to wait.
const LAUNCHES: u32 = 256;

/// Prints the time of a `load` with a warm cache, and of a launch of few elements.
fn later() -> std::result::Result<(), Failure> {
    let folder = tempfile::tempdir()?;
    let open = || Ok::<_, td_kernel::Error>(Device::cuda(0)?.with_cache(folder.path()));
    packed_3::load(&open()?)?;
    let mut loads = Vec::new();
    for _ in 0..9 {
        let device = open()?;
        loads.push(timed(|| packed_3::load(&device))?.1);
    }
    loads.sort_unstable();
    println!("load with a warm cache: {:.3} ms", loads[loads.len() / 2].as_secs_f64() * 1e3);

    let device = Device::cuda(0)?;
    let stream = device.stream().ok_or("the device does not have a stream")?;
    let (points, mut distance) = (device.upload(&[[1.0; 3]; 64])?, device.packed(64)?);
    let kernel = packed_3::load(&device)?;
    let ours = each(&device, || Ok(kernel.launch(&points, &mut distance)?))?;
    let source = "extern \"C\" __global__ void like_it(unsigned n, const float *p, float *out) {}";
    let (major, minor) = stream.context().compute_capability()?;
    let image = match nvrtc::compile("like_it", source, &[], (10 * major + minor).try_into()?)?.code
    {
        Code::Cubin(bytes) => Ptx::from_binary(bytes),
        Code::Ptx(text) => Ptx::from_src(text),
    };
    let function = stream.context().load_module(image)?.load_function("like_it")?;
    let (from, mut to) = (stream.alloc_zeros::<f32>(192)?, stream.alloc_zeros::<f32>(2016)?);
    let theirs = each(&device, || {
        let mut launch = stream.launch_builder(&function);
        launch.arg(&64_u32).arg(&from).arg(&mut to);
        // SAFETY: the kernel has these parameters, and uses none of them.
        unsafe { launch.launch(LaunchConfig::for_num_elems(64)) }?;
        Ok(())
    })?;
    println!("a launch: {ours:.2} us, by cudarc {theirs:.2} us");
    Ok(())
}

/// The least time of a launch, in microseconds, without that of the GPU.
fn each(
    device: &Device,
    mut launch: impl FnMut() -> std::result::Result<(), Failure>,
) -> std::result::Result<f64, Failure> {
    let mut least = f64::INFINITY;
    for _ in 0..50 {
        device.synchronize()?;
        let begin = Instant::now();
        for _ in 0..LAUNCHES {
            launch()?;
        }
        least = least.min(begin.elapsed().as_secs_f64() / f64::from(LAUNCHES));
    }
    device.synchronize()?;
    Ok(least * 1e6)
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

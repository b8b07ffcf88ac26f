//! The host's time for a `load` that compiles the kernel, for one that finds it in the cache, and for a launch, compared with one of
//! as many arguments by cudarc. NVRTC 13 caches its results for later processes, so only the first run on a machine compiles.

use std::time::Instant;

use anyhow::Result;
use td_kernel::Device;
use td_kernel::cudarc::driver::PushKernelArg;

use crate::kernels::packed_3;
use crate::measure::by_hand::Source;
use crate::measure::gpu::Gpu;
use crate::measure::times::{Spread, timed};

/// How many launches are timed together: fewer than a stream holds before the host has to wait.
const LAUNCHES: u32 = 256;

pub(crate) fn run() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let mut loads = Vec::new();
    for _ in 0..10 {
        let device = Device::cuda(0)?.with_cache(folder.path());
        loads.push(1e3 * timed(|| packed_3::load(&device))?.1.as_secs_f64());
    }
    let first = loads.remove(0);
    let Spread { median, .. } = Spread::extremes(loads)?;
    println!("load: {first:.1} ms, with a warm cache {median:.3} ms");

    let gpu = Gpu::open()?;
    let (points, mut distance) = (gpu.device.upload(&[[1.0; 3]; 64])?, gpu.device.packed(64)?);
    let kernel = packed_3::load(&gpu.device)?;
    let ours = each(&gpu.device, || Ok(kernel.launch(&points, &mut distance)?))?;
    let function = gpu.load(&Source::new("copy", &[]))?;
    let (from, mut to) = (gpu.upload(&[0.0_f32])?, gpu.upload(&[0.0_f32])?);
    let theirs = each(&gpu.device, || {
        // SAFETY: `copy` takes the number of vectors, here none, and two addresses.
        unsafe {
            gpu.launch(&function, [1, 1], [64, 1], |launch| {
                launch.arg(&0_u64).arg(&from).arg(&mut to)
            })
        }
    })?;
    println!("a launch: {ours:.2} us, by cudarc {theirs:.2} us");
    Ok(())
}

/// The least time of a launch, in microseconds, without that of the GPU.
fn each(device: &Device, mut launch: impl FnMut() -> Result<()>) -> Result<f64> {
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

//! What a launch costs the host, over a launch of the same code by cudarc alone.

use std::path::Path;
use std::time::Instant;

use serde_json::json;
use td_kernel::cudarc::driver::{LaunchConfig, PushKernelArg};
use td_kernel::cudarc::nvrtc::Ptx;
use td_kernel::nvrtc::{self, Code};
use td_kernel::{Device, td_kernel};

use crate::Failure;

/// Packed, so that slots and lengths are checked; in one small block, so that the GPU keeps up.
#[td_kernel(block = 16)]
unsafe fn edm(#[each] p: &[[f32; 4]], distance: &mut Packed<f32>) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z, dw = p.i.w - p.j.w;
    distance = sqrtf(fmaf(dw, dw, fmaf(dz, dz, fmaf(dy, dy, dx * dx))));
    "#
}

const ELEMENTS: usize = 16;
/// Launches in a row, fewer than the driver queues.
const LAUNCHES: u32 = 200;
const ROUNDS: usize = 101;

/// Measures, prints, and writes the figures.
pub(crate) fn run(output: Option<&Path>) -> Result<(), Failure> {
    let device = Device::cuda(0)?;
    let stream = device.stream().ok_or("a GPU has a stream")?;
    let points = stream.clone_htod(&[[0.5_f32; 4]; ELEMENTS])?;
    let mut packed = stream.alloc_zeros::<f32>(ELEMENTS * (ELEMENTS - 1) / 2)?;
    let kernel = edm::load(&device)?;

    let (major, minor) = stream.context().compute_capability()?;
    let compiled = nvrtc::compile("edm", edm::SOURCE, (major * 10 + minor).unsigned_abs())?;
    let code = match compiled.code {
        Code::Cubin(bytes) => Ptx::from_binary(bytes),
        Code::Ptx(text) => Ptx::from_src(text),
    };
    let function = stream.context().load_module(code)?.load_function("edm_kernel")?;
    let config = LaunchConfig { grid_dim: (1, 1, 1), block_dim: (16, 16, 1), shared_mem_bytes: 0 };
    let n = ELEMENTS as u32;

    let (mut raw, mut ours) = (Vec::new(), Vec::new());
    for round in 0..=ROUNDS {
        stream.synchronize()?;
        let start = Instant::now();
        for _ in 0..LAUNCHES {
            let mut builder = stream.launch_builder(&function);
            builder.arg(&n).arg(&points).arg(&mut packed);
            // SAFETY: these are the kernel's parameters in their order, for n elements and their pairs.
            unsafe { builder.launch(config) }?;
        }
        let raw_time = start.elapsed();
        stream.synchronize()?;
        let start = Instant::now();
        for _ in 0..LAUNCHES {
            kernel.launch(&points, &mut packed)?;
        }
        let our_time = start.elapsed();
        // The first round loads code.
        if round > 0 {
            raw.push(raw_time / LAUNCHES);
            ours.push(our_time / LAUNCHES);
        }
    }
    stream.synchronize()?;
    let median = |times: &mut Vec<std::time::Duration>| {
        times.sort_unstable();
        times[times.len() / 2].as_secs_f64() * 1e6
    };
    let (raw, ours) = (median(&mut raw), median(&mut ours));
    println!("{}: medians of {ROUNDS} rounds of {LAUNCHES} launches", device.name());
    println!("cudarc {raw:.3} us, td-kernel {ours:.3} us, {:.3} us more", ours - raw);
    if let Some(path) = output {
        let report = json!({
            "device": device.name(),
            "command": "td-bench launch",
            "cudarc_us": raw,
            "td_kernel_us": ours,
            "more_us": ours - raw,
        });
        std::fs::write(path, format!("{report:#}\n"))?;
    }
    Ok(())
}

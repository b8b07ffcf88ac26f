//! What a launch costs the host, over a launch of the same code by cudarc alone.

use std::time::{Duration, Instant};

use serde_json::json;
use td_kernel::cudarc::driver::{LaunchConfig, PushKernelArg};

use crate::Failure;
use crate::experiment::{self, Run};
use crate::figures::edm_4;
use crate::measure::by_hand::Source;

const ELEMENTS: usize = 16;
/// Launches in a row, fewer than the driver queues.
const LAUNCHES: u32 = 200;
const ROUNDS: usize = 101;

/// Measures, prints, and writes the figures.
pub(crate) fn run(options: &Run) -> Result<(), Failure> {
    let title = format!("Medians of {ROUNDS} rounds of {LAUNCHES} launches");
    let columns = ["cudarc_us", "td_kernel_us", "more_us"];
    experiment::table_of(options, "launch", &title, &columns, |gpu, rows| {
        let stream = &gpu.stream;
        let points = stream.clone_htod(&[[0.5_f32; 4]; ELEMENTS])?;
        let mut packed = stream.alloc_zeros::<f32>(ELEMENTS * (ELEMENTS - 1) / 2)?;
        // Packed, so that slots and lengths are checked; in one small block, so that the GPU keeps up.
        let kernel = edm_4::ltm::load(&gpu.device)?;
        let function = gpu.load(&Source::generated("ltm_kernel", edm_4::ltm::SOURCE))?;
        let config =
            LaunchConfig { grid_dim: (1, 1, 1), block_dim: (16, 16, 1), shared_mem_bytes: 0 };
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
        let median = |mut times: Vec<Duration>| {
            times.sort_unstable();
            times[ROUNDS / 2].as_secs_f64() * 1e6
        };
        let [raw, ours] = [raw, ours].map(median);
        rows.push(json!([raw, ours, ours - raw]));
        Ok(())
    })
}

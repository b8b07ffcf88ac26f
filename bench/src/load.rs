//! What the cache on disk saves: a kernel loaded by a process that finds the cache empty, and by the
//! next process. Each has to be a process of its own, because NVRTC stays loaded.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;
use td_kernel::nvrtc::Cache;
use td_kernel::{Device, ErrorKind, PairKernel};

use crate::Failure;
use crate::experiment::{File, Run, Table};
use crate::figures::{collision_3, edm_4};

/// Loads a kernel as far as that, with this cache.
type Load = fn(&str, &Path) -> Result<Duration, Failure>;

/// The kernels that are loaded.
const KERNELS: [(&str, Load); 2] =
    [("edm", loaded::<edm_4::ltm_tiles>), ("collisions", loaded::<collision_3::ltm_tiles>)];

/// How far: to machine code, which needs no GPU, or onto the GPU, ready to be launched.
const FAR: [&str; 2] = ["code", "gpu"];

/// The architecture that is compiled for where only code is asked for.
const ARCHITECTURE: u32 = 90;

/// Measures, prints a table, and writes the figures.
pub(crate) fn run(rounds: u32, options: &Run) -> Result<(), Failure> {
    if let Some(from) = &options.from {
        return File::<Table>::judge(from, "load");
    }
    let (device, ways) = match Device::cuda(0) {
        Ok(device) => (Some(device), &FAR[..]),
        Err(error) if error.kind() == ErrorKind::NoGpu => (None, &FAR[..1]),
        Err(error) => return Err(error.into()),
    };
    let title = format!(
        "A kernel loaded by a process with an empty cache, and by the next one; medians of {rounds}"
    );
    let columns = ["kernel", "to", "compiled_ms", "cached_ms", "compiled_over_cached"];
    let mut file = File::new(options, "load", device.as_ref(), Table::new(&title, &columns))?;
    for (kernel, _) in KERNELS {
        for &far in ways {
            let [compiled, cached] = medians(rounds, kernel, far)?;
            let row = json!([kernel, far, compiled, cached, compiled / cached]);
            file.figures.rows.push(row);
        }
    }
    file.finish()
}

/// The median times in milliseconds, compiled and from the cache.
fn medians(rounds: u32, kernel: &str, far: &str) -> Result<[f64; 2], Failure> {
    let mut times = [Vec::new(), Vec::new()];
    for round in 0..=rounds {
        let cache = tempfile::tempdir()?;
        for times in &mut times {
            let time = in_a_process(kernel, far, cache.path())?;
            // The first round warms up: the system reads NVRTC's file from the disk.
            if round > 0 {
                times.push(time);
            }
        }
        if std::fs::read_dir(cache.path())?.count() == 0 {
            return Err("the first process has left nothing in the cache".into());
        }
    }
    Ok(times.map(|mut times| {
        times.sort_unstable_by(f64::total_cmp);
        times[times.len() / 2]
    }))
}

/// The milliseconds that a process of its own takes for the loading alone.
fn in_a_process(kernel: &str, far: &str, cache: &Path) -> Result<f64, Failure> {
    let output = Command::new(std::env::current_exe()?)
        .args(["load-once", kernel, far])
        .arg(cache)
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err(format!("the process that loads a kernel ended with {}", output.status).into());
    }
    Ok(String::from_utf8(output.stdout)?.trim().parse()?)
}

/// Loads a kernel and prints how many milliseconds that took.
pub(crate) fn once(kernel: &str, far: &str, cache: &Path) -> Result<(), Failure> {
    let named = KERNELS.iter().find(|(name, _)| *name == kernel);
    let (_, load) = named.ok_or_else(|| format!("there is no kernel {kernel}"))?;
    println!("{}", load(far, cache)?.as_secs_f64() * 1e3);
    Ok(())
}

/// The time of loading. Opening the GPU is not counted.
fn loaded<K: PairKernel>(far: &str, cache: &Path) -> Result<Duration, Failure> {
    if far == FAR[0] {
        let start = Instant::now();
        Cache::new(cache).compile(K::NAME, K::SOURCE, ARCHITECTURE)?;
        return Ok(start.elapsed());
    }
    let device = Device::cuda(0)?.with_cache(cache);
    let start = Instant::now();
    K::load(&device)?;
    Ok(start.elapsed())
}

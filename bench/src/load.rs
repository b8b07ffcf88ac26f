//! What the cache on disk saves: a kernel loaded by a process that finds the cache empty, and by the
//! next process. Each has to be a process of its own, because NVRTC stays loaded.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use clap::ValueEnum;
use serde_json::json;
use td_kernel::nvrtc::Cache;
use td_kernel::{Device, Error, td_kernel};

use crate::Failure;
use crate::experiment::{File, Run, Table};

#[td_kernel]
unsafe fn edm(#[each] p: &[[f32; 4]], distance: &mut Packed<f32>) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z, dw = p.i.w - p.j.w;
    distance = sqrtf(fmaf(dw, dw, fmaf(dz, dz, fmaf(dy, dy, dx * dx))));
    "#
}

#[td_kernel]
unsafe fn collisions(#[each] s: &[[f32; 4]], touching: &mut Sum<u64>) {
    r#"
    float dx = s.i.x - s.j.x, dy = s.i.y - s.j.y, dz = s.i.z - s.j.z, r = s.i.w + s.j.w;
    if (dx * dx + dy * dy + dz * dz <= r * r)
        touching += 1;
    "#
}

/// The kernels that are loaded.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Kernel {
    /// Packed distances, one thread a pair.
    Edm,
    /// A sum over tiles.
    Collisions,
}

/// How far a kernel is loaded.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Far {
    /// To machine code, which needs no GPU.
    Code,
    /// Onto the GPU, ready to be launched.
    Gpu,
}

/// The architecture that is compiled for where only code is asked for.
const ARCHITECTURE: u32 = 90;

/// Measures, prints a table, and writes the figures.
pub(crate) fn run(rounds: u32, options: &Run) -> Result<(), Failure> {
    if let Some(from) = &options.from {
        return File::<Table>::judge(from, "load");
    }
    let (device, ways) = match Device::cuda(0) {
        Ok(device) => (Some(device), vec![Far::Code, Far::Gpu]),
        Err(Error::NoDriver { .. } | Error::NoGpu { .. }) => (None, vec![Far::Code]),
        Err(error) => return Err(error.into()),
    };
    let title = format!(
        "A kernel loaded by a process with an empty cache, and by the next one; medians of {rounds}"
    );
    let columns = ["kernel", "to", "compiled_ms", "cached_ms", "compiled_over_cached"];
    let mut file = File::new(options, "load", device.as_ref(), Table::new(&title, &columns))?;
    for kernel in [Kernel::Edm, Kernel::Collisions] {
        for &far in &ways {
            let [compiled, cached] = medians(rounds, kernel, far)?;
            let row = [json!(word(kernel)), json!(word(far)), json!(compiled), json!(cached)];
            file.figures.rows.push([&row[..], &[json!(compiled / cached)]].concat());
        }
    }
    file.finish()
}

/// The median times in milliseconds, compiled and from the cache.
fn medians(rounds: u32, kernel: Kernel, far: Far) -> Result<[f64; 2], Failure> {
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
fn in_a_process(kernel: Kernel, far: Far, cache: &Path) -> Result<f64, Failure> {
    let output = Command::new(std::env::current_exe()?)
        .args(["load-once", &word(kernel), &word(far)])
        .arg(cache)
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err(format!("the process that loads a kernel ended with {}", output.status).into());
    }
    Ok(String::from_utf8(output.stdout)?.trim().parse()?)
}

/// Loads a kernel and prints how many milliseconds that took. Opening the GPU is not counted.
pub(crate) fn once(kernel: Kernel, far: Far, cache: &Path) -> Result<(), Failure> {
    let time = match far {
        Far::Code => {
            let (name, source) = match kernel {
                Kernel::Edm => ("edm", edm::SOURCE),
                Kernel::Collisions => ("collisions", collisions::SOURCE),
            };
            let start = Instant::now();
            Cache::new(cache).compile(name, source, ARCHITECTURE)?;
            start.elapsed()
        }
        Far::Gpu => {
            let device = Device::cuda(0)?.with_cache(cache);
            let start = Instant::now();
            match kernel {
                Kernel::Edm => drop(edm::load(&device)?),
                Kernel::Collisions => drop(collisions::load(&device)?),
            }
            start.elapsed()
        }
    };
    println!("{}", time.as_secs_f64() * 1e3);
    Ok(())
}

/// The word for a value on the command line.
fn word(value: impl ValueEnum) -> String {
    value.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

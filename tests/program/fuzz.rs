//! Runs kernels of the catalogue with random sizes, numbers and choices, one after the other, until time is over.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use td_kernel::Device;
use td_kernel_tests::catalogue;

/// Runs launches with this and the following seeds, at least one. The first that is wrong is printed, with a command that repeats
/// it.
pub(crate) fn run(name: &str, seconds: u64, first: u64, kernel: Option<&str>) -> ExitCode {
    let device = match name {
        "cpu" => Device::cpu(),
        "emulator" => Device::emulator(),
        "cuda" => Device::cuda(0),
        _ => {
            eprintln!("error: there is no device `{name}`: write cpu, emulator or cuda");
            return ExitCode::FAILURE;
        }
    };
    let device = match device {
        Ok(device) => device,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::FAILURE;
        }
    };
    let mut entries = catalogue::all();
    entries.retain(|entry| kernel.is_none_or(|kernel| entry.name == kernel));
    if entries.is_empty() {
        eprintln!("error: the catalogue has no kernel `{}`", kernel.unwrap_or_default());
        return ExitCode::FAILURE;
    }
    let (start, mut seed) = (Instant::now(), first);
    loop {
        let entry = entries[seed as usize % entries.len()];
        let run = entry.random(&device, seed).unwrap_or_else(|error| panic!("{error}"));
        if let Err(problem) = entry.check(&run, &[run.variant]) {
            println!("\n{problem}");
            let options = format!("--device {name} --seconds 0 --seed {seed}");
            println!("again: cargo xtask fuzz kernels {options} --kernel {}", entry.name);
            return ExitCode::FAILURE;
        }
        seed += 1;
        eprint!("\r{} launches in {} s ", seed - first, start.elapsed().as_secs());
        if start.elapsed() >= Duration::from_secs(seconds) {
            println!("\n{} launches are right", seed - first);
            return ExitCode::SUCCESS;
        }
    }
}

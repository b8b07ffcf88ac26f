//! Runs the catalogue's kernels by command: `cargo xtask mutants` and `cargo xtask fuzz kernels`.
#![allow(clippy::unwrap_used, clippy::panic)]

mod changes;
mod fuzz;
mod mutants;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let words: Vec<_> = arguments.iter().map(String::as_str).collect();
    match &words[..] {
        ["--run", ..] => mutants::run_kernels(&arguments[1..]),
        _ if mutants::is_compiler() => mutants::compile(&arguments),
        ["run", with @ ..] => mutants::run_all(with.first().copied().unwrap_or_default()),
        ["mutants", count, seed, suite @ ..] => {
            mutants::all(count.parse().unwrap(), seed.parse().unwrap(), suite.first().copied())
        }
        ["fuzz", device, seconds, seed, kernel @ ..] => {
            let (seconds, seed) = (seconds.parse().unwrap(), seed.parse().unwrap());
            fuzz::run(device, seconds, seed, kernel.first().copied())
        }
        _ => {
            eprintln!("usage: catalogue run [TEXT]");
            eprintln!("       catalogue mutants COUNT SEED [TEST PROGRAM]");
            eprintln!("       catalogue fuzz DEVICE SECONDS SEED [KERNEL]");
            ExitCode::FAILURE
        }
    }
}

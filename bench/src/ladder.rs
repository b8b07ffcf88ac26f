//! Vector distances, `C[i][j] = sum over k of (A[i][k] - B[j][k])^2` for n x n x n: a paper's steps, from a loop in C to a
//! kernel without bank conflicts, on this machine; then register tiles, handwritten and generated.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Error, Result, ensure};
use clap::Args;
use td_kernel_examples::count_in;

use crate::cpu_loops::{described, run_program};
use crate::kernels::square_of_distance;
use crate::measure::by_hand::rounding;
use crate::measure::expect;
use crate::measure::gpu::Gpu;
use crate::measure::points::rows_of_two;
use crate::measure::times::Spread;
use crate::results::{Outcome, Record, Results, Run, Untimed};
use crate::subject::{Contest, Folds, GENERATED};

#[derive(Args)]
pub(crate) struct Options {
    /// The C++ compiler, which must understand the options of g++
    #[arg(long, default_value = "g++")]
    compiler: PathBuf,
    /// The measured n, multiples of 16. On one thread, the paper's largest takes up to some minutes
    #[arg(long, value_delimiter = ',', default_values_t = PAPER_SIZES, value_parser = count_in(1..))]
    sizes: Vec<usize>,
    #[command(flatten)]
    run: Run,
}

pub(crate) const SEQUENTIAL: &str = "sequential C";

/// The steps on the CPU, with their compiler options.
const HOST: [(&str, &[&str]); 3] = [
    (SEQUENTIAL, &["-O3"]),
    ("OpenMP", &["-O3", "-march=native", "-fopenmp"]),
    ("OpenMP with vectors", &["-O3", "-march=native", "-fopenmp", "-DSIMD"]),
];

/// The handwritten kernels, in the order of the subject: with global memory only; through shared memory with bank conflicts;
/// without these conflicts; with 8 x 8 sums per thread.
const BY_HAND: [&str; 4] = ["naive", "tiled", "conflict-free", "register tiles by hand"];

/// The paper's n and its milliseconds: on two Xeon E5530 with eight cores together, and on a Tesla C1060.
const PAPER_SIZES: [usize; 6] = [128, 256, 512, 1024, 2048, 4096];
const PAPER: [(&str, [f64; 6]); 5] = [
    (SEQUENTIAL, [7.6339, 48.594, 324.39, 2551.6, 21_096.0, 168_920.0]),
    ("OpenMP", [4.7381, 12.1866, 54.868, 372.86, 2819.0, 20_580.0]),
    ("naive", [2.5, 29.47, 350.0, 1245.0, 6950.0, 53_557.0]),
    ("tiled", [0.25, 1.27, 9.15, 70.0, 563.0, 4505.0]),
    ("conflict-free", [0.12, 0.51, 4.3, 27.0, 206.0, 1647.0]),
];

/// The paper's milliseconds of a step, if it has them.
pub(crate) fn paper(rung: &str, n: usize) -> Option<f64> {
    let (_, times) = PAPER.iter().find(|(name, _)| *name == rung)?;
    Some(times[PAPER_SIZES.iter().position(|size| *size == n)?])
}

/// The number of rounds of each kernel.
const ROUNDS: usize = 11;

/// Launches in each round: enough for the events' resolution.
fn repeats(n: usize) -> u32 {
    match n {
        0..=256 => 50,
        257..=512 => 20,
        513..=1024 => 5,
        1025..=2048 => 2,
        _ => 1,
    }
}

pub(crate) fn run(options: &Options) -> Result<Results> {
    let Options { compiler, sizes, run } = options;
    let gpu = Gpu::open()?;
    let mut results =
        Results::begin(run, "ladder", &gpu.device, described(Command::new(compiler)))?;
    for &n in sizes {
        let mut record = Record::new("vector distances", n);
        let matrices = rows_of_two(n, n, n);
        for (rung, options) in HOST {
            record.results.push((rung.into(), on_cpu(compiler, options, n, &matrices).into()));
        }
        record.results.extend(on_gpu(&gpu, n)?);
        results.add(record)?;
    }
    Ok(results)
}

/// The kernels, side by side.
fn on_gpu(gpu: &Gpu, n: usize) -> Result<Vec<(String, Outcome)>> {
    let subject = Folds::new::<square_of_distance>(gpu, n, n)?;
    let mut kernels = subject.ladder_by_hand()?;
    kernels.push(subject.folded::<square_of_distance>()?);
    // All write to the same slots: each is checked alone before all are timed.
    let contest = Contest::new(&subject, kernels)?;
    let checked: Vec<_> = contest.check_each().collect();
    let samples = gpu.samples(ROUNDS, repeats(n), contest.ways().collect())?;
    let names = BY_HAND.into_iter().chain([GENERATED]).map(str::to_owned);
    let times = checked.into_iter().zip(samples);
    let times = times.map(|(checked, samples)| checked.and_then(|()| Spread::quarters(samples)));
    Ok(names.zip(times.map(Outcome::from)).collect())
}

const PROGRAM: &str = include_str!("../host/ladder.cpp");

/// The number of rounds of a step on the CPU, after a warm-up round, and the seconds after which no further round begins: the
/// largest n takes minutes on one thread, and is then timed once.
const HOST_ROUNDS: usize = 7;
const HOST_SECONDS: f64 = 3.0;

/// One sum is checked in each square of this side, the smallest block of all steps.
const SQUARE: usize = 16;

/// The time of a step on the CPU with two matrices of n x n, whose sums are checked.
fn on_cpu(compiler: &Path, options: &[&str], n: usize, matrices: &[Vec<f32>; 2]) -> Result<Spread> {
    let folder = tempfile::tempdir()?;
    let files = ["ladder.cpp", "rung", "input", "output"].map(|name| folder.path().join(name));
    let [text, program, input, output] = &files;
    std::fs::write(text, PROGRAM)?;
    let both = matrices.iter().flatten();
    std::fs::write(input, both.flat_map(|number| number.to_ne_bytes()).collect::<Vec<u8>>())?;
    let untimed = |error: Error| Untimed(error.to_string());
    run_program(Command::new(compiler).args(options).arg("-o").args([program, text]))
        .map_err(untimed)?;
    let words = [n.to_string(), (1 + HOST_ROUNDS).to_string(), HOST_SECONDS.to_string()];
    let printed = run_program(Command::new(program).args(words).args([input, output]));
    let printed = printed.map_err(untimed)?;
    let bytes = std::fs::read(output)?;
    let sums = bytes.as_chunks().0.iter().map(|number| f32::from_ne_bytes(*number));
    check(n, matrices, &sums.collect::<Vec<_>>())?;
    let mut times = printed.lines().map(str::parse).collect::<Result<Vec<f64>, _>>()?;
    if times.len() > 1 {
        times.remove(0);
    }
    Spread::quarters(times)
}

/// An error if a sum differs from that in double precision.
fn check(n: usize, [a, b]: &[Vec<f32>; 2], sums: &[f32]) -> Result<()> {
    ensure!(sums.len() == n * n, "{} sums instead of {}", sums.len(), n * n);
    let share = rounding(n);
    for i in 0..n {
        for j in 0..n {
            // In each square another place.
            let place = 7 * (i / SQUARE) + 3 * (j / SQUARE);
            let chosen = [place / SQUARE % SQUARE, place % SQUARE];
            if [i % SQUARE, j % SQUARE] != chosen {
                continue;
            }
            let (row, column) = (&a[i * n..][..n], &b[j * n..][..n]);
            let squares =
                row.iter().zip(column).map(|(x, y)| (f64::from(*x) - f64::from(*y)).powi(2));
            let (sum, expected) = (f64::from(sums[i * n + j]), squares.sum::<f64>());
            expect(format_args!("sum ({i}, {j})"), sum, expected, share * expected)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_match_the_paper() {
        let factor = |rung, n| Some((paper(SEQUENTIAL, n)? / paper(rung, n)?).round());
        assert_eq!(factor("naive", 4096), Some(3.0));
        assert_eq!(factor("tiled", 128), Some(31.0));
        assert_eq!(factor("conflict-free", 4096), Some(103.0));
        assert_eq!((factor("generated", 4096), factor("naive", 100)), (None, None));
    }

    #[test]
    fn cpu_rungs_are_checked() {
        let n = 96;
        let matrices = rows_of_two(n, n, n);
        for (_, options) in HOST {
            on_cpu(Path::new("g++"), options, n, &matrices).unwrap();
        }
        let error = check(n, &matrices, &vec![0.0; n * n]).unwrap_err().to_string();
        assert!(error.starts_with("sum (0, 0): 0 instead of "), "{error}");
        let error = on_cpu(Path::new("no-such-compiler"), &[], n, &matrices).unwrap_err();
        assert!(error.downcast::<Untimed>().unwrap().0.starts_with("cannot run no-such-compiler"));
    }
}

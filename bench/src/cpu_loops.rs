//! Compares the CPU device's loops with handwritten C++ loops with OpenMP: over pairs of few coordinates, and over features.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::Args;
use td_kernel::{Device, Nearest, Packed, Sum, Sums, td_kernel};
use td_kernel_examples::count_in;

use crate::measure::times::Spread;
use crate::results::{Bound, Outcome, Record, Results, Run};
use crate::targets::folds::packed_distance;

#[derive(Args)]
pub(crate) struct Options {
    /// The number of turns. On a busy machine some turns are undisturbed, so the shortest time of each way counts
    #[arg(long, default_value_t = 12, value_parser = count_in(1..))]
    turns: usize,
    #[command(flatten)]
    run: Run,
}

#[td_kernel]
unsafe fn fours(#[each] p: &[[f32; 4]], distance: &mut Packed<f32>) {
    r#"
    float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z, w = p.i.w - p.j.w;
    distance = sqrtf(x * x + y * y + z * z + w * w);
    "#
}

#[td_kernel]
unsafe fn counted(#[each] p: &[[f32; 4]], found: &mut Sum<u32>) {
    r#"
    float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z;
    float reach = 0.05f * (p.i.w + p.j.w);
    if (x * x + y * y + z * z < reach * reach)
        found += 1;
    "#
}

#[td_kernel]
unsafe fn forces(#[each] p: &[[f32; 3]], #[each] force: &mut Sums<[f32; 3]>) {
    r#"
    float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z;
    float square = x * x + y * y + z * z + 0.001f;
    float strength = 1 / (square * sqrtf(square));
    float3 own = make_float3(strength * x, strength * y, strength * z);
    force.i += own;
    force.j -= own;
    "#
}

#[td_kernel]
unsafe fn nearest(#[each] p: &[[f32; 3]], #[each] near: &mut Nearest<f32, 10>) {
    r#"
    float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z;
    near.push(x * x + y * y + z * z);
    "#
}

/// A kernel on some elements: its output, how to clear it, and its checksum.
macro_rules! work {
    ($device:expr, $kernel:ident, $elements:expr, $output:expr, $clear:expr, $total:expr) => {{
        let (elements, mut output, kernel) = ($elements, $output, $kernel::load($device)?);
        kernel.launch(&elements, &mut output)?;
        let total: Result<f64> = $total(&output);
        let launch = move || {
            $clear(&mut output)?;
            Ok($device.timed(|| kernel.launch(&elements, &mut output))?.1)
        };
        Work { result: total?, launch: Box::new(launch) }
    }};
}

/// The time limit of the generated loops, as a multiple of the handwritten ones.
const TARGET: Bound = Bound::AtMost(1.3);

/// The maximum relative difference of the results.
const TOLERANCE: f64 = 1e-4;

/// The element counts, without and with features.
const SIZES: [usize; 2] = [2000, 4000];
const FEATURE_SIZES: [(usize, usize); 3] = [(4000, 128), (4000, 512), (8000, 128)];

/// Runs of each in a turn: many for short loops, so that some are not interrupted.
const ROUNDS: usize = 20;
const FEATURE_ROUNDS: usize = 2;

pub(crate) fn run(options: &Options) -> Result<Results> {
    let device = &Device::cpu()?;
    let beside = described(compiler());
    let mut results = Results::begin(&options.run, "cpu-loops", device, beside)?;
    let folder = tempfile::tempdir()?;
    let program = &compiled(folder.path())?;
    for n in SIZES {
        let mut add = |name: &str, argument: &str, width: usize, work: Work<'_>| {
            work.measure(&mut results, options, program, (name, argument), [n, width, ROUNDS])
        };
        let spheres = points::<4>(n);
        let packed = device.packed::<f32>(n)?;
        let total = |out: &Packed<f32>| Ok(sum(out.download()?.as_slice()));
        let work = work!(device, fours, device.upload(&spheres)?, packed, nothing, total);
        add("distances of 4 coordinates", "distances", 4, work)?;
        let (found, clear) = (device.sum::<u32>()?, Sum::clear);
        let total = |out: &Sum<u32>| Ok(f64::from(out.download()?));
        let work = work!(device, counted, device.upload(&spheres)?, found, clear, total);
        add("collisions counted", "count", 4, work)?;
        let (force, clear) = (device.sums::<[f32; 3]>(n)?, Sums::clear);
        let total = |out: &Sums<[f32; 3]>| {
            Ok(out.download()?.as_flattened().iter().map(|each| f64::from(each.abs())).sum())
        };
        let work = work!(device, forces, device.upload(&points::<3>(n))?, force, clear, total);
        add("forces", "forces", 3, work)?;
        let (near, clear) = (device.nearest::<f32, 10>(n)?, Nearest::clear);
        let total = |out: &Nearest<f32, 10>| Ok(sum(out.download()?.values()));
        let work = work!(device, nearest, device.upload(&points::<3>(n))?, near, clear, total);
        add("ten nearest neighbours", "nearest", 3, work)?;
    }
    for (n, features) in FEATURE_SIZES {
        let values: Vec<f32> = (0..n * features).map(number).collect();
        let (p, packed) = (device.features(&values, features)?, device.packed::<f32>(n)?);
        let total = |out: &Packed<f32>| Ok(sum(out.download()?.as_slice()));
        let work = work!(device, packed_distance, p, packed, nothing, total);
        let name = format!("distances of {features} features");
        let numbers = [n, features, FEATURE_ROUNDS];
        work.measure(&mut results, options, program, (&name, "folds"), numbers)?;
    }
    Ok(results)
}

/// Launches once and returns the time.
type Launch<'a> = dyn FnMut() -> Result<Duration> + 'a;

/// The work of the generated loops.
struct Work<'a> {
    /// The sum of a launch's results.
    result: f64,
    launch: Box<Launch<'a>>,
}

impl Work<'_> {
    /// Adds the shortest times of the generated loops and of the handwritten ones, measured in turns. The handwritten program takes
    /// its name of the work, and n, the coordinates of a point, and the number of runs.
    fn measure(
        mut self,
        results: &mut Results,
        options: &Options,
        program: &Path,
        (name, argument): (&str, &str),
        numbers: [usize; 3],
    ) -> Result<()> {
        if !options.run.asks_for(name) {
            return Ok(());
        }
        let [mut generated, mut by_hand] = [f64::INFINITY; 2];
        for _ in 0..options.turns {
            for _ in 0..numbers[2] {
                generated = generated.min((self.launch)()?.as_secs_f64());
            }
            let numbers = numbers.map(|number| number.to_string());
            for way in run_program(Command::new(program).arg(argument).args(numbers))?.lines() {
                let (seconds, result) = way.split_once(' ').context("a way has no result")?;
                let (seconds, result): (f64, f64) = (seconds.parse()?, result.parse()?);
                let (own, off) = (self.result, (result - self.result).abs());
                ensure!(
                    off <= TOLERANCE * own.abs(),
                    "{name}: {result} by hand, but {own} generated"
                );
                by_hand = by_hand.min(seconds);
            }
        }
        let times = [("generated", generated), ("by hand", by_hand)];
        let times = times.map(|(name, seconds)| (name.to_owned(), 1e3 * seconds));
        let mut record = Record::new(name, numbers[0]).with_target(TARGET);
        record.results =
            times.map(|(name, ms)| (name, Outcome::from(Spread::extremes(vec![ms])))).into();
        results.add(record)
    }
}

/// The CPU device's compiler, for handwritten loops.
pub(crate) fn compiler() -> Command {
    let words = std::env::var("CXX").unwrap_or_default();
    let mut words = words.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or("c++"));
    command.args(words);
    command
}

/// The processor, its threads, and the compiler.
pub(crate) fn described(mut compiler: Command) -> String {
    // Linux has this file; elsewhere the architecture is used.
    let told = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = told.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let processor = name.map_or(std::env::consts::ARCH, |(_, name)| name.trim());
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let version = run_program(compiler.arg("--version")).unwrap_or_else(|error| error.to_string());
    format!("{processor}, {threads} threads; {}", version.lines().next().unwrap_or_default())
}

/// The output of a command; the first line of its errors if it fails.
pub(crate) fn run_program(command: &mut Command) -> Result<String> {
    let program = command.get_program().to_owned();
    let output =
        command.output().map_err(|error| anyhow!("cannot run {}: {error}", program.display()))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let line = errors.lines().find(|line| line.contains("error")).or(errors.lines().last());
    bail!("{} ended with {}: {}", program.display(), output.status, line.unwrap_or(""))
}

/// Compiles handwritten loops like the CPU device: by `$CXX` or `c++`, for this machine.
fn compiled(folder: &Path) -> Result<PathBuf> {
    let (file, program) = (folder.join("pairs_by_hand.cpp"), folder.join("pairs_by_hand"));
    std::fs::write(&file, include_str!("../host/pairs_by_hand.cpp"))?;
    let mut command = compiler();
    command.args(["-std=c++17", "-O3", "-march=native", "-fno-math-errno", "-fopenmp"]);
    run_program(command.arg(&file).arg("-o").arg(&program))?;
    Ok(program)
}

/// The handwritten program's numbers.
fn number(k: usize) -> f32 {
    (k * 7919 % 10007) as f32 * (1.0 / 10007.0)
}

/// The points, from the handwritten program's numbers, `N` for each point.
fn points<const N: usize>(n: usize) -> Vec<[f32; N]> {
    (0..n).map(|point| std::array::from_fn(|d| number(point * N + d))).collect()
}

fn nothing(_: &mut Packed<f32>) -> td_kernel::Result<()> {
    Ok(())
}

fn sum(values: &[f32]) -> f64 {
    values.iter().map(|value| f64::from(*value)).sum()
}

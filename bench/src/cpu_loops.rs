//! The plain loops of the CPU beside such loops by hand: over features, and over pairs alone. Without a GPU.

mod features;
mod figures;
mod pairs;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use td_kernel::Device;

pub(crate) use self::figures::{CpuLoops, Row};
use crate::Failure;
use crate::experiment::{File, Run};
use crate::ladder::host;

/// The command's name, which its file has too.
pub(crate) const NAME: &str = "cpu-loops";

/// How often each is measured, in turns. A machine that does other things too is at times quiet for a turn: the least time
/// of each is what counts.
const TURNS: usize = 12;

/// The most that the results may differ.
const TOLERANCE: f64 = 1e-4;

/// Measures, prints a table, and writes the figures.
pub(crate) fn run(options: &Run) -> Result<(), Failure> {
    if let Some(from) = &options.from {
        return File::<CpuLoops>::judge(from, NAME);
    }
    let device = Device::cpu()?;
    let host = host::described(Path::new(&compiler()));
    let figures = CpuLoops { host, turns: TURNS, rows: Vec::new() };
    let mut file = File::new(options, NAME, Some(&device), figures)?;
    let folder = tempfile::tempdir()?;
    for rows in
        [pairs::measured(&device, folder.path())?, features::measured(&device, folder.path())?]
    {
        file.figures.rows.extend(rows);
    }
    file.finish()
}

/// One launch: how long it took, and what identifies its results.
type Launch<'a> = dyn FnMut() -> Result<Duration, Failure> + 'a;

/// What both give: something like a sum of all results.
struct Work<'a> {
    /// The name of the row.
    name: String,
    n: usize,
    /// Runs of each in a turn: many of short ones, of which some are not interrupted.
    rounds: usize,
    /// What the program by hand is told before the number of rounds.
    arguments: [String; 2],
    /// What the results of a launch add up to.
    result: f64,
    launch: Box<Launch<'a>>,
}

/// A row of the table: the best times of a work and of the two ways by hand, measured in turns.
fn row(mut work: Work<'_>, program: &Path) -> Result<Row, Failure> {
    let mut best = [f64::INFINITY; 3];
    for _ in 0..TURNS {
        for _ in 0..work.rounds {
            best[0] = best[0].min((work.launch)()?.as_secs_f64());
        }
        for (best, [seconds, other]) in best[1..].iter_mut().zip(by_hand(program, &work)?) {
            *best = best.min(seconds);
            if (other - work.result).abs() > TOLERANCE * work.result.abs() {
                let Work { name, n, result, .. } = work;
                return Err(
                    format!("{name}, n = {n}: {other} by hand, and {result} generated").into()
                );
            }
        }
    }
    let [ours_ms, by_hand_ms, other_by_hand_ms] = best.map(|seconds| 1e3 * seconds);
    Ok(Row { work: work.name, n: work.n, ours_ms, by_hand_ms, other_by_hand_ms })
}

/// The compiler that the CPU device takes, for loops by hand.
fn compiler() -> OsString {
    std::env::var_os("CXX").filter(|name| !name.is_empty()).unwrap_or_else(|| "c++".into())
}

/// Compiles loops by hand, as the CPU device compiles: by `$CXX` or `c++`, for this machine.
fn compiled(folder: &Path, name: &str, text: &str) -> Result<PathBuf, Failure> {
    let (file, program) = (folder.join(format!("{name}.cpp")), folder.join(name));
    std::fs::write(&file, text)?;
    let mut command = Command::new(compiler());
    command.args(["-std=c++17", "-O3", "-march=native", "-fno-math-errno", "-fopenmp"]);
    let output = command.arg(&file).arg("-o").arg(&program).output()?;
    if !output.status.success() {
        return Err(format!(
            "the loops by hand do not compile:\n{}",
            String::from_utf8_lossy(&output.stderr)
        )
        .into());
    }
    Ok(program)
}

/// The best seconds and the result of both ways by hand.
fn by_hand(program: &Path, work: &Work<'_>) -> Result<[[f64; 2]; 2], Failure> {
    let output =
        Command::new(program).args(&work.arguments).arg(work.rounds.to_string()).output()?;
    let text = String::from_utf8(output.stdout)?;
    let numbers: Vec<f64> = text.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
    match numbers[..] {
        [one, result, other, same] => Ok([[one, result], [other, same]]),
        _ => {
            Err(format!("the loops by hand ended with {} and printed {text:?}", output.status)
                .into())
        }
    }
}

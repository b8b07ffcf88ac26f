//! The rungs on the CPU: a C++ program, compiled where it runs, for one thread and for all.

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use super::rung::Rung;
use crate::measure::fold::rounding;
use crate::measure::times::Spread;

const PROGRAM: &str = include_str!("../../host/ladder.cpp");

/// How often a rung is timed, after a round that warms up, and after how many seconds no other round begins: the largest n
/// takes minutes on one thread, and is then timed once.
const ROUNDS: usize = 7;
const SECONDS: f64 = 3.0;

/// The n up to which every sum is checked; of larger ones, one sum in each square of 16 x 16, the side of the smallest
/// block that any rung has.
const CHECKED_WHOLE: usize = 512;
const SQUARE: usize = 16;

/// Two matrices of n x n, and where programs find them.
pub(super) struct Numbers<'a> {
    pub(super) n: usize,
    pub(super) a: &'a [f32],
    pub(super) b: &'a [f32],
}

/// The programs of all rungs, or why there is none.
pub(super) struct Host {
    folder: TempDir,
    programs: Vec<(Rung, Result<PathBuf, String>)>,
}

impl Host {
    /// Compiles them all.
    pub(super) fn compile(compiler: &Path) -> std::io::Result<Host> {
        let folder = tempfile::tempdir()?;
        let text = folder.path().join("ladder.cpp");
        std::fs::write(&text, PROGRAM)?;
        let compile = |rung| {
            let options: &[&str] = match rung {
                Rung::OpenMp => &["-O3", "-march=native", "-fopenmp"],
                Rung::OpenMpSimd => &["-O3", "-march=native", "-fopenmp", "-DSIMD"],
                _ => &["-O3"],
            };
            let program = folder.path().join(rung_file(rung));
            let built =
                run(Command::new(compiler).args(options).arg("-o").arg(&program).arg(&text));
            (rung, built.map(|_| program))
        };
        let programs = Rung::HOST.map(compile).into();
        Ok(Host { folder, programs })
    }

    /// Writes the matrices to the file that programs read.
    pub(super) fn put(&self, Numbers { a, b, .. }: &Numbers<'_>) -> std::io::Result<()> {
        let bytes: Vec<u8> = a.iter().chain(*b).flat_map(|number| number.to_ne_bytes()).collect();
        std::fs::write(self.file("input"), bytes)
    }

    /// The times of a rung, whose sums are checked: or why there are none, and whether it is because they are wrong.
    pub(super) fn time(&self, rung: Rung, numbers: &Numbers<'_>) -> Result<Spread, Failed> {
        let program = self.programs.iter().find(|(name, _)| *name == rung);
        let (_, program) = program.ok_or_else(|| Failed::Run("it needs a GPU".into()))?;
        let program = program.as_ref().map_err(|error| Failed::Run(error.clone()))?;
        let words = [numbers.n.to_string(), (1 + ROUNDS).to_string(), SECONDS.to_string()];
        let [input, output] = ["input", "output"].map(|name| self.file(name));
        let printed = run(Command::new(program).args(words).arg(input).arg(&output));
        let printed = printed.map_err(Failed::Run)?;
        let sums = read(&output).map_err(|error| Failed::Run(error.to_string()))?;
        check(numbers, &sums).map_err(Failed::Wrong)?;
        let times = printed.lines().map(|line| line.parse().ok()).collect::<Option<Vec<f64>>>();
        let mut times = times.ok_or_else(|| Failed::Run("it printed no times".into()))?;
        if times.len() > 1 {
            times.remove(0);
        }
        Spread::quarters(times).ok_or_else(|| Failed::Run("nothing was timed".into()))
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

/// Why a rung has no times.
#[derive(Debug)]
pub(super) enum Failed {
    /// It did not run.
    Run(String),
    /// Its sums are wrong.
    Wrong(String),
}

/// The processor, its threads, and the compiler.
pub(crate) fn described(compiler: &Path) -> String {
    // Where Linux has it; elsewhere the architecture must do.
    let told = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = told.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let processor = name.map_or(std::env::consts::ARCH, |(_, name)| name.trim());
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let version = run(Command::new(compiler).arg("--version")).unwrap_or_else(|error| error);
    format!("{processor}, {threads} threads; {}.", version.lines().next().unwrap_or_default())
}

fn rung_file(rung: Rung) -> String {
    format!("{rung:?}{}", std::env::consts::EXE_SUFFIX)
}

/// What a command prints; its last line of errors where it fails.
fn run(command: &mut Command) -> Result<String, String> {
    let program = command.get_program().to_owned();
    let output =
        command.output().map_err(|error| format!("cannot run {}: {error}", program.display()))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let line = errors.lines().find(|line| line.contains("error")).or(errors.lines().last());
    Err(format!("{} ended with {}: {}", program.display(), output.status, line.unwrap_or("")))
}

fn read(path: &Path) -> std::io::Result<Vec<f32>> {
    let bytes = std::fs::read(path)?;
    let (numbers, _) = bytes.as_chunks();
    Ok(numbers.iter().map(|number| f32::from_ne_bytes(*number)).collect())
}

/// An error where a sum is not that in double precision.
fn check(&Numbers { n, a, b }: &Numbers<'_>, sums: &[f32]) -> Result<(), String> {
    if sums.len() != n * n {
        return Err(format!("{} sums instead of {}", sums.len(), n * n));
    }
    let share = rounding(n);
    for i in 0..n {
        for j in 0..n {
            // In each square another place.
            let place = 7 * (i / SQUARE) + 3 * (j / SQUARE);
            let chosen = [place / SQUARE % SQUARE, place % SQUARE];
            if n > CHECKED_WHOLE && [i % SQUARE, j % SQUARE] != chosen {
                continue;
            }
            let (row, column) = (&a[i * n..][..n], &b[j * n..][..n]);
            let squares =
                row.iter().zip(column).map(|(x, y)| (f64::from(*x) - f64::from(*y)).powi(2));
            let (sum, expected) = (f64::from(sums[i * n + j]), squares.sum::<f64>());
            let off = (sum - expected).abs();
            // A NaN is off too.
            if off.is_nan() || off > share * expected {
                return Err(format!("sum ({i}, {j}) is {sum} instead of {expected}"));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::points::rows_of_two;

    #[test]
    fn every_program_gives_the_sums() {
        let n = 96;
        let [a, b] = rows_of_two(n, n, n);
        let numbers = Numbers { n, a: &a, b: &b };
        let host = Host::compile(Path::new("g++")).unwrap();
        host.put(&numbers).unwrap();
        for rung in Rung::HOST {
            let ms = host.time(rung, &numbers).unwrap();
            assert!(ms.low <= ms.median && ms.median <= ms.high, "{ms:?}");
        }
        assert!(matches!(host.time(Rung::Naive, &numbers), Err(Failed::Run(_))));
        // Other matrices than those that the programs read.
        let other = Numbers { n, a: &b, b: &b };
        assert!(matches!(host.time(Rung::Sequential, &other), Err(Failed::Wrong(_))));
    }

    #[test]
    fn a_compiler_that_is_not_there_is_the_reason() {
        let host = Host::compile(Path::new("no-such-compiler")).unwrap();
        let numbers = Numbers { n: 0, a: &[], b: &[] };
        let Err(Failed::Run(reason)) = host.time(Rung::OpenMp, &numbers) else {
            panic!("there is a program")
        };
        assert!(reason.starts_with("cannot run no-such-compiler: "), "{reason}");
        let failed = run(Command::new("sh").args(["-c", "echo error: why >&2; exit 3"]));
        assert!(failed.unwrap_err().ends_with("3: error: why"));
    }

    #[test]
    fn of_large_matrices_each_square_has_a_sum_that_is_checked() {
        let n = 528;
        let a = vec![1.0; n * n];
        let b = vec![0.0; n * n];
        let numbers = Numbers { n, a: &a, b: &b };
        let mut sums = vec![n as f32; n * n];
        check(&numbers, &sums).unwrap();
        for i in (0..SQUARE).flat_map(|i| (0..SQUARE).map(move |j| (512 + i) * n + 256 + j)) {
            sums[i] = f32::NAN;
        }
        assert!(check(&numbers, &sums).unwrap_err().contains("is NaN instead of 528"));
        assert_eq!(check(&numbers, &sums[1..]).unwrap_err(), "278783 sums instead of 278784");
    }
}

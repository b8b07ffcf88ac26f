//! Changes a line of a generated source, and runs the catalogue's kernels that have it: a change that no result shows is printed.
//!
//! A mutant is compiled by this program in place of the C++ compiler, which changes the line and calls the compiler. So nothing
//! else is built again. `cargo xtask mutants` runs it; CONTRIBUTING.md says what to do with a mutant that lives.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use td_kernel::Device;
use td_kernel_tests::catalogue::{self, Code, Run};

use crate::changes::{self, Mutant, mutants};

/// The mutant's line, and what replaces it.
const LINE: &str = "TD_MUTANT_LINE";
const CHANGED: &str = "TD_MUTANT_CHANGED";

/// A mutant that runs longer than this is noticed: it has a loop without an end.
const LIMIT: Duration = Duration::from_secs(900);

/// The most sources that a mutant is tried in: those of a line that all kernels have are much the same.
const SOURCES: usize = 30;

/// How an error begins if a mutant does not compile, and the exit status for it.
const INVALID: &str = "does not compile";
const IS_INVALID: u8 = 3;

/// What becomes of a mutant.
#[derive(Clone, Copy, PartialEq)]
enum Fate {
    Lives,
    Dies,
    /// It does not compile.
    Invalid,
}

/// Whether this program is called as the C++ compiler.
pub(crate) fn is_compiler() -> bool {
    std::env::var_os(LINE).is_some()
}

/// Calls the C++ compiler with a source whose line is changed.
pub(crate) fn compile(arguments: &[String]) -> ExitCode {
    let [line, changed] = [LINE, CHANGED].map(|name| std::env::var(name).unwrap());
    let is_source = |path: &str| [".cu", ".cpp"].iter().any(|end| path.ends_with(end));
    for path in arguments.iter().filter(|path| is_source(path) && Path::new(path).exists()) {
        let source = fs::read_to_string(path).unwrap();
        let lines = source.lines().map(|each| if each == line { &changed } else { each });
        fs::write(path, lines.collect::<Vec<_>>().join("\n") + "\n").unwrap();
    }
    let status = Command::new("c++").args(arguments).status().unwrap();
    ExitCode::from(status.code().unwrap_or(1) as u8)
}

/// Runs kernels, each named with how it is launched: a variant, `loops` or `list`. Fails if a result differs.
pub(crate) fn run_kernels(names: &[String]) -> ExitCode {
    let devices = [Device::cpu().unwrap(), Device::emulator().unwrap()];
    for name in names {
        let (name, way) = name.split_once(':').unwrap();
        let entry = catalogue::all().into_iter().find(|each| each.name == name).unwrap();
        let (device, variant) = match way.parse() {
            Ok(variant) => (&devices[1], Some(variant)),
            Err(_) => (&devices[0], None),
        };
        let is_right = |run: &Run| match way {
            "list" => run.list.is_some(),
            "emulated-list" => run.list.is_some(),
            _ => run.list.is_none(),
        };
        let device = if way == "emulated-list" { &devices[1] } else { device };
        let counts: &[usize] = if way == "loops" { &[3] } else { &[] };
        for run in entry.runs(device, counts).unwrap().into_iter().filter(is_right) {
            if let Err(problem) = entry.check(&run, &[variant]) {
                let is_invalid = problem.contains(INVALID);
                return ExitCode::from(if is_invalid { IS_INVALID } else { 1 });
            }
        }
    }
    ExitCode::SUCCESS
}

/// Runs all kernels that have this in their text, in all ways. Ends with the first result that differs.
pub(crate) fn run_all(with: &str) -> ExitCode {
    let devices = [Device::cpu().unwrap(), Device::emulator().unwrap()];
    let mut entries = catalogue::all();
    entries.retain(|entry| entry.item.contains(with) || entry.keys.contains(with));
    if entries.is_empty() {
        eprintln!("error: the text of every kernel of the catalogue lacks `{with}`");
        return ExitCode::FAILURE;
    }
    entries.par_iter().for_each(|entry| {
        for (device, counts) in devices.iter().zip([&[1, 3, 7][..], &[2]]) {
            for run in entry.runs(device, counts).unwrap() {
                if let Err(problem) = entry.check_variants(&run) {
                    println!("{problem}");
                    std::process::exit(1);
                }
            }
        }
    });
    ExitCode::SUCCESS
}

/// Tries this many mutants, and those that live also with a program of other tests.
pub(crate) fn all(count: usize, seed: u64, suite: Option<&str>) -> ExitCode {
    let device = Device::cpu().unwrap();
    let mut users = BTreeMap::<String, BTreeSet<String>>::new();
    let mut kinds = BTreeMap::<_, BTreeSet<_>>::new();
    for entry in catalogue::all() {
        let kernel = (entry.kernel)(&device).unwrap();
        let variants = kernel.info().variants;
        for Code { way, text } in catalogue::codes(kernel.info()) {
            let kind = match way.parse::<usize>() {
                Ok(variant) => variants[variant].tiling.sweep.name(),
                Err(_) if way == "loops" => "loops",
                Err(_) => "lists",
            };
            for line in changes::own_lines(&text) {
                users.entry(line.to_owned()).or_default().insert(format!("{}:{way}", entry.name));
                kinds.entry(line.to_owned()).or_default().insert(kind);
            }
        }
    }
    let mutants = mutants(&kinds, count, seed);
    let (done, start) = (AtomicUsize::new(0), Instant::now());
    let fates: Vec<_> = mutants
        .par_iter()
        .map(|mutant| {
            let Mutant { line, changed, kind } = mutant;
            let mut kernels = Command::new(std::env::current_exe().unwrap());
            let users = &users[line];
            let step = users.len().div_ceil(SOURCES);
            let kernels = kernels.arg("--run").args(users.iter().step_by(step));
            let kernels = kernels.env("RAYON_NUM_THREADS", "1");
            let fate = fate(kernels, line, changed);
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            if fate == Fate::Lives {
                let (line, changed) = (line.trim(), changed.trim());
                println!("{kind}\n- {line}\n+ {changed}\n  in {users:?}");
            }
            eprint!("\r{done} of {} in {} s ", mutants.len(), start.elapsed().as_secs());
            fate
        })
        .collect();
    let kinds: BTreeSet<_> = mutants.iter().map(|each| &each.kind).collect();
    for kind in kinds {
        let own = mutants.iter().zip(&fates).filter(|(each, _)| each.kind == *kind);
        let count = |fate| own.clone().filter(|(_, each)| **each == fate).count();
        let [lives, dies] = [Fate::Lives, Fate::Dies].map(count);
        println!("{kind}: {dies} of {} die", lives + dies);
    }
    let mutants = mutants.iter().zip(fates).filter(|(_, fate)| *fate == Fate::Lives);
    for (Mutant { line, changed, .. }, _) in mutants.filter(|_| suite.is_some()) {
        // Its tests run in parallel by themselves.
        let mut tests = Command::new(suite.unwrap_or_default());
        let fate = fate(tests.env_remove("RAYON_NUM_THREADS"), line, changed);
        let verb = if fate == Fate::Lives { "lives" } else { "dies" };
        println!("- {}\n+ {}\n  {verb} in the other tests", line.trim(), changed.trim());
    }
    ExitCode::SUCCESS
}

/// What becomes of a mutant in a program that runs kernels.
fn fate(program: &mut Command, line: &str, changed: &str) -> Fate {
    let mut child = program
        .env("CXX", std::env::current_exe().unwrap())
        .env(LINE, line)
        .env(CHANGED, changed)
        .env_remove("TD_KERNEL_CACHE")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let start = Instant::now();
    loop {
        match child.try_wait().unwrap() {
            Some(status) if status.success() => return Fate::Lives,
            Some(status) if status.code() == Some(IS_INVALID.into()) => return Fate::Invalid,
            Some(_) => return Fate::Dies,
            None if start.elapsed() > LIMIT => {
                let _ = (child.kill(), child.wait());
                return Fate::Dies;
            }
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}

//! The plain loops of the CPU, over features, beside such loops by hand: without a GPU.

use std::path::Path;
use std::process::Command;

use serde_json::json;
use td_kernel::{Device, td_kernel};

use crate::Failure;
use crate::experiment::{File, Run, Table};

#[td_kernel]
unsafe fn distances(#[each] p: &Features<f32>, #[fold] sum: f32, distance: &mut Packed<f32>) {
    let feature = r#" float d = p.i - p.j; sum += d * d; "#;
    let pair = r#" distance = sqrtf(sum); "#;
}

/// The loops by hand.
const BY_HAND: &str = include_str!("../host/fold_by_hand.cpp");

/// Numbers of elements and of features.
const SIZES: [(usize, usize); 4] = [(4000, 128), (4000, 512), (8000, 128), (8000, 512)];

/// How often each is measured, in turns.
const TURNS: usize = 4;

/// Runs of each in a turn.
const ROUNDS: usize = 3;

/// The most that the sums of all distances may differ.
const TOLERANCE: f64 = 1e-5;

/// Measures, prints a table, and writes the figures.
pub(crate) fn run(options: &Run) -> Result<(), Failure> {
    if let Some(from) = &options.from {
        return File::<Table>::judge(from, "cpu-loops");
    }
    let device = Device::cpu()?;
    let title = format!("Distances of rows of features on a CPU, best of {}", TURNS * ROUNDS);
    let columns = [
        "n",
        "features",
        "ours_ms",
        "gflops",
        "by_hand_ms",
        "naive_ms",
        "over_by_hand",
        "over_naive",
    ];
    let mut file = File::new(options, "cpu-loops", Some(&device), Table::new(&title, &columns))?;
    let folder = tempfile::tempdir()?;
    let program = compiled(folder.path())?;
    for (n, width) in SIZES {
        let values: Vec<f32> = (0..n * width).map(|k| (k * 7919 % 101) as f32 * 0.25).collect();
        let p = device.features(&values, width)?;
        let mut distance = device.packed(n)?;
        let kernel = distances::load(&device)?;
        kernel.launch(&p, &mut distance)?;
        let sum: f64 = distance.download()?.as_slice().iter().map(|each| f64::from(*each)).sum();
        let mut best = [f64::INFINITY; 3];
        for _ in 0..TURNS {
            for _ in 0..ROUNDS {
                let ((), time) = device.timed(|| kernel.launch(&p, &mut distance))?;
                best[0] = best[0].min(time.as_secs_f64());
            }
            for (best, [seconds, other]) in best[1..].iter_mut().zip(by_hand(&program, n, width)?) {
                *best = best.min(seconds);
                if (other - sum).abs() > TOLERANCE * sum {
                    return Err(format!("{n} x {width}: the distances by hand add up to {other}, and the others to {sum}").into());
                }
            }
        }
        let [ours, by_hand, naive] = best;
        // A difference, a product and a sum.
        let operations = 3.0 * (n * (n - 1) / 2 * width) as f64;
        file.figures.rows.push(json!([
            n,
            width,
            1e3 * ours,
            1e-9 * operations / ours,
            1e3 * by_hand,
            1e3 * naive,
            ours / by_hand,
            ours / naive,
        ]));
    }
    file.finish()
}

/// Compiles the loops by hand, as the CPU device compiles: by `$CXX` or `c++`, for this machine.
fn compiled(folder: &Path) -> Result<std::path::PathBuf, Failure> {
    let (text, program) = (folder.join("fold_by_hand.cpp"), folder.join("fold_by_hand"));
    std::fs::write(&text, BY_HAND)?;
    let compiler = std::env::var_os("CXX").filter(|name| !name.is_empty());
    let mut command = Command::new(compiler.unwrap_or_else(|| "c++".into()));
    command.args(["-std=c++17", "-O3", "-march=native", "-fno-math-errno", "-fopenmp"]);
    let output = command.arg(&text).arg("-o").arg(&program).output()?;
    if !output.status.success() {
        return Err(format!(
            "the loops by hand do not compile:\n{}",
            String::from_utf8_lossy(&output.stderr)
        )
        .into());
    }
    Ok(program)
}

/// The best seconds, and the sum of all distances: in blocks, and naive.
fn by_hand(program: &Path, n: usize, width: usize) -> Result<[[f64; 2]; 2], Failure> {
    let numbers = [n, width, ROUNDS].map(|number| number.to_string());
    let output = Command::new(program).args(numbers).output()?;
    let text = String::from_utf8(output.stdout)?;
    let numbers: Vec<f64> = text.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
    match numbers[..] {
        [blocked, sum, naive, other] => Ok([[blocked, sum], [naive, other]]),
        _ => {
            Err(format!("the loops by hand ended with {} and printed {text:?}", output.status)
                .into())
        }
    }
}

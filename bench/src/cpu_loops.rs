//! The loops of the CPU device beside loops by hand in C++ with OpenMP: over pairs of few coordinates, and over features.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use clap::Args;
use td_kernel::{Device, td_kernel};

use crate::Failure;
use crate::ladder::described;
use crate::measure::times::Spread;
use crate::results::{Bound, Outcome, Record, Results, Run};

/// How the loops are measured.
#[derive(Args)]
pub(crate) struct Options {
    /// In how many turns each is measured. A machine that does other things too is at times quiet for a turn: the least time
    /// of each is what counts.
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u16).range(1..))]
    turns: u16,
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
unsafe fn listed(#[each] p: &[[f32; 4]], found: &mut Pairs) {
    r#"
    float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z;
    float reach = 0.05f * (p.i.w + p.j.w);
    if (x * x + y * y + z * z >= reach * reach)
        return;
    found.push();
    "#
}

#[td_kernel]
unsafe fn forces(#[each] p: &[[f32; 3]], #[each] force: &mut Sum<[f32; 3]>) {
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

#[td_kernel]
unsafe fn rows(#[each] p: &Features<f32>, #[fold] sum: f32, distance: &mut Packed<f32>) {
    let feature = r#" float d = p.i - p.j; sum = fmaf(d, d, sum); "#;
    let pair = r#" distance = sqrtf(sum); "#;
}

/// How long the generated loops may take, as a multiple of the faster of two ways by hand.
const TARGET: Bound = Bound::AtMost(1.3);

/// The most that the results may differ.
const TOLERANCE: f64 = 1e-4;

/// Numbers of elements, and with them of features.
const SIZES: [usize; 2] = [2000, 4000];
const FEATURE_SIZES: [(usize, usize); 3] = [(4000, 128), (4000, 512), (8000, 128)];

/// Runs of each in a turn: many of short ones, of which some are not interrupted.
const ROUNDS: usize = 20;
const FEATURE_ROUNDS: usize = 2;

/// Measures every work.
pub(crate) fn run(options: &Options) -> Result<Results, Failure> {
    let device = &Device::cpu()?;
    let beside = described(Path::new(&compiler()));
    let mut results = Results::begin(&options.run, "cpu-loops", device, beside)?;
    let folder = tempfile::tempdir()?;
    let program = |name, text| compiled(folder.path(), name, text);
    let pairs = &program("pairs_by_hand", include_str!("../host/pairs_by_hand.cpp"))?;
    let folds = &program("fold_by_hand", include_str!("../host/fold_by_hand.cpp"))?;
    let mut add = |work: Work<'_>, program: &Path| match options.run.asks_for(&work.name) {
        true => results.add(work.measure(program, options.turns)?),
        false => Ok(()),
    };
    for n in SIZES {
        add(distance_work(device, n)?, pairs)?;
        let spheres = device.upload(&points::<4>(n))?;
        let count = count(device, &spheres)?;
        add(count_work(device, &spheres, n, count)?, pairs)?;
        add(list_work(device, &spheres, n, count)?, pairs)?;
        add(force_work(device, n)?, pairs)?;
        add(nearest_work(device, n)?, pairs)?;
    }
    for (n, features) in FEATURE_SIZES {
        add(rows_work(device, n, features)?, folds)?;
    }
    Ok(results)
}

/// One launch: how long it took.
type Launch<'a> = dyn FnMut() -> Result<Duration, Failure> + 'a;

/// What the generated loops and the program by hand both do.
struct Work<'a> {
    name: String,
    n: usize,
    rounds: usize,
    /// What the program by hand is told before the number of rounds.
    arguments: [String; 2],
    /// What the results of a launch add up to.
    result: f64,
    launch: Box<Launch<'a>>,
}

impl Work<'_> {
    /// The least times of the generated loops, and of the two ways by hand, the faster first: measured in turns.
    fn measure(mut self, program: &Path, turns: u16) -> Result<Record, Failure> {
        let mut best = [f64::INFINITY; 3];
        for _ in 0..turns {
            for _ in 0..self.rounds {
                best[0] = best[0].min((self.launch)()?.as_secs_f64());
            }
            for (best, [seconds, other]) in best[1..].iter_mut().zip(self.by_hand(program)?) {
                *best = best.min(seconds);
                if (other - self.result).abs() > TOLERANCE * self.result.abs() {
                    let Work { name, n, result, .. } = self;
                    let text = format!("{name}, n = {n}: {other} by hand, and {result} generated");
                    return Err(text.into());
                }
            }
        }
        best[1..].sort_unstable_by(f64::total_cmp);
        let names = ["generated", "by hand", "another way by hand"].map(str::to_owned);
        let times = best.map(|seconds| Outcome::from(Spread::extremes(vec![1e3 * seconds])));
        let mut record = Record::new(self.name, self.n).with_target(TARGET);
        record.results = names.into_iter().zip(times).collect();
        Ok(record)
    }

    /// The best seconds and the result of both ways by hand.
    fn by_hand(&self, program: &Path) -> Result<[[f64; 2]; 2], Failure> {
        let output =
            Command::new(program).args(&self.arguments).arg(self.rounds.to_string()).output()?;
        let text = String::from_utf8(output.stdout)?;
        let numbers: Vec<f64> =
            text.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
        match numbers[..] {
            [one, result, other, same] => Ok([[one, result], [other, same]]),
            _ => {
                Err(format!("the loops by hand ended with {} and printed {text:?}", output.status)
                    .into())
            }
        }
    }
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

/// The points: as many numbers of the program by hand as there are, `N` for each point.
fn points<const N: usize>(n: usize) -> Vec<[f32; N]> {
    let number = |k: usize| (k * 7919 % 10007) as f32 * (1.0 / 10007.0);
    (0..n).map(|point| std::array::from_fn(|d| number(point * N + d))).collect()
}

fn sum(values: &[f32]) -> f64 {
    values.iter().map(|value| f64::from(*value)).sum()
}

fn work<'a>(
    name: &str,
    argument: &str,
    n: usize,
    result: f64,
    launch: Box<Launch<'a>>,
) -> Work<'a> {
    let arguments = [argument.into(), n.to_string()];
    Work { name: name.into(), n, rounds: ROUNDS, arguments, result, launch }
}

type Spheres = td_kernel::Buffer<[f32; 4]>;

/// How many spheres overlap.
fn count(device: &Device, spheres: &Spheres) -> Result<u32, Failure> {
    let mut found = device.sum::<u32>()?;
    counted::load(device)?.launch(spheres, &mut found)?;
    Ok(found.download()?)
}

fn count_work<'a>(
    device: &'a Device,
    spheres: &'a Spheres,
    n: usize,
    count: u32,
) -> Result<Work<'a>, Failure> {
    let mut found = device.sum::<u32>()?;
    let kernel = counted::load(device)?;
    let launch = move || {
        found.clear()?;
        Ok(device.timed(|| kernel.launch(spheres, &mut found))?.1)
    };
    Ok(work("collisions counted", "count", n, f64::from(count), Box::new(launch)))
}

fn list_work<'a>(
    device: &'a Device,
    spheres: &'a Spheres,
    n: usize,
    count: u32,
) -> Result<Work<'a>, Failure> {
    let mut found = device.pairs(count as usize)?;
    let kernel = listed::load(device)?;
    let launch = move || {
        found.clear()?;
        Ok(device.timed(|| kernel.launch(spheres, &mut found))?.1)
    };
    Ok(work("collisions listed", "list", n, f64::from(count), Box::new(launch)))
}

fn distance_work(device: &Device, n: usize) -> Result<Work<'_>, Failure> {
    let points = device.upload(&points::<4>(n))?;
    let mut distance = device.packed::<f32>(n)?;
    let kernel = fours::load(device)?;
    kernel.launch(&points, &mut distance)?;
    let result = sum(distance.download()?.as_slice());
    let launch = move || Ok(device.timed(|| kernel.launch(&points, &mut distance))?.1);
    Ok(work("distances of 4 coordinates", "4", n, result, Box::new(launch)))
}

fn force_work(device: &Device, n: usize) -> Result<Work<'_>, Failure> {
    let points = device.upload(&points::<3>(n))?;
    let mut force = device.sums::<[f32; 3]>(n)?;
    let kernel = forces::load(device)?;
    kernel.launch(&points, &mut force)?;
    let components = force.download()?.into_iter().flatten();
    let result = components.map(|each| f64::from(each.abs())).sum();
    let launch = move || {
        force.clear()?;
        Ok(device.timed(|| kernel.launch(&points, &mut force))?.1)
    };
    Ok(work("forces", "forces", n, result, Box::new(launch)))
}

fn nearest_work(device: &Device, n: usize) -> Result<Work<'_>, Failure> {
    let points = device.upload(&points::<3>(n))?;
    let mut near = device.nearest::<f32, 10>(n)?;
    let kernel = nearest::load(device)?;
    kernel.launch(&points, &mut near)?;
    let result = sum(near.download()?.values());
    let launch = move || {
        near.clear()?;
        Ok(device.timed(|| kernel.launch(&points, &mut near))?.1)
    };
    Ok(work("ten nearest neighbours", "nearest", n, result, Box::new(launch)))
}

fn rows_work(device: &Device, n: usize, features: usize) -> Result<Work<'_>, Failure> {
    let values: Vec<f32> = (0..n * features).map(|k| (k * 7919 % 101) as f32 * 0.25).collect();
    let p = device.features(&values, features)?;
    let mut distance = device.packed(n)?;
    let kernel = rows::load(device)?;
    kernel.launch(&p, &mut distance)?;
    let result = sum(distance.download()?.as_slice());
    Ok(Work {
        name: format!("distances of {features} features"),
        n,
        rounds: FEATURE_ROUNDS,
        arguments: [n, features].map(|number| number.to_string()),
        result,
        launch: Box::new(move || Ok(device.timed(|| kernel.launch(&p, &mut distance))?.1)),
    })
}

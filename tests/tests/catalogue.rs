//! Runs the kernels of the catalogue on the CPU and on the emulator, in every variant.

use rayon::prelude::*;
use td_kernel::{Device, Result};
use td_kernel_tests::catalogue::{self, Domain, Entry, Run, Sizes};
use td_kernel_tests::parallel::CheckEach;

/// Numbers of elements: none, few, and those at the ends of tiles.
const SMALL: [usize; 10] = [0, 1, 2, 31, 33, 64, 97, 129, 150, 257];

/// Runs of a kernel: all pairs, rows, and pairs of a list.
fn runs(device: &Device, entry: &Entry) -> Vec<Run> {
    let mut runs = Vec::new();
    for (seed, n) in SMALL.into_iter().enumerate() {
        let sizes = match entry.domain {
            Domain::One => Sizes::One(n),
            Domain::Two => Sizes::Two(n, SMALL[(seed * 7 + 3) % SMALL.len()]),
            Domain::Sets => Sizes::Sets((0..n % 37).map(|set| set * n % 71).collect()),
            Domain::Rectangles => {
                Sizes::Rectangles((0..n % 37).map(|set| [set * n % 71, set * n % 67]).collect())
            }
        };
        let all = Run::new(device, sizes, seed as u64);
        let rows = [n / 3..n, 0..n / 3, n / 2..n / 2];
        if matches!(entry.domain, Domain::One | Domain::Two) {
            runs.extend(rows.map(|rows| Run { rows: Some(rows), ..all.clone() }));
        }
        if entry.domain == Domain::One {
            let pairs = (0..n as u32).flat_map(|i| (0..i).map(move |j| [i, j]));
            let list: Vec<_> = pairs.filter(|[i, j]| (i * 7 + j * 3) % 5 == 0).collect();
            runs.push(Run { list: Some(list), ..all.clone() });
        }
        if entry.has_bound {
            runs.push(Run { is_near: true, ..all.clone() });
        }
        runs.push(all);
    }
    runs
}

/// Runs each kernel in each way. The variants of a GPU run too.
fn check(device: &Device) -> Result<()> {
    let works: Vec<_> = catalogue::all()
        .into_iter()
        .flat_map(|entry| {
            let variants = (entry.kernel)(device).expect("a kernel compiles").variants().count();
            let pinned = (0..variants).map(Some);
            [None].into_iter().chain(pinned).map(move |variant| (entry, variant))
        })
        .collect();
    works.par_iter().check_each(|(entry, variant)| {
        for run in runs(device, entry) {
            let ran = entry.check(&Run { variant: *variant, ..run.clone() });
            match ran {
                Ok(_) => {}
                Err(problem) => panic!("{problem}"),
            }
        }
    });
    Ok(())
}

#[test]
fn loops_of_the_cpu() -> Result<()> {
    check(&Device::cpu()?)
}

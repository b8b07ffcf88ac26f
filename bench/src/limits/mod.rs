//! What the GPU can do at most: how fast it fills and copies memory, starts blocks, takes launches and
//! issues instructions; and how near the generated kernels come to the one that bounds them.

mod file;
mod rates;

pub(crate) use self::file::{Floor, Limits, Rate};
use crate::figures::Spread;
use crate::measure::gpu::Gpu;
use crate::record::{File, Machine, rounded};
use crate::targets::edm::pairs;
use crate::targets::target::Measured;
use crate::{Failure, Run, targets};

/// Measures, and writes the file.
pub(crate) fn run(options: &Run) -> Result<(), Failure> {
    let gpu = Gpu::open()?;
    let machine = Machine::of(&gpu, options.commit.clone())?;
    let mut limits = Limits { rates: rates::measure(&gpu)?, floors: vec![rates::dummy(&gpu)?] };
    for (target, outcome) in targets::beside_floors(gpu) {
        eprintln!("{}", target.name());
        if let ("collision count", Ok(measured)) = (target.work, &outcome) {
            limits.rates.push(issue(target.n, measured));
        }
        limits.floors.push(file::floor(target.name(), target.n, outcome));
    }
    for rate in &limits.rates {
        println!("{:<44}{:>12.5} {}", rate.name, rate.value.median, rate.unit);
    }
    for floor in &limits.floors {
        println!("{:<44}{}", floor.name, floor.text());
    }
    let wrong: Vec<String> = limits.floors.iter().filter_map(Floor::wrong).collect();
    File::new(machine, limits).write(&options.output)?;
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

/// The rate of FP32 instructions, from the floor of the collisions: eight a pair.
fn issue(n: usize, measured: &Measured) -> Rate {
    let instructions = 8.0 * pairs(n) as f64;
    let rate = |ms: f64| rounded(instructions / ms / 1e9);
    let floor = &measured.reference;
    Rate {
        name: "FP32 multiply-adds".into(),
        unit: "10^12 / s".into(),
        value: Spread { median: rate(floor.median), low: rate(floor.high), high: rate(floor.low) },
    }
}

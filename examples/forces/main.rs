//! The forces between all bodies of many, their energy, and their motion.
//!
//! `kernels.rs` shows td-kernel: each of its functions becomes a GPU kernel that adds up the forces on each body and the
//! energy of all pairs. The rest reads bodies, moves them by the forces, and reports what should have stayed the same.

mod arguments;
mod balance;
mod bodies;
mod field;
mod kernels;
mod law;
mod motion;
mod report;
#[cfg(test)]
mod tests;
mod xyz;

use std::process::ExitCode;
use std::time::Instant;

use td_kernel_examples::progress::{Elements, watch};
use td_kernel_examples::{AnyError, Error, NewFile, Result, memory, program};

use crate::arguments::Arguments;
use crate::balance::{Balance, Drift};
use crate::bodies::Bodies;
use crate::field::Field;
use crate::law::Law;
use crate::motion::{Course, Moment};
use crate::report::{Report, Start};

fn main() -> ExitCode {
    let arguments: Arguments = program::arguments();
    program::run(|| run(&arguments))
}

fn run(arguments: &Arguments) -> Result<Report> {
    let [output, energies] = NewFile::all(
        [arguments.output.as_deref(), arguments.energies.as_deref()],
        &[arguments.input.as_deref()],
        arguments.force,
    )?;
    let bodies = Bodies::choose(arguments)?;
    let law = Law::choose(arguments, &bodies)?;
    let time_step = arguments.time_step.unwrap_or_else(|| law.time_step(&bodies));
    let course = Course { law, steps: arguments.steps, time_step };
    let device = arguments.device.open()?;
    let mut field = Field::new(&device, law, &bodies)?;

    let elements = Elements::One(bodies.all.len());
    let mut is_first = true;
    let field = |positions: &[_]| match std::mem::take(&mut is_first) {
        // Of many steps, each is short enough to be waited for.
        true => watch(&device, "computing forces", elements, || field.at(positions)),
        false => field.at(positions),
    };
    // Only a file needs the balance of every moment.
    let kept = if energies.is_some() { arguments.steps as usize + 1 } else { 0 };
    let mut balances = memory::reserved(kept)?;
    let mut begun: Option<(Start, Drift, Instant)> = None;
    let mut note = |moment: &Moment| {
        let balance = Balance::of(moment, &bodies, law);
        if energies.is_some() {
            balances.push(balance);
        }
        match &mut begun {
            Some((_, drift, _)) => *drift = drift.and(balance),
            None => {
                let start = Start::of(&moment.forces);
                begun = Some((start, Drift::start(balance), Instant::now()));
            }
        }
    };
    match &output {
        Some(file) => file.write(|writer| {
            course.follow(&bodies, field, |moment| {
                note(moment);
                if moment.step.is_multiple_of(arguments.every) {
                    xyz::write(writer, &bodies, moment)?;
                }
                Ok::<(), AnyError>(())
            })
        })?,
        None => course.follow(&bodies, field, |moment| {
            note(moment);
            Ok::<(), Error>(())
        })?,
    }
    let steps = begun.map(|(start, drift, since)| (start, drift, since.elapsed()));
    if let Some(file) = energies {
        balance::write(&balances, &file)?;
    }
    Ok(Report::new(&device, &bodies, course, steps))
}

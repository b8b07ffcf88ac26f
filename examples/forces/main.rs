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
mod record;
mod report;
#[cfg(test)]
mod tests;
mod xyz;

use std::process::ExitCode;

use td_kernel_examples::progress::{Elements, watch};
use td_kernel_examples::{AnyError, Error, NewFile, Result, program};

use crate::arguments::Arguments;
use crate::bodies::Bodies;
use crate::field::Field;
use crate::law::Law;
use crate::motion::Course;
use crate::record::Record;
use crate::report::Report;

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
        // Later ones are steps, whose progress is their number.
        true => watch(&device, "computing forces", elements, || field.at(positions)),
        false => field.at(positions),
    };
    // Only a file needs the balance of every moment.
    let mut record = Record::new(energies.is_some(), course.steps)?;
    match &output {
        Some(file) => file.write(|writer| {
            course.follow(&bodies, field, |moment| {
                record.note(moment, &bodies, law);
                if moment.step.is_multiple_of(arguments.every) {
                    xyz::write(writer, &bodies, moment)?;
                }
                Ok::<(), AnyError>(())
            })
        })?,
        None => course.follow(&bodies, field, |moment| {
            record.note(moment, &bodies, law);
            Ok::<(), Error>(())
        })?,
    }
    if let Some(file) = energies {
        record.write(&file)?;
    }
    let report = Report::new(&device, &bodies, course, record);
    if let Some(warning) = report.warning() {
        tracing::warn!("{warning}");
    }
    Ok(report)
}

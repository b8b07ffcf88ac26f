//! Which spheres of many overlap.
//!
//! `kernels.rs` shows td-kernel: each of its functions becomes a GPU kernel that counts or lists the pairs that
//! overlap. The rest reads spheres, runs the kernels, compares their results, and prints a report.

mod arguments;
mod contacts;
mod kernels;
mod picture;
mod report;
mod sphere;
mod spheres;
#[cfg(test)]
mod tests;

use std::process::ExitCode;

use td_kernel_examples::plot::Kind;
use td_kernel_examples::{Error, NewFile, Result, program};

use crate::arguments::Arguments;
use crate::contacts::Contacts;
use crate::report::Report;
use crate::spheres::Spheres;

fn main() -> ExitCode {
    let arguments: Arguments = program::arguments();
    program::run(|| run(&arguments))
}

fn run(arguments: &Arguments) -> Result<Report> {
    let kind = arguments.plot.as_deref().map(Kind::of).transpose()?;
    let [output, picture, spheres_file] = NewFile::all(
        [arguments.output.as_deref(), arguments.plot.as_deref(), arguments.save_input.as_deref()],
        &[arguments.input.as_deref()],
        arguments.force,
    )?;
    NewFile::expect_npy([&spheres_file])?;
    let spheres = Spheres::choose(arguments)?;
    if picture.is_some() && spheres.all.is_empty() {
        return Err(Error::NothingToPlot { what: "spheres" });
    }
    let device = arguments.device.open()?;

    let contacts = Contacts::find(&device, &spheres.all, arguments.dimensions)?;

    if let Some(file) = spheres_file {
        spheres.write(&file)?;
    }
    if let Some(file) = output {
        contacts.write(&file, &spheres)?;
    }
    if let (Some(file), Some(kind)) = (picture, kind) {
        picture::write(&file, kind, &spheres, &contacts, arguments.dimensions)?;
    }
    Ok(Report::new(&device, &spheres, &contacts, arguments.dimensions))
}

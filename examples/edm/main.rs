//! Euclidean distances of all pairs of points.
//!
//! `kernels.rs` shows td-kernel: each of its four functions becomes a GPU kernel. The rest reads points, runs the
//! kernel for their number of features, and reports the results.

mod arguments;
mod banded;
mod distances;
mod kernels;
mod report;
#[cfg(test)]
mod tests;

use std::process::ExitCode;
use std::time::Instant;

use td_kernel::{Device, PackedMatrix};
use td_kernel_examples::memory::collected;
use td_kernel_examples::plot::{Heatmap, Kind, Ticks};
use td_kernel_examples::{
    Error, Extremes, NewFile, Points, Result, Table, data, parallel, program,
};

use crate::arguments::Arguments;
use crate::banded::Way;
use crate::report::{Report, Took};

fn main() -> ExitCode {
    let arguments: Arguments = program::arguments();
    program::run(|| run(&arguments))
}

fn run(arguments: &Arguments) -> Result<Report> {
    let kind = arguments.plot.as_deref().map(Kind::of).transpose()?;
    let Arguments { resume, force, .. } = *arguments;
    let is_left = resume && arguments.output.as_deref().is_some_and(banded::has_journal_only);
    let [output, picture, points_file] = NewFile::each(
        [arguments.output.as_deref(), arguments.plot.as_deref(), arguments.save_input.as_deref()],
        &[arguments.input.as_deref()],
        [force || is_left, force, force],
    )?;
    NewFile::expect_npy([&output, &points_file])?;
    match resume {
        true => [&output, &points_file].into_iter().flatten().for_each(NewFile::defer),
        false => output.iter().for_each(banded::tell_of_part),
    }
    let points = points(arguments)?;
    if picture.is_some() && points.is_empty() {
        return Err(Error::NothingToPlot { what: "points" });
    }
    let device = arguments.device.open()?;

    let (layout, limit) = (arguments.layout, arguments.memory);
    let too_many = distances::too_many(&device, points.len(), layout, limit)?;
    if let Some(bytes) = too_many.or(arguments.resume.then_some(0)) {
        return in_bands(arguments, &device, &points, bytes, [output, picture, points_file]);
    }
    let (distances, time) = distances::of_all_pairs(&device, &points)?;

    save(points_file.as_ref(), &points)?;
    let statistics = || Extremes::of(&distances);
    let write = || -> Result<()> {
        if let Some(file) = output {
            arguments.layout.write(&file, &distances, |_| 0.0)?;
        }
        if let (Some(file), Some(kind)) = (picture, kind) {
            draw(&file, kind, &points, &distances)?;
        }
        Ok(())
    };
    // Both only read the distances, so they run at the same time; writing takes longer.
    let (extremes, written) = parallel::both(statistics, write);
    written?;
    Ok(Report::new(&device, &points, extremes, Took::Kernel(time)))
}

/// The same for distances that are never in memory as a whole.
fn in_bands(
    arguments: &Arguments,
    device: &Device,
    points: &Points,
    bytes: usize,
    [output, picture, points_file]: [Option<NewFile>; 3],
) -> Result<Report> {
    if picture.is_some() {
        return Err(Error::InBands { bytes, what: "into a picture: leave out --plot" });
    }
    let Arguments { layout, memory: limit, resume, .. } = *arguments;
    let start = Instant::now();
    let way = Way { layout, limit, output: output.as_ref(), resume };
    let extremes = banded::extremes(device, points, way)?;
    let time = start.elapsed();
    save(points_file.as_ref(), points)?;
    Ok(Report::new(device, points, extremes, Took::Bands(time)))
}

/// Writes the points, where that is asked for.
fn save(file: Option<&NewFile>, points: &Points) -> Result<()> {
    file.map_or(Ok(()), |file| file.write_npy(&[points.len(), points.features], &points.values))
}

/// Draws the distances of all pairs, with the points in their order.
fn draw(file: &NewFile, kind: Kind, points: &Points, distances: &PackedMatrix<f32>) -> Result<()> {
    let n = points.len();
    let features = match points.features {
        1 => "one feature".into(),
        many => format!("{many} features"),
    };
    let picture = Heatmap {
        title: &format!("Euclidean distance, {n} points of {features}"),
        side: "points",
        ticks: Ticks::of_numbers(n),
        values: distances,
        own: &collected(n, std::iter::repeat(0.0))?,
        order: &collected(n, 0..)?,
    };
    picture.write(file, kind)
}

/// The points that the arguments ask for: at random, from a file, or built in.
fn points(arguments: &Arguments) -> Result<Points> {
    match (arguments.random, &arguments.input) {
        (Some(count), _) => {
            Points::random(count as usize, arguments.features.into(), arguments.seed)
        }
        (None, Some(path)) => Points::read(path, &arguments.table, Some(arguments.missing)),
        (None, None) => {
            let table = Table::parse(data::IRIS.name, data::IRIS.text.as_bytes())?;
            Points::from_table(table, arguments.table.columns.as_deref(), Some(arguments.missing))
        }
    }
}

//! The steps, measured.

use std::fs;
use std::path::Path;
use std::time::Instant;

use td_kernel::{Device, PackedMatrix, Pinned};
use td_kernel_examples::{Extremes, NewFile, parallel};

use super::file::{Step, Way};
use super::{Options, floors};
use crate::Failure;
use crate::experiment::File;
use crate::figures::edm_4;
use crate::measure::points::points;
use crate::measure::times::rounded;

/// Names that the targets use too.
pub(super) const DOWNLOAD: &str = "download into a Vec";
pub(super) const DOWNLOAD_PINNED: &str = "download into pinned memory";
pub(super) const UPLOAD: &str = "upload of a Vec";
pub(super) const UPLOAD_PINNED: &str = "upload of pinned memory";
pub(super) const TO_SQUARE: &str = "to_square";
pub(super) const PLAIN_WRITE: &str = "plain write of the file";
pub(super) const STATISTICS_AND_FILE: &str = "statistics, and the file beside them";
pub(super) const OPEN: &str = "open the device";
pub(super) const LOAD: &str = "load the kernel";

/// Times of steps, by name.
#[derive(Default)]
struct Clock(Vec<Step>);

impl Clock {
    /// Does `work`, and adds its time to those of this name.
    fn time<R, E: Into<Failure>>(
        &mut self,
        name: &str,
        bytes: usize,
        work: impl FnOnce() -> Result<R, E>,
    ) -> Result<R, Failure> {
        let start = Instant::now();
        let done = work();
        let seconds = rounded(start.elapsed().as_secs_f64());
        let done = done.map_err(|error| format!("{name}: {}", error.into()))?;
        match self.0.iter_mut().find(|step| step.name == name) {
            Some(step) => step.seconds.push(seconds),
            None => self.0.push(Step { name: name.into(), bytes, seconds: vec![seconds] }),
        }
        Ok(done)
    }
}

/// Goes the way once, then repeats what can be repeated.
pub(super) fn measure(options: &Options) -> Result<File<Way>, Failure> {
    let n = options.elements as usize;
    let bytes = size_of::<f32>() * n * (n - 1) / 2;
    let host = points::<[f32; 4]>(n);
    let (mut steps, mut others, mut floors) = Default::default();
    let folder = tempfile::Builder::new().prefix("td-bench-").tempdir_in(&options.folder)?;
    let path = folder.path().join("distances.npy");

    let clock: &mut Clock = &mut steps;
    let device = clock.time(OPEN, 0, || options.device.open())?;
    let kernel = clock.time(LOAD, 0, || edm_4::ltm_tiles::load(&device))?;
    let p = clock.time("upload the points", size_of_val(&host[..]), || device.upload(&host))?;
    let mut distance = clock.time("allocate the output", bytes, || device.packed(n))?;
    clock.time("launch, and wait for it", bytes, || {
        kernel.launch(&p, &mut distance)?;
        device.synchronize()
    })?;
    let matrix = clock.time("download into a Vec, the first", bytes, || distance.download())?;
    clock.time(STATISTICS_AND_FILE, bytes, || {
        let (extremes, written) = parallel::both(|| statistics(&matrix), || write(&path, &matrix));
        match (extremes, written) {
            (Err(one), Err(other)) => Err(format!("{one}, and {other}").into()),
            (extremes, written) => written.and(extremes.map_err(Failure::from)),
        }
    })?;
    let size = fs::metadata(&path)?.len();
    if size < bytes as u64 {
        return Err(format!("the file has {size} bytes, and the distances {bytes}").into());
    }
    fs::remove_file(&path)?;

    let clock: &mut Clock = &mut others;
    let mut pinned =
        clock.time("allocate pinned memory", bytes, || device.pinned(matrix.as_slice().len()))?;
    for round in 1..=options.rounds {
        eprintln!("round {round} of {}", options.rounds);
        let clock: &mut Clock = &mut others;
        clock.time("launch again", bytes, || {
            kernel.launch(&p, &mut distance)?;
            device.synchronize()
        })?;
        let again = clock.time(DOWNLOAD, bytes, || distance.download())?;
        same("a download", again.as_slice(), matrix.as_slice())?;
        drop(again);
        pinned.fill(0.0);
        clock.time(DOWNLOAD_PINNED, bytes, || distance.download_into(&mut pinned))?;
        same("a download into pinned memory", &pinned, matrix.as_slice())?;
        transfers_back(clock, &device, &matrix, &pinned)?;
        forms(clock, &matrix)?;
        clock.time("statistics", bytes, || statistics(&matrix))?;
        clock.time("write the file", bytes, || write(&path, &matrix))?;
        fs::remove_file(&path)?;

        let clock: &mut Clock = &mut floors;
        if !device.is_cpu() {
            clock.time("one copy by the GPU", bytes, || {
                floors::by_gpu(&device, &mut distance, &mut pinned)
            })?;
        }
        clock.time("copy in the host's memory", bytes, || {
            floors::copy(matrix.as_slice(), &mut pinned);
            Ok::<(), Failure>(())
        })?;
        clock.time("fill of fresh memory", bytes, || floors::fill(matrix.as_slice().len()))?;
        clock.time(PLAIN_WRITE, bytes, || floors::write(&path, matrix.as_slice()))?;
        fs::remove_file(&path)?;
    }
    let figures = Way {
        elements: n,
        cores: parallel::threads(),
        on_gpu: !device.is_cpu(),
        steps: steps.0,
        others: others.0,
        floors: floors.0,
    };
    File::new(&options.run, "way", Some(&device), figures)
}

/// All distances as elements of a buffer, from both kinds of memory.
fn transfers_back(
    clock: &mut Clock,
    device: &Device,
    matrix: &PackedMatrix<f32>,
    pinned: &Pinned<f32>,
) -> Result<(), Failure> {
    let bytes = size_of_val(matrix.as_slice());
    let buffer = clock.time(UPLOAD, bytes, || device.upload(matrix.as_slice()))?;
    same("an upload", &buffer.download()?, matrix.as_slice())?;
    drop(buffer);
    let buffer = clock.time(UPLOAD_PINNED, bytes, || device.upload(pinned))?;
    same("an upload of pinned memory", &buffer.download()?, matrix.as_slice())
}

/// The forms that a matrix can take on the host.
fn forms(clock: &mut Clock, matrix: &PackedMatrix<f32>) -> Result<(), Failure> {
    let (n, bytes) = (matrix.elements(), size_of_val(matrix.as_slice()));
    let square = clock.time(TO_SQUARE, size_of::<f32>() * n * n, || matrix.to_square())?;
    for (i, j) in [(0, n - 1), (n - 1, 0), (n / 2, n / 3), (n / 3, n / 2)] {
        if matrix.get(i, j) != square.get(i, j) {
            return Err(format!("the square has another value at ({i}, {j})").into());
        }
    }
    drop(square);
    let condensed = clock.time("condensed", bytes, || matrix.to_condensed())?;
    let back = clock.time("from_condensed", bytes, || PackedMatrix::from_condensed(&condensed))?;
    same("the condensed form's matrix", back.as_slice(), matrix.as_slice())
}

fn statistics(matrix: &PackedMatrix<f32>) -> Result<Extremes, &'static str> {
    Extremes::of(matrix).ok_or("there are no pairs")
}

/// As the example `edm` does it.
fn write(path: &Path, matrix: &PackedMatrix<f32>) -> Result<(), Failure> {
    let file = NewFile::new(path, true)?;
    Ok(file.write_npy(&[matrix.as_slice().len()], matrix.as_slice())?)
}

fn same(name: &str, found: &[f32], expected: &[f32]) -> Result<(), Failure> {
    if found == expected { Ok(()) } else { Err(format!("{name} has other values").into()) }
}

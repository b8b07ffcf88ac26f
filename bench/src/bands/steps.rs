//! Bands and copies, measured.

use std::fs;
use std::ops::Range;
use std::time::Instant;

use td_kernel::{Bands, Buffer, Device, Packed, Pinned};

use super::{BANDS, COPY, FILE, IN_TURNS, Options, START, Step, Streamed, WRITE};
use crate::Failure;
use crate::experiment::File;
use crate::figures::edm_4;
use crate::measure::host;
use crate::measure::points::points;
use crate::measure::times::rounded;

/// The bytes of one copy by the GPU: so many that its beginning does not count.
const COPIED: usize = 1 << 30;

/// The bytes that such copies copy in each round.
const COPIED_IN_ALL: usize = 16 << 30;

impl Streamed {
    /// Does `work`, and adds its time to those of this name.
    fn time<R>(
        &mut self,
        name: &str,
        bytes: usize,
        work: impl FnOnce() -> Result<R, Failure>,
    ) -> Result<R, Failure> {
        let start = Instant::now();
        let done = work();
        let seconds = rounded(start.elapsed().as_secs_f64());
        let done = done.map_err(|error| format!("{name}: {error}"))?;
        match self.steps.iter_mut().find(|step| step.name == name) {
            Some(step) => step.seconds.push(seconds),
            None => self.steps.push(Step { name: name.into(), bytes, seconds: vec![seconds] }),
        }
        Ok(done)
    }
}

/// Measures each step in turns.
pub(super) fn measure(options: &Options) -> Result<File<Streamed>, Failure> {
    let (n, device) = (options.elements as usize, options.device.open()?);
    let kernel = edm_4::ltm_tiles::load(&device)?;
    let p = device.upload(&points::<[f32; 4]>(n))?;
    let mut figures = Streamed {
        elements: n,
        on_gpu: !device.is_cpu(),
        memory: options.memory,
        in_flight: options.in_flight,
        ..Streamed::default()
    };
    let bytes = size_of::<f32>() * n * (n - 1) / 2;
    // Everything is compiled after this, and what the bands are is known.
    let mut sums = Vec::new();
    let mut bands = limit(kernel.bands(&p)?, options).start()?;
    while let Some(band) = bands.next()? {
        figures.largest = figures.largest.max(size_of_val(band.values));
        sums.push((band.rows.clone(), checksum(band.values)));
    }
    drop(bands);
    figures.bands = sums.len();
    let mut copied = if device.is_cpu() { None } else { Some(Copied::new(&device)?) };
    for round in 1..=options.rounds {
        eprintln!("round {round} of {}", options.rounds);
        let bands = limit(kernel.bands(&p)?, options);
        let mut bands = figures.time(START, 0, || Ok(bands.start()?))?;
        let mut seen = 0;
        figures.time(BANDS, bytes, || {
            while let Some(band) = bands.next()? {
                seen += band.values.len();
            }
            Ok(())
        })?;
        drop(bands);
        if seen * size_of::<f32>() != bytes {
            return Err(format!("{seen} values came, of {bytes} bytes").into());
        }
        if let Some(copied) = &mut copied {
            let bytes = copied.bytes();
            figures.time(COPY, bytes, || copied.copy(&device))?;
        }
        let mut pinned = device.pinned(figures.largest / size_of::<f32>())?;
        let differing = figures.time(IN_TURNS, bytes, || {
            let mut differing = 0;
            for (rows, sum) in &sums {
                let values = in_turn(&device, &kernel, &p, rows, &mut pinned)?;
                // The values themselves only once: this is about the time.
                differing += usize::from(round == 1 && checksum(values) != *sum);
            }
            Ok(differing)
        })?;
        figures.differing += differing;
        if round == 1 {
            // That time was also one of looking at the values.
            figures.steps.retain(|step| step.name != IN_TURNS);
        }
    }
    if let Some(n) = options.file_elements {
        files(options, &mut figures, &device, n as usize)?;
    }
    File::new(&options.run, "bands", Some(&device), figures)
}

/// The bands with the options' limits.
fn limit<'a>(bands: Bands<'a, f32>, options: &Options) -> Bands<'a, f32> {
    let bands = bands.in_flight(options.in_flight);
    match options.memory {
        Some(bytes) => bands.memory(bytes).host_memory(bytes),
        None => bands,
    }
}

/// Depends on every value, and on the order of different ones.
fn checksum(values: &[f32]) -> u64 {
    let mix = |sum: u64, value: &f32| sum.rotate_left(5) ^ u64::from(value.to_bits());
    values.iter().fold(0, mix)
}

/// The values of these rows, in memory of their own: launched, and then copied.
fn in_turn<'a>(
    device: &Device,
    kernel: &edm_4::ltm_tiles,
    p: &Buffer<[f32; 4]>,
    rows: &Range<usize>,
    pinned: &'a mut Pinned<f32>,
) -> Result<&'a [f32], Failure> {
    let mut band = device.packed_rows(p.len(), rows.clone())?;
    kernel.rows(rows.clone()).launch(p, &mut band)?;
    let values = pinned.get_mut(..band.len()).ok_or("a band is larger than the largest")?;
    band.download_into(values)?;
    Ok(values)
}

/// Memory on both sides.
struct Copied {
    from: Packed<f32>,
    to: Pinned<f32>,
}

impl Copied {
    fn new(device: &Device) -> Result<Copied, Failure> {
        let n = (2 * COPIED / size_of::<f32>()).isqrt();
        let from = device.packed(n)?;
        Ok(Copied { to: device.pinned(from.len())?, from })
    }

    fn times(&self) -> usize {
        COPIED_IN_ALL / COPIED
    }

    fn bytes(&self) -> usize {
        self.times() * self.from.len() * size_of::<f32>()
    }

    fn copy(&mut self, device: &Device) -> Result<(), Failure> {
        (0..self.times()).try_for_each(|_| host::copy_by_gpu(device, &mut self.from, &mut self.to))
    }
}

/// Bands to a file, and a file of as many bytes by a program that does nothing else.
fn files(
    options: &Options,
    figures: &mut Streamed,
    device: &Device,
    n: usize,
) -> Result<(), Failure> {
    let kernel = edm_4::ltm_tiles::load(device)?;
    let p = device.upload(&points::<[f32; 4]>(n))?;
    let bytes = size_of::<f32>() * n * (n - 1) / 2;
    let folder = tempfile::Builder::new().prefix("td-bench-").tempdir_in(&options.folder)?;
    let path = folder.path().join("distances.npy");
    let piece = vec![1.0_f32; figures.largest.clamp(4, bytes.max(4)) / size_of::<f32>()];
    for round in 1..=options.rounds {
        eprintln!("file, round {round} of {}", options.rounds);
        let bands = limit(kernel.bands(&p)?, options);
        figures.time(FILE, bytes, || Ok(bands.write_npy(&path)?))?;
        let size = fs::metadata(&path)?.len();
        if size < bytes as u64 {
            return Err(format!("the file has {size} bytes, and the distances {bytes}").into());
        }
        fs::remove_file(&path)?;
        figures.time(WRITE, bytes, || host::write_pieces(&path, &piece, bytes))?;
        fs::remove_file(&path)?;
    }
    Ok(())
}

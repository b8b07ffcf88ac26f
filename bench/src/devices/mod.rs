//! The same work on one GPU, on two, on four, as many as there are: nearest neighbours, a sum over all pairs, and distances of
//! which each GPU stores a band.

mod jobs;
#[cfg(test)]
mod tests;

use std::time::Instant;

use serde::{Deserialize, Serialize};
use td_kernel::{Device, Devices};

use self::jobs::{Job, Work};
use crate::Failure;
use crate::experiment::{self, Experiment, File, Run, Section, missed};
use crate::measure::times::Spread;
use crate::plot::{BLUE, Bar, GREY, Group, groups};
use crate::words::{spread, table, thousands, three_digits};

/// How often each number of GPUs is timed, in turns.
const ROUNDS: usize = 9;

/// All work on all numbers of devices.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Together {
    rows: Vec<Row>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Row {
    work: Work,
    n: usize,
    devices: usize,
    /// By the host's clock, from when all devices have nothing to do until they have nothing to do again.
    ms: Spread,
    /// Whether the results are those of one device, bit for bit.
    agrees: bool,
}

/// Measures, prints, and writes the figures.
pub(crate) fn run(options: &Run) -> Result<(), Failure> {
    experiment::run(options, "devices", |_, file: &mut File<Together>| {
        let all: Vec<Device> = Devices::all()?.iter().cloned().collect();
        for work in Work::ALL {
            eprintln!("{}, up to {} devices", work.name(), all.len());
            file.figures.rows.extend(measure(work, work.sizes(), &all, ROUNDS)?);
            file.keep()?;
        }
        Ok(())
    })
}

/// One, and twice as many each time, and all.
pub(crate) fn counts(all: usize) -> Vec<usize> {
    let doubled = std::iter::successors(Some(1), |count| Some(2 * count));
    doubled.take_while(|count| *count < all).chain((all > 0).then_some(all)).collect()
}

/// Times the work on each number of devices, in turns. `n` are timed, and the results of `compared` are compared.
fn measure(
    work: Work,
    [n, compared]: [usize; 2],
    all: &[Device],
    rounds: usize,
) -> Result<Vec<Row>, Failure> {
    let some = |count: usize| Devices::new(all.iter().take(count).cloned());
    let mut results = Vec::new();
    for count in counts(all.len()) {
        let mut job = work.job(&some(count)?, compared)?;
        job.start()?;
        results.push(job.result()?);
    }
    let mut jobs = Vec::new();
    for count in counts(all.len()) {
        let devices = some(count)?;
        // Everything is compiled, and all memory there, after this.
        let mut job = work.job(&devices, n)?;
        job.start()?;
        jobs.push((devices, job, Vec::new()));
    }
    for _ in 0..rounds {
        for (devices, job, samples) in &mut jobs {
            samples.push(time(devices, &mut **job)?);
        }
    }
    let rows = jobs.into_iter().zip(&results).map(|((devices, _, samples), result)| {
        let ms = Spread::quarters(samples).ok_or("nothing was timed")?;
        let agrees = results.first() == Some(result);
        Ok(Row { work, n, devices: devices.len(), ms, agrees })
    });
    rows.collect()
}

/// The milliseconds until the devices have done it.
fn time(devices: &Devices, job: &mut dyn Job) -> Result<f64, Failure> {
    job.forget()?;
    devices.synchronize()?;
    let start = Instant::now();
    job.start()?;
    devices.synchronize()?;
    Ok(start.elapsed().as_secs_f64() * 1e3)
}

impl Together {
    /// The n of the work of this name on so many devices, and its seconds, where it was measured.
    pub(crate) fn seconds(&self, work: &str, devices: usize) -> Option<(usize, f64)> {
        let is_it = |row: &&Row| row.devices == devices && row.work.word() == work;
        self.rows.iter().find(is_it).map(|row| (row.n, row.ms.median / 1e3))
    }

    /// How many times as fast as one device.
    fn factor(&self, row: &Row) -> Option<f64> {
        let one = self.rows.iter().find(|one| one.work == row.work && one.devices == 1)?;
        Some(one.ms.median / row.ms.median)
    }

    fn group(&self, work: Work) -> Option<Group> {
        let rows = || self.rows.iter().filter(|row| row.work == work);
        let n = rows().find(|row| row.devices > 1)?.n;
        let bars = rows().filter_map(|row| {
            let factor = self.factor(row)?;
            let text = format!("{} x, {} ms", three_digits(factor), three_digits(row.ms.median));
            let colour = if row.devices == 1 { GREY } else { BLUE };
            Some(Bar { name: gpus(row.devices), value: factor, text, colour })
        });
        Some(Group {
            title: format!("{}, n = {}", work.name(), thousands(n as u64)),
            unit: "times as fast as on one GPU",
            bars: bars.collect(),
            mark: None,
            multiplies: false,
        })
    }
}

fn gpus(count: usize) -> String {
    format!("{count} GPU{}", if count == 1 { "" } else { "s" })
}

impl Experiment for Together {
    fn sections(&self) -> Vec<Section> {
        let rows = self.rows.iter().map(|row| {
            let factor = self.factor(row).map(three_digits).unwrap_or_default();
            let target = row.work.target(row.devices).map(three_digits).unwrap_or_default();
            let agrees = if row.agrees { "those of one" } else { "others" };
            let cells = [row.work.name().into(), thousands(row.n as u64), row.devices.to_string()];
            let results = [spread(row.ms), factor, target, agrees.into()];
            [cells.to_vec(), results.into()].concat()
        });
        let headings =
            ["work", "n", "GPUs", "ms", "times as fast as one", "to be reached", "results"];
        let text = table(&headings, &rows.collect::<Vec<_>>());
        vec![Section::new("devices", "Several GPUs", text)]
    }

    fn plots(&self) -> Result<Vec<(&'static str, String)>, Failure> {
        let all: Vec<Group> = Work::ALL.into_iter().filter_map(|work| self.group(work)).collect();
        if all.is_empty() { Ok(Vec::new()) } else { Ok(vec![("devices", groups(&all)?)]) }
    }

    fn wrong(&self) -> Vec<String> {
        let wrong = self.rows.iter().filter(|row| !row.agrees);
        let text = |row: &Row| {
            format!("{} on {}: other results than on one", row.work.name(), gpus(row.devices))
        };
        wrong.map(text).collect()
    }

    fn missed(&self) -> Vec<String> {
        let targets = self.rows.iter().filter_map(|row| {
            let (target, factor) = (row.work.target(row.devices)?, self.factor(row)?);
            let text = format!("{} times as fast, and not {target}", three_digits(factor));
            let name = format!("{} on {}", row.work.name(), gpus(row.devices));
            Some((name, (factor < target).then_some(text)))
        });
        [self.wrong(), missed(targets)].concat()
    }
}

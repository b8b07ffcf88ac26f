//! A model of cost: what all pairs of n elements take on D GPUs, from rates that were measured on one, and how near its
//! predictions are to what was measured otherwise.

use std::path::Path;

use crate::Failure;
use crate::bands::Streamed;
use crate::devices::Together;
use crate::experiment::{self, Experiment, File, Section};
use crate::scale::{Scaled, median};
use crate::targets::target::{Outcome, Targets};
use crate::words::{table, thousands, three_digits};

/// Assumed, and not measured: the bytes a second that each GPU gets from the network between machines, four fifths of a link
/// of 400 Gbit/s.
const NETWORK: f64 = 40e9;

/// Assumed: the GPUs of a machine, which reach each other without that network.
const GPUS_OF_A_MACHINE: usize = 8;

/// The bytes of an element: of a point with four features, and of a row with 128.
const POINT: f64 = 16.0;
const ROW: f64 = 512.0;

/// The bytes of the ten nearest of an element: a value and an index each.
const CELLS: f64 = 80.0;

const ELEMENTS: [usize; 5] = [100_000, 300_000, 1_000_000, 3_000_000, 10_000_000];
const GPUS: [usize; 5] = [1, 2, 8, 64, 1024];

/// The rates of one GPU, each from one experiment, in pairs or bytes a second.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rates {
    /// Distances of points, stored.
    packed: f64,
    /// Collisions of spheres, counted.
    count: f64,
    /// Pairs of rows whose nearest are looked for.
    nearest: f64,
    /// Copies to pinned memory of the host.
    link: f64,
    /// Plain writes to the disk of the machine.
    disk: f64,
    /// The seconds for each n ln n that a second GPU does not save of the search for nearest neighbours.
    merges: f64,
}

/// How many pairs n elements have.
fn pairs(n: usize) -> f64 {
    n as f64 * (n as f64 - 1.0) / 2.0
}

fn n_ln_n(n: usize) -> f64 {
    n as f64 * (n as f64).ln()
}

impl Rates {
    /// `None` where an experiment is not there.
    fn of(targets: &Targets, streamed: &Streamed, together: &Together) -> Option<Rates> {
        let rate = |work: &str, features: Option<u32>, n: usize| {
            let is_it = |row: &&_| {
                let row: &crate::targets::target::Row = row;
                row.work == work && row.features == features && row.n == n
            };
            match &targets.rows.iter().find(is_it)?.outcome {
                Outcome::Measured(measured) => Some(pairs(n) / measured.ours.ms.median * 1e3),
                _ => None,
            }
        };
        let seconds = |devices| together.seconds("neighbours", devices);
        let ((n, one), (_, two)) = (seconds(1)?, seconds(2)?);
        Some(Rates {
            packed: rate("packed EDM", Some(4), 65_536)?,
            count: rate("collision count", None, 30_720)?,
            nearest: rate("neighbours", Some(128), 102_400)?,
            link: streamed.copies()?,
            disk: streamed.writes()?,
            merges: (2.0 * two - one).max(0.0) / n_ln_n(n),
        })
    }

    /// The seconds until all GPUs have elements of so many bytes, by a tree over the machines.
    fn spread(n: usize, gpus: usize, bytes: f64) -> f64 {
        let machines = gpus.div_ceil(GPUS_OF_A_MACHINE);
        f64::from(machines.next_power_of_two().ilog2()) * n as f64 * bytes / NETWORK
    }

    fn stays(&self, n: usize, gpus: usize) -> f64 {
        Self::spread(n, gpus, POINT) + pairs(n) / self.packed / gpus as f64
    }

    fn streamed(&self, n: usize, gpus: usize) -> f64 {
        let link = 4.0 * pairs(n) / self.link / gpus as f64;
        Self::spread(n, gpus, POINT) + link.max(pairs(n) / self.packed / gpus as f64)
    }

    fn written(&self, n: usize, gpus: usize) -> f64 {
        self.streamed(n, gpus).max(4.0 * pairs(n) / self.disk)
    }

    fn count(&self, n: usize, gpus: usize) -> f64 {
        Self::spread(n, gpus, POINT) + pairs(n) / self.count / gpus as f64
    }

    fn nearest(&self, n: usize, gpus: usize) -> f64 {
        let (one, merges) = (pairs(n) / self.nearest, self.merges * n_ln_n(n));
        let exchange = match gpus > GPUS_OF_A_MACHINE {
            true => CELLS * n as f64 / NETWORK,
            false => 0.0,
        };
        let shared = (one - merges).max(0.0) / gpus as f64 + merges.min(one);
        Self::spread(n, gpus, ROW) + exchange + shared
    }
}

/// The sections that `docs/scale.md` has of a folder; none where experiments are missing.
pub(super) fn sections(folder: &Path) -> Result<Vec<Section>, Failure> {
    let (Some(targets), Some(streamed), Some(together)) = (
        figures::<Targets>(folder, "targets")?,
        figures::<Streamed>(folder, "bands")?,
        figures::<Together>(folder, "devices")?,
    ) else {
        return Ok(Vec::new());
    };
    let Some(rates) = Rates::of(&targets, &streamed, &together) else { return Ok(Vec::new()) };
    let scaled: Option<Scaled> = figures(folder, "scale")?;
    Ok(vec![
        Section::new("scale-rates", "A model of cost: the rates", rates_table(&rates)),
        Section::new("scale-model", "A model of cost: predictions", predictions(&rates)),
        Section::new(
            "scale-checked",
            "A model of cost: beside what was measured",
            checked(&rates, &streamed, &together, scaled.as_ref()),
        ),
    ])
}

fn figures<E: Experiment>(folder: &Path, name: &str) -> Result<Option<E>, Failure> {
    let file = File::<E>::read(&experiment::path(folder, name), name)?;
    Ok(file.map(|file| file.figures))
}

fn rates_table(rates: &Rates) -> String {
    let row = |sign: &str, what: &str, rate: f64, unit: &str, from: &str| {
        let rate = format!("{} {unit}", three_digits(rate));
        vec![sign.into(), what.into(), rate, from.into()]
    };
    let giga = |rate: f64| rate / 1e9;
    let rows = [
        row("s", "distances of 4 features, stored", giga(rates.packed), "10^9 pairs/s", "targets"),
        row("c", "collisions, counted", giga(rates.count), "10^9 pairs/s", "targets"),
        row("v", "10 nearest, 128 features", giga(rates.nearest), "10^9 pairs/s", "targets"),
        row("m", "its merges, for each n ln n", 1e9 * rates.merges, "ns", "devices"),
        row("l", "copies to pinned memory", giga(rates.link), "GB/s", "bands"),
        row("d", "plain writes to the disk", giga(rates.disk), "GB/s", "bands"),
        row("w", "network, for each GPU", giga(NETWORK), "GB/s", "assumed, not measured"),
    ];
    table(&["sign", "what", "rate of one GPU", "from"], &rows)
}

fn predictions(rates: &Rates) -> String {
    let rows = ELEMENTS.into_iter().flat_map(|n| {
        GPUS.into_iter().map(move |gpus| {
            let bytes = 4.0 * pairs(n);
            vec![
                thousands(n as u64),
                thousands(gpus as u64),
                three_digits(bytes / 1e9),
                three_digits(bytes / 1e9 / gpus as f64),
                time(rates.stays(n, gpus)),
                time(rates.streamed(n, gpus)),
                time(rates.written(n, gpus)),
                time(rates.count(n, gpus)),
                time(rates.nearest(n, gpus)),
            ]
        })
    });
    let headings = [
        "n",
        "GPUs",
        "packed, GB",
        "for each GPU",
        "computed, stays",
        "to the hosts",
        "to one disk",
        "count",
        "10 nearest, 128 features",
    ];
    table(&headings, &rows.collect::<Vec<_>>())
}

/// A time, as people say it.
fn time(seconds: f64) -> String {
    let units = [(86_400.0, "days"), (3600.0, "h"), (60.0, "min"), (1.0, "s"), (1e-3, "ms")];
    let (unit, name) =
        units.into_iter().find(|(unit, _)| seconds >= 2.0 * unit).unwrap_or((1e-6, "us"));
    format!("{} {name}", three_digits(seconds / unit))
}

fn checked(
    rates: &Rates,
    streamed: &Streamed,
    together: &Together,
    scaled: Option<&Scaled>,
) -> String {
    let mut rows = Vec::new();
    let mut most = 1;
    let mut add = |what: &str, n: usize, gpus: usize, predicted: f64, measured: f64| {
        let off = 100.0 * (predicted / measured - 1.0);
        let cells = [what.to_owned(), thousands(n as u64), gpus.to_string()];
        let times = [time(predicted), time(measured), format!("{off:+.1} %")];
        rows.push([cells, times].concat());
        most = most.max(gpus);
    };
    for gpus in [1, 2, 4, 8] {
        let works = [
            ("distances", "packed, stays", rates.packed),
            ("count", "count", rates.count),
            ("neighbours", "10 nearest, without merges", rates.nearest),
        ];
        for (work, what, rate) in works {
            if let Some((n, measured)) = together.seconds(work, gpus) {
                add(what, n, gpus, pairs(n) / rate / gpus as f64, measured);
            }
        }
    }
    if let Some((n, measured)) = streamed.to_host() {
        add("packed, to the host", n, 1, rates.streamed(n, 1), measured);
    }
    if let Some((bytes, measured)) = streamed.to_file() {
        // n (n - 1) / 2 values of 4 bytes.
        let n = (bytes / 2).isqrt() + 1;
        add("packed, to a file", n, 1, rates.written(n, 1), measured);
    }
    for row in scaled.into_iter().flat_map(|scaled| &scaled.rows) {
        let (n, gpus) = (row.elements, row.devices);
        if let Some(measured) = median(&row.seconds) {
            add("packed, streamed", n, gpus, rates.streamed(n, gpus), measured);
        }
        if let Some(measured) = median(&row.computed) {
            let predicted = pairs(n) / rates.packed / gpus as f64;
            add("packed, band over band", n, gpus, predicted, measured);
        }
    }
    let headings = ["what", "n", "GPUs", "predicted", "measured", "difference"];
    let text = table(&headings, &rows);
    match most < 4 {
        true => format!("{}\n\nFour GPUs and more: not measured.\n", text.trim_end()),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATES: Rates =
        Rates { packed: 1e12, count: 4e12, nearest: 1e11, link: 5e10, disk: 1e9, merges: 1e-9 };

    /// By hand, for numbers that are easy to divide.
    #[test]
    fn predictions_follow_from_the_rates() {
        let near = |found: f64, expected: f64| {
            assert!((found / expected - 1.0).abs() < 1e-4, "{found} is not {expected}");
        };
        // 5 10^11 pairs, 2 TB.
        let n = 1_000_000;
        near(RATES.stays(n, 1), 0.5);
        near(RATES.stays(n, 8), 0.0625);
        near(RATES.streamed(n, 1), 40.0);
        near(RATES.streamed(n, 8), 5.0);
        near(RATES.written(n, 8), 2000.0);
        near(RATES.count(n, 2), 0.0625);
        // Eight machines are three steps of a tree, each of 16 MB at 40 GB/s.
        near(RATES.count(n, 64), 0.125 / 64.0 + 3.0 * 0.0004);
        // 5 s, of which 13.8 ms do not become less.
        near(RATES.nearest(n, 1), 5.0);
        near(RATES.nearest(n, 2), 2.5 + 0.5 * 0.013_816);
    }

    #[test]
    fn times_are_said_in_units_of_people() {
        let said: Vec<String> = [3e-6, 0.005, 1.5, 60.0, 7000.0, 8000.0, 4e5].map(time).into();
        assert_eq!(
            said,
            ["3.00 us", "5.00 ms", "1,500 ms", "60.0 s", "117 min", "2.22 h", "4.63 days"]
        );
    }

    /// Within 10 % of what the experiments of one GPU and of two have measured. (`scale` is judged by its own targets.)
    #[test]
    fn predictions_are_near_what_was_measured() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/h200");
        let sections = sections(&folder).unwrap();
        let text = &sections.iter().find(|each| each.name == "scale-checked").unwrap().text;
        let is_of_scale =
            |line: &&str| line.contains("streamed") || line.contains("band over band");
        let lines = text.lines().filter(|line| !is_of_scale(line));
        let cells = lines.filter_map(|line| line.split('|').nth(6));
        let off: Vec<f64> =
            cells.filter_map(|cell| cell.trim().strip_suffix(" %")?.parse().ok()).collect();
        assert!(off.len() >= 8, "{text}");
        assert!(off.iter().all(|off| off.abs() <= 10.0), "{text}");
    }
}

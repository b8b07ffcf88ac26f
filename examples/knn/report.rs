//! What the program prints.

use std::fmt;

use td_kernel::Device;
use td_kernel_examples::text::shown;
use td_kernel_examples::{Digits, LeftOut, Vectors};

use crate::found::{Found, Names};
use crate::metric::Metric;
use crate::recall::Recall;
use crate::rows::Sets;
use crate::search::Time;

/// Of how many rows the neighbours are printed.
const PRINTED_ROWS: usize = 5;

/// How many neighbours of such a row are printed.
const PRINTED_NEIGHBOURS: usize = 3;

/// One line for each fact, with its name in front.
#[derive(Debug)]
pub(crate) struct Report {
    device: String,
    sets: Sets,
    metric: Metric,
    found: Found,
    recall: Recall,
    time: Time,
    /// The files that the neighbours were written to.
    files: Names,
}

impl Report {
    pub(crate) fn new(
        device: &Device,
        sets: Sets,
        metric: Metric,
        found: Found,
        recall: Recall,
        time: Time,
    ) -> Report {
        let device = device.name().into();
        Report { device, sets, metric, found, recall, time, files: Names::default() }
    }

    /// The same, which also tells these files.
    pub(crate) fn with_files(self, files: Names) -> Report {
        Report { files, ..self }
    }

    /// How many neighbours have the same label as the row whose neighbours they are.
    fn alike(&self) -> Option<u64> {
        let labels = self.sets.data.labels.as_ref().filter(|_| self.sets.queries.is_none())?;
        let alike = self.found.rows().enumerate().map(|(row, (indices, _))| {
            let own = labels.of.get(row);
            indices.iter().filter(|index| labels.of.get(**index as usize) == own).count() as u64
        });
        Some(alike.sum())
    }
}

impl Report {
    fn write_files(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.files.all().map(shown).collect();
        if names.is_empty() { Ok(()) } else { write!(f, "\nwritten: {}", names.join(", ")) }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { sets: Sets { data, queries }, found, .. } = self;
        writeln!(f, "device: {}", self.device)?;
        let sets = [("rows", Some(data)), ("queries", queries.as_ref())];
        for (name, set) in sets {
            let Some(Vectors { count, origin, left_out, .. }) = set else { continue };
            writeln!(f, "{name}: {count} ({origin})")?;
            if !left_out.is_empty() {
                writeln!(f, "left out of {name}: {}", LeftOut(left_out))?;
            }
        }
        writeln!(f, "features: {}", data.features)?;
        if let Some(labels) = &data.labels {
            writeln!(f, "labels: {}", labels.names.len())?;
        }
        writeln!(f, "metric: {}", self.metric)?;
        let pairs = self.sets.elements().pairs();
        write!(f, "pairs: {pairs}")?;
        if pairs == 0 {
            f.write_str(", so there are no neighbours")?;
            return self.write_files(f);
        }
        let rows = self.sets.rows().count;
        write!(f, "\nneighbours: {}, up to {} of each row", found.count(), found.k())?;
        if found.incomplete() > 0 {
            write!(f, "\nrows with fewer: {} of {rows}", found.incomplete())?;
        }
        for (row, (indices, values)) in found.rows().take(PRINTED_ROWS).enumerate() {
            write!(f, "\nnearest of {row}:")?;
            for (at, (index, value)) in
                indices.iter().zip(values).take(PRINTED_NEIGHBOURS).enumerate()
            {
                let comma = if at == 0 { "" } else { "," };
                write!(f, "{comma} {index} ({})", Digits((*value).into()))?;
            }
            let more = indices.len().saturating_sub(PRINTED_NEIGHBOURS);
            if indices.is_empty() {
                write!(f, " none")?;
            } else if more > 0 {
                write!(f, ", and {more} more")?;
            }
        }
        if let Some(alike) = self.alike().filter(|_| found.count() > 0) {
            let share = 100.0 * alike as f64 / found.count() as f64;
            write!(f, "\nneighbours with the label of their row: {share:.2} %")?;
        }
        if let Some(share) = self.recall.share() {
            let Recall { rows, hits, within_rounding, expected } = self.recall;
            write!(
                f,
                "\nrecall: {share} ({hits} of {expected} neighbours of {rows} rows, to double precision)"
            )?;
            let missed = expected.saturating_sub(hits);
            if missed > 0 {
                write!(
                    f,
                    "\nmissed by no more than single precision rounds: {within_rounding} of {missed}"
                )?;
            }
        }
        let seconds = self.time.kernel.as_secs_f64();
        let rate = pairs as f64 / seconds;
        write!(f, "\nkernel: {:.3} ms, {rate:.3e} pairs/s", seconds * 1e3)?;
        if let Some(share) = self.time.merging {
            write!(f, ", {:.1} % of the time for merging", 100.0 * share)?;
        }
        self.write_files(f)
    }
}

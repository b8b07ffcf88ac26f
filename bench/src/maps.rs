//! Every map in block and in thread space: packed Euclidean distances of 4 features, one thread a pair, as a ratio to
//! the bounding box.

use serde_json::json;

use crate::Failure;
use crate::experiment::{self, File, Run, Table};
use crate::figures::edm_4::CHOICES;
use crate::measure::times::medians;
use crate::subject::{Distances, Subject};

/// The choices that are measured.
const NAMES: [&str; 15] = [
    "bb",
    "ltm",
    "ltm_sqrt",
    "ltm_newton",
    "ltm_rsqrt",
    "ltm_linear",
    "utm",
    "rb",
    "rec",
    "h",
    "walk",
    "table",
    "ltm_thread",
    "utm_thread",
    "rb_thread",
];

/// Measures, prints a table, and writes the figures.
pub(crate) fn run(n: usize, options: &Run) -> Result<(), Failure> {
    experiment::run(options, "maps", |gpu, file: &mut File<Table>| {
        let title = format!("Packed distances, 4 features, one thread a pair, n = {n}");
        file.figures = Table::new(&title, &["name", "keys", "ms", "bb_ms", "bb_over_map"]);
        let subject = Distances::distances(gpu, n)?;
        let bb = (CHOICES[0].load)(&gpu.device)?;
        let (mut a, mut b) = (subject.output()?, subject.output()?);
        for choice in CHOICES.iter().filter(|choice| NAMES.contains(&choice.keys.name)) {
            let map = (choice.load)(&gpu.device)?;
            subject.clear(&mut b)?;
            // The bounding box again beside each, so that a drift of the GPU's clock hits both.
            let [bb_ms, ms] = medians(
                &gpu.device,
                11,
                4,
                [&mut || bb(&subject, &mut a), &mut || map(&subject, &mut b)],
            )?;
            subject.verify(choice.keys.name, &b)?;
            let keys: Vec<String> =
                choice.keys.keys.iter().map(|(key, value)| format!("{key} = {value}")).collect();
            let row = [json!(choice.keys.name), json!(keys.join(" ")), json!(ms), json!(bb_ms)];
            file.figures.rows.push([&row[..], &[json!(bb_ms / ms)]].concat());
        }
        Ok(())
    })
}

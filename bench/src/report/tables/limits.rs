//! What the GPU can do at most, and what comes near it, in tables.

use super::Section;
use crate::edm_square::EdmSquare;
use crate::figures::Figures;
use crate::limits::Limits;
use crate::report::words::{choice, spread, table, thousands, three_digits, work};

pub(super) fn sections(limits: &Limits) -> Vec<Section> {
    let rates = limits
        .rates
        .iter()
        .map(|rate| vec![rate.name.clone(), rate.unit.clone(), spread(rate.value)]);
    let headings = ["limit", "unit", "median (spread)"].map(str::to_owned);
    let rates = table(&headings, &rates.collect::<Vec<_>>());
    let headings = ["kernel", "ms", "its floor", "floor, ms", "times its floor"].map(str::to_owned);
    let floors = limits.floors.iter().map(|floor| {
        let mut row = vec![floor.name.clone()];
        match (&floor.beside, &floor.failed) {
            (Some(beside), _) => {
                let ratio = beside.ms.median / beside.floor_ms.median;
                row.extend([
                    spread(beside.ms),
                    beside.floor.clone(),
                    spread(beside.floor_ms),
                    format!("{ratio:.3}"),
                ]);
            }
            (None, reason) => {
                let reason = reason.as_deref().unwrap_or("?").lines().next().unwrap_or_default();
                row.extend([
                    format!("not measured: {reason}"),
                    String::new(),
                    String::new(),
                    String::new(),
                ]);
            }
        }
        row
    });
    let floors = table(&headings, &floors.collect::<Vec<_>>());
    vec![
        Section::new("limits", "What the GPU can do at most", rates),
        Section::new("floors", "The generated kernels beside their floors", floors),
    ]
}

/// The time that the starting of blocks takes by itself, beside the times of the tests.
pub(super) fn starting(figures: &Figures, limits: &Limits) -> Option<Section> {
    let rate = limits.rate("empty blocks of 256 threads")?.value.median;
    let largest = |n: usize| n <= 30_720;
    let blocks =
        figures.blocks.iter().filter(|blocks| largest(blocks.n)).max_by_key(|blocks| blocks.n)?;
    let works = ["dummy", "edm-1", "edm-4", "collision-3d"];
    let mut headings: Vec<String> =
        ["choice", "blocks", "starting as many empty ones, ms"].map(str::to_owned).into();
    headings.extend(works.map(|name| format!("{}, ms", work(name))));
    let rows = ["bb", "ltm", "rb", "h", "ltm_thread", "rb_thread"].into_iter().filter_map(|name| {
        let [launched, _] = blocks.launched_and_needed.get(name)?;
        let start = *launched as f64 / rate / 1e3;
        let mut row = vec![choice(name), thousands(*launched), three_digits(start)];
        row.extend(works.map(|work| {
            let ms = figures.point(work, blocks.n).and_then(|point| point.milliseconds(name));
            ms.map(|ms| three_digits(ms.median)).unwrap_or_default()
        }));
        Some(row)
    });
    let heading = format!("What starting blocks costs, n = {}", thousands(blocks.n as u64));
    Some(Section::new("starting", heading, table(&headings, &rows.collect::<Vec<_>>())))
}

/// The ladder of square distances.
pub(super) fn ladder(ladder: &EdmSquare) -> Section {
    let headings = ["kernel", "ms", "GB/s", "% of the fill"].map(str::to_owned);
    let rows = ladder.rungs.iter().map(|rung| match &rung.wrong {
        Some(wrong) => {
            let wrong = wrong.lines().next().unwrap_or_default();
            vec![rung.name.clone(), format!("wrong: {wrong}"), String::new(), String::new()]
        }
        None => {
            let range = format!("({}..{})", three_digits(rung.low_ms), three_digits(rung.high_ms));
            vec![
                rung.name.clone(),
                format!("{} {range}", three_digits(rung.ms)),
                three_digits(rung.gb_per_s),
                format!("{:.1}", 100.0 * rung.share_of_fill),
            ]
        }
    });
    let n = thousands(ladder.n as u64);
    let heading = format!("Square distances, n = {n}, {} features", ladder.features);
    Section::new("edm-square", heading, table(&headings, &rows.collect::<Vec<_>>()))
}

//! The improvement factor over n, one panel a test: all maps, the roots, the spaces, and the tiles.

use super::{Blocks, Figures, Point};
use crate::Failure;
use crate::measure::times::Spread;
use crate::plot::{
    BLACK, BLUE, BROWN, CYAN, Colour, GREEN, GREY, Line, ORANGE, PINK, PURPLE, Panel, sheet,
};
use crate::words;

/// The papers' largest n: what goes beyond is in the tables.
const LARGEST: usize = 30_720;

/// A line: the choice, its name in the plot, its colour and width.
type Style = (&'static str, &'static str, Colour, u32);

/// Four maps stand out; the others, with thin lines, are there to compare with.
const MAPS: &[Style] = &[
    ("table", "table", BROWN, 1),
    ("rec", "rec", PINK, 1),
    ("utm", "utm", CYAN, 1),
    ("h", "h", PURPLE, 2),
    ("walk", "walk", GREEN, 2),
    ("rb", "rb", ORANGE, 2),
    ("ltm", "ltm", BLUE, 2),
];

const ROOTS_OF_BLOCKS: &[Style] = &[
    ("ltm", "exact", BLUE, 2),
    ("ltm_sqrt", "sqrt (X)", GREEN, 2),
    ("ltm_newton", "newton (N)", ORANGE, 2),
    ("ltm_rsqrt", "rsqrt (R)", PURPLE, 2),
];

const ROOTS_OF_THREADS: &[Style] = &[
    ("ltm_thread", "exact", BLUE, 2),
    ("ltm_thread_sqrt", "sqrt (X)", GREEN, 2),
    ("ltm_thread_newton", "newton (N)", ORANGE, 2),
    ("ltm_thread_rsqrt", "rsqrt (R)", PURPLE, 2),
];

const SPACES: &[Style] = &[
    ("utm", "utm, blocks", CYAN, 1),
    ("utm_thread", "utm, threads", CYAN, 2),
    ("rb", "rb, blocks", ORANGE, 1),
    ("rb_thread", "rb, threads", ORANGE, 2),
    ("ltm", "ltm, blocks", BLUE, 1),
    ("ltm_thread", "ltm, threads", BLUE, 2),
];

const TILES: &[Style] = &[
    ("table_tiles", "table", BROWN, 1),
    ("rec_tiles", "rec", PINK, 1),
    ("utm_tiles", "utm", CYAN, 1),
    ("ltm", "ltm, no tiles", BLUE, 1),
    ("bb_tiles", "bb", GREY, 1),
    ("h_tiles", "h", PURPLE, 2),
    ("walk_tiles", "walk", GREEN, 2),
    ("rb_tiles", "rb", ORANGE, 2),
    ("ltm_tiles", "ltm", BLUE, 2),
];

const FACTOR: &str = "I = t(bb) / t(map); shaded: half of the rounds";

/// The plots of the papers' tests.
pub(super) fn plots(figures: &Figures) -> Result<Vec<(&'static str, String)>, Failure> {
    let works: Vec<&str> = works(figures);
    let mut maps: Vec<Panel> = works.iter().map(|work| panel(figures, work, MAPS)).collect();
    maps.push(blocks(figures));
    let roots = [
        titled("Dummy, roots of ltm in block space", panel(figures, "dummy", ROOTS_OF_BLOCKS)),
        titled("Dummy, roots of ltm in thread space", panel(figures, "dummy", ROOTS_OF_THREADS)),
        titled(
            "EDM, 4 features, roots of ltm in block space",
            panel(figures, "edm-4", ROOTS_OF_BLOCKS),
        ),
        blocks(figures),
    ];
    let spaces = ["dummy", "edm-1", "edm-4", "collision-3d"];
    let spaces = spaces.map(|work| panel(figures, work, SPACES));
    let tiled = works.iter().filter(|work| **work != "dummy");
    let mark = Some((1.0, "bb, no tiles"));
    let tiles = tiled.map(|work| Panel { mark, ..panel(figures, work, TILES) });
    let tiles: Vec<Panel> = tiles.collect();
    let one = "one thread a pair, blocks of 16 x 16 threads";
    Ok(vec![
        ("maps", sheet(&format!("Maps against the bounding box: {one}, exact roots"), &maps)?),
        ("roots", sheet(&format!("How the root is taken: {one}"), &roots)?),
        ("spaces", sheet(&format!("Block space and thread space: {one}"), &spaces)?),
        (
            "tiles",
            sheet(
                "Tiles, as the attribute has them by default, against bb with one thread a pair",
                &tiles,
            )?,
        ),
    ])
}

/// The tests in the order of the file.
fn works(figures: &Figures) -> Vec<&str> {
    let mut works: Vec<&str> = Vec::new();
    for point in &figures.points {
        if !works.contains(&point.work.as_str()) {
            works.push(&point.work);
        }
    }
    works
}

fn titled(title: &str, panel: Panel) -> Panel {
    Panel { title: title.into(), ..panel }
}

fn panel(figures: &Figures, work: &str, styles: &[Style]) -> Panel {
    let mut points: Vec<&Point> =
        figures.points.iter().filter(|point| point.work == work && point.n <= LARGEST).collect();
    points.sort_by_key(|point| point.n);
    let lines = styles.iter().map(|(choice, name, colour, width)| {
        let factor = |point: &&Point| {
            let [_, Spread { median, low, high }] = point.timed(choice)?;
            Some((point.n as f64, [median, low, high]))
        };
        let points = points.iter().filter_map(factor).collect();
        Line { name: (*name).into(), colour: *colour, width: *width, points }
    });
    let lines = lines.filter(|line| !line.points.is_empty()).collect();
    let mark = Some((1.0, "bb"));
    Panel { title: words::work(work).into(), unit: FACTOR, lines, mark }
}

/// The spare blocks of the bounding box and of the maps.
fn blocks(figures: &Figures) -> Panel {
    let styles: &[Style] =
        &[("bb", "bb", BLACK, 2), ("rec", "rec", PINK, 2), ("ltm", "ltm", BLUE, 2)];
    let mut all: Vec<_> = figures.blocks.iter().filter(|blocks| blocks.n <= LARGEST).collect();
    all.sort_by_key(|blocks| blocks.n);
    let lines = styles.iter().map(|(choice, name, colour, width)| {
        let spare = |blocks: &&Blocks| {
            let [launched, needed] = blocks.launched_and_needed.get(*choice)?;
            let thousands = launched.saturating_sub(*needed) as f64 / 1e3;
            Some((blocks.n as f64, [thousands; 3]))
        };
        let points: Vec<_> = all.iter().filter_map(spare).collect();
        Line { name: (*name).into(), colour: *colour, width: *width, points }
    });
    let lines = lines.filter(|line| !line.points.is_empty()).collect();
    let unit = "thousands of idle blocks, 16 x 16 threads";
    Panel { title: "Spare blocks".into(), unit, lines, mark: None }
}

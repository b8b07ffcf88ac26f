//! A picture of the values of all pairs: a square, with the rows along both sides, and a legend.

mod bins;
mod colours;
mod drawing;
mod png;
mod svg;
mod ticks;

use std::path::Path;

use td_kernel_examples::{Error, NewFile, Result};

use self::bins::Bins;
use self::colours::{UNDEFINED, colour};
use self::drawing::{Anchor, Drawing, Image, LETTER};
use crate::distances::Compared;
use crate::metric::Metric;
use crate::order::Order;
use crate::rows::Rows;

/// The least side of the square, in points.
const SIDE: usize = 600;
/// From the square to what is beside it.
const GAP: usize = 12;
/// The width of the legend's bar.
const BAR: usize = 24;
/// How many colours the legend's bar shows.
const SHADES: usize = 200;
/// The longest label that is written in full.
const LONGEST: usize = 20;

/// The kind of file that a picture is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Png,
    Svg,
}

impl Kind {
    /// The kind, by the end of the file's name.
    pub(crate) fn of(path: &Path) -> Result<Kind> {
        let ending = path.extension().and_then(|ending| ending.to_str());
        match ending.map(str::to_ascii_lowercase).as_deref() {
            Some("png") => Ok(Kind::Png),
            Some("svg") => Ok(Kind::Svg),
            _ => Err(Error::UnknownKind { path: path.into(), expected: ".png or .svg" }),
        }
    }
}

/// Refuses what cannot be drawn.
pub(crate) fn check(rows: &Rows, order: Order) -> Result<()> {
    if rows.count == 0 {
        return Err(Error::NothingToPlot);
    }
    match (order, &rows.labels) {
        (Order::Label, None) => Err(Error::NoLabels),
        _ => Ok(()),
    }
}

/// Draws the values of all pairs with the rows in some order.
pub(crate) fn write(
    file: &NewFile,
    kind: Kind,
    rows: &Rows,
    compared: &Compared,
    (metric, order): (Metric, Order),
) -> Result<()> {
    let places = order.of(rows)?;
    let bins = Bins::new(&compared.values, &compared.own, &places)?;
    let drawing = drawing(rows, &places, &bins, metric, order);
    file.write(|writer| {
        match kind {
            Kind::Png => png::write(&drawing, writer)?,
            Kind::Svg => svg::write(&drawing, writer)?,
        }
        Ok(())
    })
}

/// The picture.
fn drawing(rows: &Rows, places: &[usize], bins: &Bins, metric: Metric, order: Order) -> Drawing {
    // Whole points for each cell.
    let cell = SIDE.div_ceil(bins.side.max(1));
    let side = bins.side * cell;
    let ticks = match (order, &rows.labels) {
        (Order::Label, Some(labels)) => ticks::of_labels(labels, places),
        _ => ticks::of_numbers(rows.count),
    };
    let range = bins.range();
    let legend = ticks::of_values(range);
    let widest = |texts: &[(f64, String)]| {
        let lengths = texts.iter().map(|(_, text)| text.chars().count().min(LONGEST));
        lengths.max().unwrap_or(0) * LETTER.0
    };
    let left = 2 * GAP + LETTER.1 + widest(&ticks.names);
    let top = 2 * GAP + LETTER.1;
    let bar = left + side + 2 * GAP;
    let undefined = if bins.has_undefined { "undefined".len() * LETTER.0 } else { 0 };
    let right = bar + BAR + GAP + widest(&legend).max(undefined) + GAP;
    let title = format!("{metric}, {} rows of {} features", rows.count, rows.features);
    let width = right.max(left + title.chars().count() * LETTER.0 + GAP);
    let mut drawing = Drawing::new(width, top + side + 3 * GAP + 2 * LETTER.1);

    drawing.text(left, top - GAP, Anchor::Start, &title);
    let pixels = bins.cells.iter().map(|value| colour(*value, range)).collect();
    let columns = bins.side;
    drawing.images.push(Image { x: left, y: top, width: side, height: side, columns, pixels });
    let at = |share: f64| (share * side as f64).round() as usize;
    for &edge in &ticks.edges {
        let edge = at(edge);
        drawing.rectangle(left - GAP / 2, top + edge, GAP / 2, 1);
        drawing.rectangle(left + edge, top + side, 1, GAP / 2);
    }
    // Names that have no room beside those before them are left out.
    let (mut next_row, mut next_column) = (0, 0);
    for (place, name) in &ticks.names {
        let (place, name) = (at(*place), shortened(name));
        if place >= next_row {
            next_row = place + LETTER.1 + GAP / 2;
            let baseline = top + place + LETTER.1 / 2;
            drawing.text(left - GAP, baseline, Anchor::End, &name);
        }
        let half = name.chars().count() * LETTER.0 / 2;
        if place >= next_column + half || next_column == 0 {
            next_column = place + half + LETTER.0;
            drawing.text(left + place, top + side + GAP + LETTER.1, Anchor::Middle, &name);
        }
    }
    let what = match order {
        Order::Axis => "rows, along their first principal axis",
        Order::Label => "rows, by label",
        Order::None => "rows",
    };
    let baseline = top + side + 2 * GAP + 2 * LETTER.1;
    drawing.text(left + side / 2, baseline, Anchor::Middle, what);

    // The largest value on top.
    let shade = |at: usize| (SHADES - 1 - at) as f64 / (SHADES - 1) as f64;
    let value = |share: f64| range.map(|(low, high)| low + share * (high - low));
    let shades = (0..SHADES).map(|at| colour(value(shade(at)).unwrap_or(f64::NAN), range));
    let pixels = shades.collect();
    let height = if bins.has_undefined { side - LETTER.1 - 2 * GAP } else { side };
    drawing.images.push(Image { x: bar, y: top, width: BAR, height, columns: 1, pixels });
    for (share, name) in &legend {
        let place = top + ((1.0 - share) * height as f64).round() as usize;
        drawing.rectangle(bar + BAR, place, GAP / 2, 1);
        drawing.text(bar + BAR + GAP, place + LETTER.1 / 2, Anchor::Start, name);
    }
    if bins.has_undefined {
        let (y, pixels) = (top + side - LETTER.1, vec![UNDEFINED]);
        drawing.images.push(Image { x: bar, y, width: BAR, height: LETTER.1, columns: 1, pixels });
        drawing.text(bar + BAR + GAP, top + side, Anchor::Start, "undefined");
    }
    drawing
}

/// A name, cut off where it is long.
fn shortened(name: &str) -> String {
    if name.chars().count() <= LONGEST {
        return name.into();
    }
    name.chars().take(LONGEST - 2).chain("..".chars()).collect()
}

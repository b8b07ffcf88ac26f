//! A panel of lines over n, each with its name at its right end.

use super::canvas::{BLACK, Canvas, Colour, GREY, PALE, Place, Side};
use crate::Failure;

/// One line of a panel.
pub(crate) struct Line {
    pub(crate) name: String,
    pub(crate) colour: Colour,
    pub(crate) width: u32,
    /// x, and y with the lower and the upper end of its spread.
    pub(crate) points: Vec<(f64, [f64; 3])>,
}

/// A panel.
pub(crate) struct Panel {
    pub(crate) title: String,
    /// What the vertical axis says.
    pub(crate) unit: &'static str,
    pub(crate) lines: Vec<Line>,
    /// A value with a horizontal line of its own, and its name.
    pub(crate) mark: Option<(f64, &'static str)>,
}

/// The room of a panel, and around its axes.
pub(crate) const WIDTH: f64 = 620.0;
pub(crate) const HEIGHT: f64 = 330.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = 118.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = 40.0;

/// A line that ends before this share of the axis ends early.
const EARLY: f64 = 0.9;

/// Between two names.
const NAME_HEIGHT: f64 = 14.0;

/// How values become places.
struct Axes {
    corner: Place,
    most: (f64, f64),
}

impl Axes {
    fn place(&self, x: f64, y: f64) -> Place {
        let width = WIDTH - LEFT - RIGHT;
        let height = HEIGHT - TOP - BOTTOM;
        let y = y.clamp(0.0, self.most.1);
        (
            self.corner.0 + LEFT + width * x / self.most.0,
            self.corner.1 + TOP + height * (1.0 - y / self.most.1),
        )
    }
}

/// Draws panels side by side, so many in a row.
pub(crate) fn panels(
    draw: &Canvas<'_>,
    top: f64,
    columns: usize,
    panels: &[&Panel],
) -> Result<(), Failure> {
    for (number, panel) in panels.iter().enumerate() {
        let corner = ((number % columns) as f64 * WIDTH, top + (number / columns) as f64 * HEIGHT);
        panel.draw(draw, corner)?;
    }
    Ok(())
}

impl Panel {
    fn draw(&self, draw: &Canvas<'_>, corner: Place) -> Result<(), Failure> {
        let points = || self.lines.iter().flat_map(|line| &line.points);
        let most_x = points().map(|(x, _)| *x).fold(1.0, f64::max);
        // One noisy point must not flatten all lines: the axis ends with the medians.
        let most_y = points().map(|(_, [y, ..])| *y).chain(self.mark.map(|(y, _)| y));
        let most_y = 1.06 * most_y.fold(f64::MIN_POSITIVE, f64::max);
        let axes = Axes { corner, most: (most_x, most_y) };
        self.frame(draw, &axes)?;
        for line in &self.lines {
            let upper = line.points.iter().map(|(x, [_, _, high])| axes.place(*x, *high));
            let lower = line.points.iter().rev().map(|(x, [_, low, _])| axes.place(*x, *low));
            let around: Vec<Place> = upper.chain(lower).collect();
            if line.points.len() > 1 {
                draw.surface(&around, line.colour)?;
            }
            let middle: Vec<Place> =
                line.points.iter().map(|(x, [y, ..])| axes.place(*x, *y)).collect();
            draw.line(&middle, line.colour, line.width)?;
        }
        self.names(draw, &axes)
    }

    fn frame(&self, draw: &Canvas<'_>, axes: &Axes) -> Result<(), Failure> {
        let Axes { corner, most } = *axes;
        draw.text((corner.0 + LEFT, corner.1 + 14.0), Side::Left, 15.0, BLACK, &self.title)?;
        draw.text((corner.0 + LEFT, corner.1 + 32.0), Side::Left, 11.0, GREY, self.unit)?;
        for y in ticks(most.1, 5.0) {
            draw.line(&[axes.place(0.0, y), axes.place(most.0, y)], PALE, 1)?;
            let (x, height) = axes.place(0.0, y);
            draw.text((x - 6.0, height), Side::Right, 11.0, GREY, &short(y))?;
        }
        for x in ticks(most.0, 6.0) {
            let (place, bottom) = axes.place(x, 0.0);
            draw.line(&[(place, bottom), (place, bottom + 4.0)], GREY, 1)?;
            draw.text((place, bottom + 13.0), Side::Centre, 11.0, GREY, &thousands(x))?;
        }
        draw.line(&[axes.place(0.0, 0.0), axes.place(most.0, 0.0)], GREY, 1)?;
        let (x, bottom) = axes.place(most.0, 0.0);
        draw.text((x + 8.0, bottom + 13.0), Side::Left, 11.0, GREY, "n")?;
        if let Some((y, _)) = self.mark {
            draw.line(&[axes.place(0.0, y), axes.place(most.0, y)], BLACK, 1)?;
        }
        Ok(())
    }

    /// The names of the lines where these end, moved apart so that none covers another. A line that ends
    /// early, because its map does, has its name there.
    fn names(&self, draw: &Canvas<'_>, axes: &Axes) -> Result<(), Failure> {
        let (mut whole, mut early) = (Vec::new(), Vec::new());
        for line in &self.lines {
            let Some((x, [y, ..])) = line.points.last() else { continue };
            let (place, name) = (axes.place(*x, *y), line.name.as_str());
            if *x > EARLY * axes.most.0 {
                whole.push(Name { place, colour: line.colour, text: name.into() });
            } else {
                let text = format!("{name}, up to n = {}", thousands(*x));
                early.push(Name { place, colour: line.colour, text });
            }
        }
        if let Some((y, name)) = self.mark {
            let place = axes.place(axes.most.0, y);
            whole.push(Name { place, colour: BLACK, text: name.into() });
        }
        let right = axes.corner.0 + WIDTH - RIGHT + 14.0;
        let bottom = axes.corner.1 + HEIGHT - BOTTOM;
        write(draw, whole, right, 0.0, bottom)?;
        let furthest = early.iter().map(|name| name.place.0).fold(0.0, f64::max);
        // Below the lines that go on, where there is room.
        write(draw, early, furthest + 24.0, 40.0, bottom - NAME_HEIGHT)
    }
}

/// A line's name, and where the line ends.
struct Name {
    place: Place,
    colour: Colour,
    text: String,
}

/// Writes names under each other, so much lower than what they name, each with a thin line to it.
fn write(
    draw: &Canvas<'_>,
    mut names: Vec<Name>,
    left: f64,
    lower: f64,
    end: f64,
) -> Result<(), Failure> {
    names.sort_by(|a, b| a.place.1.total_cmp(&b.place.1));
    let wanted: Vec<f64> = names.iter().map(|name| name.place.1 + lower).collect();
    let heights = apart(&wanted, NAME_HEIGHT, end);
    for (Name { place, colour, text }, height) in names.iter().zip(heights) {
        draw.line(&[(place.0 + 1.0, place.1), (left - 3.0, height)], *colour, 1)?;
        draw.text((left, height), Side::Left, 12.0, *colour, text)?;
    }
    Ok(())
}

/// The heights, from above to below, with `least` between each two, as near to where they are wanted as a
/// push down, and one back up from the end, make them.
fn apart(wanted: &[f64], least: f64, end: f64) -> Vec<f64> {
    let mut heights = wanted.to_vec();
    // Groups that touch are spread around their middle.
    for _ in 0..200 {
        for k in 1..heights.len() {
            let short = least - (heights[k] - heights[k - 1]);
            if short > 0.0 {
                heights[k - 1] -= short / 2.0;
                heights[k] += short / 2.0;
            }
        }
        if let Some(last) = heights.last_mut() {
            *last = last.min(end);
        }
    }
    heights
}

/// Round values up to `most`, about so many.
fn ticks(most: f64, about: f64) -> Vec<f64> {
    let rough = most / about;
    let power = 10_f64.powi(rough.log10().floor() as i32);
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    let step = step.into_iter().find(|step| *step >= rough).unwrap_or(rough);
    (0..=(most / step) as usize).map(|count| count as f64 * step).collect()
}

/// A value on an axis.
fn short(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A number of elements.
fn thousands(value: f64) -> String {
    crate::words::thousands(value as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_cover_each_other() {
        let heights = apart(&[100.0, 100.0, 101.0, 300.0], 14.0, 300.0);
        assert!(heights.windows(2).all(|pair| pair[1] - pair[0] > 13.5), "{heights:?}");
        assert!((heights[3] - 300.0).abs() < 1e-9 && (heights[1] - 100.0).abs() < 2.0);
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(ticks(1.9, 5.0), [0.0, 0.5, 1.0, 1.5]);
        assert_eq!(ticks(30_720.0, 6.0), [0.0, 10_000.0, 20_000.0, 30_000.0]);
        assert_eq!(short(0.5), "0.5");
        assert_eq!(short(20.0), "20");
    }
}

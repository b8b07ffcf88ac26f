//! Bar charts as SVG.

use std::fmt::{Error, Write};

use anyhow::{Result, ensure};

const BLACK: &str = "#222222";
pub(crate) const GREY: &str = "#6e6e6e";
pub(crate) const BLUE: &str = "#1f64b4";

pub(crate) struct Bar {
    pub(crate) name: String,
    pub(crate) value: f64,
    /// The label after the bar.
    pub(crate) text: String,
    pub(crate) colour: &'static str,
}

/// Bars that are compared with each other.
pub(crate) struct Group {
    pub(crate) title: String,
    pub(crate) unit: &'static str,
    pub(crate) bars: Vec<Bar>,
    /// A value marked by a vertical line, and its name.
    pub(crate) mark: Option<(f64, &'static str)>,
    /// Whether the axis is logarithmic, for values that differ widely: bars then start at 1.
    pub(crate) multiplies: bool,
}

/// The width of a chart, where its bars start, and the width of the longest one.
const WIDTH: usize = 900;
const LEFT: usize = 286;
const LONGEST: f64 = 410.0;
/// The heights of a title with its unit, and of a bar with the gap to the next one.
const HEADING: usize = 64;
const BAR: usize = 26;

/// Groups one below the other, as SVG.
pub(crate) fn groups(all: &[Group]) -> Result<String> {
    ensure!(!all.is_empty(), "there are no times to compare\n to do: measure again");
    let (mut body, mut height) = (String::new(), 0);
    for group in all {
        height = group.draw(&mut body, height)?;
    }
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" \
         font-family=\"sans-serif\">\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#ffffff\"/>\n{body}</svg>\n"
    ))
}

/// A line of text, whose middle is at this height.
fn text(
    svg: &mut String,
    (x, y): (usize, usize),
    anchor: &str,
    (size, colour): (usize, &str),
    text: &str,
) -> Result<(), Error> {
    let (base, text) = (y + size / 3, text.replace('&', "&amp;").replace('<', "&lt;"));
    writeln!(
        svg,
        "<text x=\"{x}\" y=\"{base}\" text-anchor=\"{anchor}\" font-size=\"{size}\" fill=\"{colour}\">{text}</text>"
    )
}

impl Group {
    /// Adds the group below this height, and returns the height below it.
    fn draw(&self, svg: &mut String, above: usize) -> Result<usize, Error> {
        text(svg, (16, above + 16), "start", (12, BLACK), &self.title)?;
        text(svg, (16, above + 36), "start", (9, GREY), self.unit)?;
        let values = self.bars.iter().map(|bar| bar.value).chain(self.mark.map(|(value, _)| value));
        let most = values.fold(f64::MIN_POSITIVE, f64::max);
        let length = |value: f64| {
            let share = match self.multiplies {
                true => value.max(1.0).ln() / most.max(2.0).ln(),
                false => value / most,
            };
            (LONGEST * share).round() as usize
        };
        let top = above + HEADING;
        let mark = self.mark.map(|(value, name)| (length(value), name));
        for (number, bar) in self.bars.iter().enumerate() {
            let (y, end, colour) = (top + BAR * number, length(bar.value), bar.colour);
            text(svg, (LEFT - 5, y + 9), "end", (11, BLACK), &bar.name)?;
            writeln!(
                svg,
                "<rect x=\"{LEFT}\" y=\"{y}\" width=\"{end}\" height=\"18\" fill=\"{colour}\"/>"
            )?;
            // Never across the mark, which would be hard to read.
            let behind = LEFT + mark.map_or(end, |(x, _)| end.max(x)) + 6;
            text(svg, (behind, y + 9), "start", (10, colour), &bar.text)?;
        }
        let below = top + BAR * self.bars.len();
        if let Some((x, name)) = mark {
            let (x, from) = (LEFT + x, top - 4);
            writeln!(svg, "<path d=\"M{x} {from}V{below}\" stroke=\"{BLACK}\"/>")?;
            text(svg, (x, top - 11), "middle", (9, BLACK), name)?;
        }
        Ok(below + 6)
    }
}

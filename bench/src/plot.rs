//! Bar charts as SVG.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::Failure;

pub(crate) type Colour = RGBColor;

const BLACK: Colour = RGBColor(34, 34, 34);
pub(crate) const GREY: Colour = RGBColor(110, 110, 110);
pub(crate) const BLUE: Colour = RGBColor(31, 100, 180);
const FONT: &str = "sans-serif";

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// One bar.
pub(crate) struct Bar {
    pub(crate) name: String,
    pub(crate) value: f64,
    /// The label after the bar.
    pub(crate) text: String,
    pub(crate) colour: Colour,
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

/// The width of a chart; the fractions of it for names, for labels, and for the longest bar.
const WIDTH: u32 = 900;
const NAMES: f64 = 0.7;
const TEXTS: f64 = 0.5;
/// The heights of a title with its unit, and of a bar.
const HEADING: u32 = 70;
const BAR: u32 = 26;

/// The style of a line of text, centred vertically.
fn text(side: HPos, size: u32, colour: &Colour) -> TextStyle<'_> {
    TextStyle::from((FONT, size).into_font()).color(colour).pos(Pos::new(side, VPos::Center))
}

/// Groups one below the other, as SVG.
pub(crate) fn groups(all: &[Group]) -> Result<String, Failure> {
    if all.is_empty() {
        return Err("there are no times to compare\n to do: measure again".into());
    }
    let (mut svg, size) = (String::new(), (WIDTH, all.iter().map(Group::height).sum()));
    let mut area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
    area.fill(&WHITE)?;
    for group in all {
        let (place, rest) = area.split_vertically(group.height());
        group.draw(&place)?;
        area = rest;
    }
    drop(area);
    // Lines end with a newline, as in every other file of the repository.
    Ok(svg.trim_end().to_owned() + "\n")
}

impl Group {
    fn height(&self) -> u32 {
        HEADING + BAR * self.bars.len() as u32
    }

    fn draw(&self, area: &Area<'_>) -> Result<(), Failure> {
        area.draw(&Text::new(self.title.as_str(), (16, 16), text(HPos::Left, 15, &BLACK)))?;
        area.draw(&Text::new(self.unit, (16, 36), text(HPos::Left, 11, &GREY)))?;
        let values = self.bars.iter().map(|bar| bar.value).chain(self.mark.map(|(value, _)| value));
        let most = values.fold(f64::MIN_POSITIVE, f64::max);
        let share = |value: f64| match self.multiplies {
            true => value.max(1.0).ln() / most.max(2.0).ln(),
            false => value / most,
        };
        // The bars are at 0, 1, 2 and so on, from top to bottom.
        let chart = ChartBuilder::on(area)
            .margin_top(HEADING - 10)
            .margin_bottom(10)
            .build_cartesian_2d(-NAMES..1.0 + TEXTS, self.bars.len() as f64 - 0.5..-0.5)?;
        let chart = chart.plotting_area();
        for (number, bar) in self.bars.iter().enumerate() {
            let (y, end) = (number as f64, share(bar.value));
            chart.draw(&Text::new(bar.name.as_str(), (-0.01, y), text(HPos::Right, 13, &BLACK)))?;
            chart.draw(&Rectangle::new([(0.0, y - 0.35), (end, y + 0.35)], bar.colour.filled()))?;
            // Never across the mark, which would be hard to read.
            let behind = self.mark.map_or(end, |(value, _)| end.max(share(value)));
            chart.draw(&Text::new(
                bar.text.as_str(),
                (behind + 0.015, y),
                text(HPos::Left, 12, &bar.colour),
            ))?;
        }
        if let Some((value, name)) = self.mark {
            let (x, bottom) = (share(value), self.bars.len() as f64 - 0.5);
            chart.draw(&PathElement::new([(x, -0.5), (x, bottom)], BLACK))?;
            chart.draw(&Text::new(name, (x, -0.75), text(HPos::Center, 11, &BLACK)))?;
        }
        Ok(())
    }
}

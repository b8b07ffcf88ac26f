//! Plots, as the text of an SVG: lines over n with what they scatter, and bars that are compared.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::Failure;

pub(crate) type Colour = RGBColor;

const BLACK: Colour = RGBColor(34, 34, 34);
pub(crate) const GREY: Colour = RGBColor(110, 110, 110);
pub(crate) const BLUE: Colour = RGBColor(31, 100, 180);
/// The colours of lines.
pub(crate) const COLOURS: [Colour; 7] = [
    BLUE,
    RGBColor(214, 106, 0),
    RGBColor(30, 138, 62),
    RGBColor(132, 60, 160),
    RGBColor(0, 150, 170),
    RGBColor(216, 90, 150),
    RGBColor(140, 94, 60),
];

const FONT: &str = "sans-serif";

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// The text of an SVG of this size.
fn svg(
    size: (u32, u32),
    draw: impl FnOnce(Area<'_>) -> Result<(), Failure>,
) -> Result<String, Failure> {
    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
    let drawn = area.fill(&WHITE).map_err(Failure::from).and_then(|()| draw(area));
    drawn.map_err(|error| format!("cannot draw: {error}"))?;
    // Lines end with a newline, as in every other text of the repository.
    Ok(svg.trim_end().to_owned() + "\n")
}

/// One line of a panel.
pub(crate) struct Line {
    pub(crate) name: String,
    pub(crate) colour: Colour,
    pub(crate) points: Vec<(f64, f64)>,
}

/// Lines over n.
pub(crate) struct Panel {
    pub(crate) title: String,
    /// What the vertical axis says.
    pub(crate) unit: &'static str,
    pub(crate) lines: Vec<Line>,
}

const PANEL: (u32, u32) = (560, 340);
/// The width of what stands beside the lines.
const NAMES_OF_LINES: u32 = 80;

/// The panels side by side.
pub(crate) fn panels(all: &[Panel]) -> Result<String, Failure> {
    svg((PANEL.0 * all.len() as u32, PANEL.1), |area| {
        let places = area.split_evenly((1, all.len()));
        all.iter().zip(&places).try_for_each(|(panel, place)| panel.draw(place))
    })
}

impl Panel {
    fn draw(&self, area: &Area<'_>) -> Result<(), Failure> {
        let points = || self.lines.iter().flat_map(|line| &line.points);
        let most_x = points().map(|(x, _)| *x).fold(1.0, f64::max);
        let most_y = 1.06 * points().map(|(_, y)| *y).fold(1.0, f64::max);
        let (place, names) = area.split_horizontally(PANEL.0 - NAMES_OF_LINES);
        let mut chart = ChartBuilder::on(&place)
            .margin(12)
            .caption(&self.title, (FONT, 15))
            .x_label_area_size(34)
            .y_label_area_size(48)
            .build_cartesian_2d(0.0..most_x, 0.0..most_y)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(BLACK.mix(0.12))
            .axis_style(GREY)
            .label_style((FONT, 11))
            .x_labels(7)
            .x_label_formatter(&|x| format!("{x:.0}"))
            .y_label_formatter(&|y| ((y * 100.0).round() / 100.0).to_string())
            .x_desc("n")
            .y_desc(self.unit)
            .draw()?;
        for Line { colour, points, .. } in &self.lines {
            chart.draw_series([PathElement::new(points.clone(), colour.stroke_width(2))])?;
        }
        for (place, Line { name, colour, .. }) in self.lines.iter().enumerate() {
            let y = 48 + 18 * place as i32;
            names.draw(&PathElement::new([(0, y), (16, y)], colour.stroke_width(2)))?;
            names.draw(&Text::new(name.as_str(), (22, y), text(HPos::Left, 12, colour)))?;
        }
        Ok(())
    }
}

/// One bar.
pub(crate) struct Bar {
    pub(crate) name: String,
    pub(crate) value: f64,
    /// What stands behind the bar.
    pub(crate) text: String,
    pub(crate) colour: Colour,
}

/// Bars that are compared with each other.
pub(crate) struct Group {
    pub(crate) title: String,
    pub(crate) unit: &'static str,
    pub(crate) bars: Vec<Bar>,
    /// A value with a vertical line, and what it is.
    pub(crate) mark: Option<(f64, &'static str)>,
    /// Whether a step to the right multiplies, for values that are far apart: bars then start at 1.
    pub(crate) multiplies: bool,
}

/// The width of a plot of bars; the shares of it that names and texts take, of that of the longest bar.
const WIDTH: u32 = 900;
const NAMES: f64 = 0.6;
const TEXTS: f64 = 0.5;
/// The heights of a title with its unit, and of a bar.
const HEADING: u32 = 70;
const BAR: u32 = 26;

/// A line of text, whose middle is as high as its place.
fn text(side: HPos, size: u32, colour: &Colour) -> TextStyle<'_> {
    TextStyle::from((FONT, size).into_font()).color(colour).pos(Pos::new(side, VPos::Center))
}

/// Groups under each other.
pub(crate) fn groups(all: &[Group]) -> Result<String, Failure> {
    if all.is_empty() {
        return Err("there are no times to compare\n to do: measure again".into());
    }
    svg((WIDTH, all.iter().map(Group::height).sum()), |mut area| {
        for group in all {
            let (place, rest) = area.split_vertically(group.height());
            group.draw(&place)?;
            area = rest;
        }
        Ok(())
    })
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
        // The bars are from above to below at 0, 1, 2 and so on.
        let chart = ChartBuilder::on(area)
            .margin_top(HEADING - 10)
            .margin_bottom(10)
            .build_cartesian_2d(-NAMES..1.0 + TEXTS, self.bars.len() as f64 - 0.5..-0.5)?;
        let chart = chart.plotting_area();
        for (number, bar) in self.bars.iter().enumerate() {
            let (y, end) = (number as f64, share(bar.value));
            chart.draw(&Text::new(bar.name.as_str(), (-0.01, y), text(HPos::Right, 13, &BLACK)))?;
            chart.draw(&Rectangle::new([(0.0, y - 0.35), (end, y + 0.35)], bar.colour.filled()))?;
            // Never across the mark, which would make it hard to read.
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

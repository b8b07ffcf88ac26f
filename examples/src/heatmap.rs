//! Pictures, and the values of all pairs as one.

use crate::{Output, Result};
use base64ct::{Base64, Encoding};
use plotters::coord::Shift;
use plotters::prelude::*;

/// The side of the square with its axes, the width of the legend, and the space for its labels, in pixels.
const SQUARE: u32 = 680;
const LEGEND: u32 = 110;
const LABELS: u32 = 45;
const FONT: (&str, u32) = ("sans-serif", 18);
/// Larger matrices are averaged to this many cells per side.
const MOST_CELLS: usize = 500;

/// The values of all pairs of elements as a square of colours. With many elements, a cell is the mean of several pairs.
#[derive(Debug)]
pub struct Heatmap {
    file: Output,
    elements: usize,
    side: usize,
    /// The sum and the number of the values of each cell.
    cells: Vec<(f64, f64)>,
}

impl Heatmap {
    /// Without values, for this file.
    pub fn new(file: Output, elements: usize) -> Heatmap {
        let side = elements.min(MOST_CELLS);
        Heatmap { file, elements, side, cells: vec![(0.0, 0.0); side * side] }
    }

    /// Adds the value of a pair i >= j.
    pub fn add(&mut self, i: usize, j: usize, value: f32) {
        let cell = |element: usize| element * self.side / self.elements;
        let (sum, count) = &mut self.cells[cell(i) * self.side + cell(j)];
        (*sum, *count) = (*sum + f64::from(value), *count + 1.0);
    }

    /// Draws it as SVG, with the label of both axes and the value of an element with itself. Cells with a NaN are white.
    pub fn draw(mut self, title: &str, label: &str, own: f32) -> Result<()> {
        let (n, side) = (self.elements, self.side);
        (0..n).for_each(|element| self.add(element, element, own));
        let mean = |at: usize| {
            let (row, column) = (at / side, at % side);
            let (sum, count) = self.cells[row.max(column) * side + row.min(column)];
            (sum / count) as f32
        };
        let cells: Vec<f32> = (0..side * side).map(mean).collect();
        let low = cells.iter().copied().fold(f32::INFINITY, f32::min);
        let high = cells.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        // A nonempty range for the legend, even for a single value.
        let (low, high) = if low < high { (low, high) } else { (low.min(0.0), high.max(1.0)) };
        let colour = |value: f32| match value.is_nan() {
            true => WHITE,
            false => ViridisRGB.get_color_normalized(value, low, high),
        };
        let pixels = cells.iter().flat_map(|&value| <[u8; 3]>::from(colour(value).rgb()));
        let (mut image, width) = (Vec::new(), u32::try_from(side)?);
        let mut encoder = png::Encoder::new(&mut image, width, width);
        encoder.set_color(png::ColorType::Rgb);
        encoder.write_header()?.write_image_data(&pixels.collect::<Vec<u8>>())?;
        let image = Base64::encode_string(&image);
        let means = if side < n { &format!(", means in {side} x {side} cells") } else { "" };

        self.file.svg((SQUARE + LEGEND, SQUARE), |root| {
        let (square, legend) = root.split_horizontally(SQUARE);
        let mut chart = ChartBuilder::on(&square)
            .caption(format!("{title}{means}"), FONT)
            .margin(10)
            .x_label_area_size(LABELS)
            .y_label_area_size(LABELS)
            .build_cartesian_2d(0.0..n as f64, n as f64..0.0)?;
        let number = |at: &f64| format!("{at:.0}");
        let mut mesh = chart.configure_mesh();
        mesh.disable_mesh().x_desc(label).y_desc(label).label_style(FONT);
        mesh.x_label_formatter(&number).y_label_formatter(&number).draw()?;
        let (x, y) = chart.plotting_area().get_pixel_range();
        let mut bar = ChartBuilder::on(&legend)
            .margin_top(y.start)
            .margin_bottom(SQUARE as i32 - y.end)
            .right_y_label_area_size(LEGEND * 2 / 3)
            .build_cartesian_2d(0.0_f32..1.0, low..high)?;
        bar.configure_mesh().disable_mesh().disable_x_axis().label_style(FONT).draw()?;
        let at = |step: u8| low + (high - low) * f32::from(step) / 100.0;
        bar.draw_series((0..100).map(|step| {
            let corners = [(0.0, at(step)), (1.0, at(step + 1))];
            Rectangle::new(corners, colour(at(step)).filled())
        }))?;

            // plotters can embed images, too, but with a library that takes long to build.
            let (left, top, width, height) = (x.start, y.start, x.end - x.start, y.end - y.start);
            Ok(format!(
                "<image x='{left}' y='{top}' width='{width}' height='{height}' preserveAspectRatio='none' \
                 style='image-rendering:pixelated' href='data:image/png;base64,{image}'/>\n"
            ))
        })
    }
}

impl Output {
    /// Draws a picture of this size in pixels on white, and finishes the file. The elements that `draw` returns are on top.
    pub fn svg(
        self,
        size: (u32, u32),
        draw: impl FnOnce(&DrawingArea<SVGBackend<'_>, Shift>) -> Result<String>,
    ) -> Result<()> {
        let mut svg = String::new();
        let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        root.fill(&WHITE)?;
        let on_top = draw(&root)?;
        root.present()?;
        drop(root);
        let svg = svg.replace("</svg>", &format!("{on_top}</svg>"));
        self.write(svg.as_bytes())?;
        self.finish()
    }
}

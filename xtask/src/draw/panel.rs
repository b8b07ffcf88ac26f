//! One part of a picture: a heading, and numbered cells below it.

use std::collections::BTreeMap;

/// The top of the cells, below the top of the panel.
const HEADING: u32 = 24;
/// The cells of a triangle or of a grid.
pub(super) struct Panel {
    heading: String,
    columns: u32,
    rows: u32,
    cells: Vec<Cell>,
}

/// A cell with the number of a block.
pub(super) struct Cell {
    pub(super) column: u32,
    pub(super) row: u32,
    pub(super) number: usize,
    /// The colour; `None` for a surplus block.
    pub(super) tint: Option<String>,
}

impl Panel {
    /// A panel of `columns` by `rows`, with some of its cells.
    pub(super) fn new(heading: String, [columns, rows]: [u32; 2], cells: Vec<Cell>) -> Self {
        Self { heading, columns, rows, cells }
    }

    pub(super) fn columns(&self) -> u32 {
        self.columns
    }

    /// The height with cells of this size.
    pub(super) fn height(&self, size: u32) -> u32 {
        HEADING + self.rows * size
    }

    /// The SVG of the panel, with the upper left corner at (x, y).
    pub(super) fn draw(&self, [x, y]: [u32; 2], size: u32) -> String {
        let mut text = format!("<g transform=\"translate({x} {y})\">\n");
        text += &format!("<text y=\"12\" font-size=\"13\">{}</text>\n", self.heading);
        text += &self.squares(size);
        text += &self.crosses(size);
        text += &self.numbers(size);
        text + "</g>\n"
    }

    /// The filled cells, grouped by colour.
    fn squares(&self, size: u32) -> String {
        let mut paths: BTreeMap<&str, String> = BTreeMap::new();
        for cell in &self.cells {
            let (left, top) = (cell.column * size, HEADING + cell.row * size);
            let path = paths.entry(cell.tint.as_deref().unwrap_or("#eef0f2")).or_default();
            *path += &format!("M{left} {top}h{size}v{size}h-{size}z");
        }
        let mut text = String::from("<g stroke=\"#fff\">\n");
        for (colour, path) in paths {
            text += &format!("<path fill=\"{colour}\" d=\"{path}\"/>\n");
        }
        text + "</g>\n"
    }

    /// A cross on each surplus block.
    fn crosses(&self, size: u32) -> String {
        let mut path = String::new();
        for cell in self.cells.iter().filter(|cell| cell.tint.is_none()) {
            let (left, top) = (cell.column * size + 1, HEADING + cell.row * size + 1);
            let side = size - 2;
            path += &format!("M{left} {top}l{side} {side}m-{side} 0l{side}-{side}");
        }
        if path.is_empty() {
            return path;
        }
        format!("<path d=\"{path}\" fill=\"none\" stroke=\"#cdd3da\"/>\n")
    }

    fn numbers(&self, size: u32) -> String {
        let last = self.cells.iter().map(|cell| cell.number).max().unwrap_or(0);
        let digits = last.to_string().len() as u32;
        // In a wide font, a digit is 0.64 times as wide as the font is high.
        let font = ((size - 1) * 100 / (64 * digits)).min(size * 11 / 20).min(13);
        let mut text = format!("<g text-anchor=\"middle\" font-size=\"{font}\">\n");
        let mut rows: BTreeMap<u32, String> = BTreeMap::new();
        for cell in &self.cells {
            let middle = cell.column * size + size / 2;
            let muted = if cell.tint.is_none() { " fill=\"#59636e\"" } else { "" };
            let row = rows.entry(cell.row).or_default();
            *row += &format!("<tspan x=\"{middle}\"{muted}>{}</tspan>", cell.number);
        }
        for (row, numbers) in rows {
            let base = HEADING + row * size + (size * 10 + font * 7) / 20;
            text += &format!("<text y=\"{base}\">{numbers}</text>\n");
        }
        text + "</g>\n"
    }
}

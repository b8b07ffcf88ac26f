//! One part of a picture: a heading, and numbered cells below it.

use std::collections::BTreeMap;

use td_kernel_geometry::Grid;

/// The top of the cells, below the top of the panel.
const HEADING: u32 = 24;
/// The distance between the rows of a wrapped line: without it, they would look like a grid.
const WRAP_GAP: u32 = 12;
/// How far a wrapped line's connection extends at both sides.
const WRAP_SIDE: u32 = 8;
/// The longest line of cells that is not wrapped.
const LONGEST_LINE: u32 = 13;

/// The cells of a triangle or of a grid.
pub(super) struct Panel {
    heading: String,
    columns: u32,
    rows: u32,
    wrapped: bool,
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
        Self { heading, columns, rows, wrapped: false, cells }
    }

    /// A panel for a grid, from all of its cells. A long line is wrapped, so that its cells are not smaller than the
    /// triangle's.
    pub(super) fn of_grid(label: &str, grid: Grid, mut cells: Vec<Cell>) -> Self {
        let (x, y) = (grid.x as u32, grid.y as u32);
        let heading = format!("{label}: {x} × {y}");
        if y > 1 || x <= LONGEST_LINE {
            return Self::new(heading, [x, y], cells);
        }
        let rows = x.div_ceil(LONGEST_LINE);
        let columns = x.div_ceil(rows);
        for cell in &mut cells {
            (cell.column, cell.row) = (cell.column % columns, cell.column / columns);
        }
        let heading = heading + ", one line, wrapped";
        Self { heading, columns, rows, wrapped: true, cells }
    }

    pub(super) fn columns(&self) -> u32 {
        self.columns
    }

    /// The height with cells of this size.
    pub(super) fn height(&self, size: u32) -> u32 {
        self.top(self.rows - 1, size) + size
    }

    /// The SVG of the panel, with the upper left corner at (x, y).
    pub(super) fn draw(&self, [x, y]: [u32; 2], size: u32) -> String {
        let mut text = format!("<g transform=\"translate({x} {y})\">\n");
        text += &format!("<text y=\"12\" font-size=\"13\">{}</text>\n", self.heading);
        text += &self.connections(size);
        text += &self.squares(size);
        text += &self.crosses(size);
        text += &self.numbers(size);
        text + "</g>\n"
    }

    fn top(&self, row: u32, size: u32) -> u32 {
        HEADING + row * (size + if self.wrapped { WRAP_GAP } else { 0 })
    }

    /// The line from the end of a wrapped row to the start of the next one.
    fn connections(&self, size: u32) -> String {
        if !self.wrapped {
            return String::new();
        }
        let mut path = String::new();
        for row in 1..self.rows {
            let (from, to) = (self.top(row - 1, size) + size / 2, self.top(row, size) + size / 2);
            let between = self.top(row, size) - WRAP_GAP / 2;
            let end = self.columns * size;
            let (right, left) = (end + WRAP_SIDE, WRAP_SIDE);
            path += &format!("M{end} {from}H{right}V{between}H-{left}V{to}H0");
        }
        format!("<path d=\"{path}\" fill=\"none\" stroke=\"#afb8c1\"/>\n")
    }

    /// The filled cells, grouped by colour.
    fn squares(&self, size: u32) -> String {
        let mut paths: BTreeMap<&str, String> = BTreeMap::new();
        for cell in &self.cells {
            let (left, top) = (cell.column * size, self.top(cell.row, size));
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
            let (left, top) = (cell.column * size + 1, self.top(cell.row, size) + 1);
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
            let base = self.top(row, size) + (size * 10 + font * 7) / 20;
            text += &format!("<text y=\"{base}\">{numbers}</text>\n");
        }
        text + "</g>\n"
    }
}

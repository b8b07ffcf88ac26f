//! The whole picture: the triangle or the rectangle, the launch grids beside it, and the labels.

use td_kernel_geometry::Grid;

use super::panel::{Cell, Panel};
use super::plan::{Block, Plan};

/// The width at which a web page shows the picture.
const WIDTH: u32 = 700;
const MARGIN: u32 = 20;
/// The gaps between the triangle and the grids, and between one grid and the next below it.
const GAP: [u32; 2] = [36, 20];
/// The top of the drawings, below the caption.
const TOP: u32 = 52;
/// The largest side of a cell.
const LARGEST_CELL: u32 = 30;
/// The longest row of a grid that is drawn as one line, and the blocks below each other if it is longer: a grid's cells are then not
/// smaller than the triangle's.
const LONGEST_LINE: u64 = 13;
const HIGH: u32 = 8;

/// Light tints, on which dark numbers are legible, and which are distinct with every kind of colour blindness, also when
/// adjacent. A picture with more launches repeats them.
const TINTS: [[usize; 3]; 4] =
    [[0xb3, 0xdc, 0xf7], [0xf0, 0xa3, 0x5e], [0xfb, 0xeb, 0x9a], [0x9f, 0x8f, 0xd0]];
/// The first and the last tint of a single launch, whose later blocks are darker.
const RAMP: [[usize; 3]; 2] = [[0xe0, 0xef, 0xfc], [0x6f, 0xb1, 0xe6]];
/// The number of tints of a ramp. Cells of one tint share an element of the file.
const STEPS: usize = 12;

/// The SVG of the picture.
pub(super) fn draw(plan: &Plan) -> String {
    let (triangle, grids) = panels(plan);
    let widest = grids.iter().map(Panel::columns).max();
    let (columns, gap) = widest.map_or((0, 0), |columns| (columns, GAP[0]));
    let room = WIDTH - 2 * MARGIN - gap;
    let size = (room / (triangle.columns() + columns)).min(LARGEST_CELL);

    let mut body = triangle.draw([MARGIN, TOP], size);
    let left = MARGIN + triangle.columns() * size + gap;
    let mut top = TOP;
    for grid in &grids {
        body += &grid.draw([left, top], size);
        top += grid.height(size) + GAP[1];
    }
    let bottom = (TOP + triangle.height(size)).max(top.saturating_sub(GAP[1]));
    let (note, caption) = (bottom + 28, plan.caption());
    let height = note + 16;
    // The picture has its own light background, since the page around it may be dark.
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
         viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" font-family=\"sans-serif\" fill=\"#1f2328\">\n\
         <title>{caption}</title>\n\
         <rect x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"8\" fill=\"#fff\" stroke=\"#d0d7de\"/>\n\
         <text x=\"{MARGIN}\" y=\"32\" font-size=\"15\" font-weight=\"bold\">{caption}</text>\n\
         {body}\
         <text x=\"{MARGIN}\" y=\"{note}\" font-size=\"12\" fill=\"#59636e\">{}</text>\n\
         </svg>\n",
        WIDTH - 1,
        height - 1,
        note_of(plan),
    )
}

/// The triangle or the rectangle, and the grids that are drawn separately.
fn panels(plan: &Plan) -> (Panel, Vec<Panel>) {
    let rows = plan.shape.rows;
    let mut cells = Vec::new();
    for (number, block) in plan.blocks.iter().enumerate() {
        let tint = Some(tint_of(plan, number, block));
        cells.extend(block.tiles.iter().map(|tile| Cell {
            column: tile.col,
            row: tile.row,
            number,
            tint: tint.clone(),
        }));
    }
    if plan.is_square() {
        let spare = places(plan, 0).filter(|cell| cell.tint.is_none());
        cells.extend(spare);
        let heading = match plan.shape.columns {
            Some(columns) => format!("grid: {columns} × {rows}, which is the rectangle"),
            None => format!("grid: {rows} × {rows}, its lower half is the triangle"),
        };
        return (Panel::new(heading, [plan.columns(), rows], cells), Vec::new());
    }
    let area = if plan.shape.columns.is_some() { "rectangle" } else { "triangle" };
    let launches = plan.grids.len();
    let grids = plan.grids.iter().enumerate().map(|(launch, &grid)| {
        let label = match launches {
            1 => "grid".to_owned(),
            _ => format!("grid of launch {} of {launches}", launch + 1),
        };
        panel_of(&label, grid, places(plan, launch))
    });
    (
        Panel::new(format!("{area}: rows down, columns right"), [plan.columns(), rows], cells),
        grids.collect(),
    )
}

/// A grid. Its rows are drawn several blocks high, column by column, if they are long and few.
fn panel_of(label: &str, grid: Grid, places: impl Iterator<Item = Cell>) -> Panel {
    let heading = format!("{label}: {} × {}", grid.x, grid.y);
    let [x, y] = [grid.x, grid.y].map(|side| side as u32);
    if grid.x <= LONGEST_LINE.max(u64::from(HIGH) * grid.y) {
        return Panel::new(heading, [x, y], places.collect());
    }
    let cells = places.map(|cell| Cell {
        column: cell.column / HIGH,
        row: cell.row * HIGH + cell.column % HIGH,
        ..cell
    });
    let heading = format!("{heading}, of each row {HIGH} blocks below each other");
    Panel::new(heading, [x.div_ceil(HIGH), y * HIGH], cells.collect())
}

/// The cells of a launch's grid.
fn places<'a>(plan: &'a Plan, launch: usize) -> impl Iterator<Item = Cell> + 'a {
    let blocks = plan.blocks.iter().enumerate();
    blocks.filter(move |(_, block)| block.launch == launch).map(|(number, block)| Cell {
        column: block.x as u32,
        row: block.y as u32,
        number,
        tint: (!block.tiles.is_empty()).then(|| tint_of(plan, number, block)),
    })
}

fn tint_of(plan: &Plan, number: usize, block: &Block) -> String {
    let [red, green, blue] = if plan.walks() {
        TINTS[number % TINTS.len()]
    } else if plan.grids.len() > 1 {
        TINTS[block.launch % TINTS.len()]
    } else {
        let step = number * STEPS / plan.blocks.len();
        let [from, to] = RAMP;
        [0, 1, 2].map(|part| (from[part] * (STEPS - 1 - step) + to[part] * step) / (STEPS - 1))
    };
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// The legend of the numbers and colours.
fn note_of(plan: &Plan) -> String {
    let mut note = String::from("Numbers: the blocks, in the order in which they start. Colours: ");
    note += if plan.walks() {
        "one for each block."
    } else if plan.grids.len() > 1 {
        "one for each launch."
    } else {
        "darker starts later."
    };
    if plan.spare() > 0 {
        note += " Crossed: spare blocks.";
    }
    note
}

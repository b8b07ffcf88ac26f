//! The upper-triangular map of Avril, Gouranton and Arnaldi.
//!
//! They number the upper triangle by rows, which are the columns of the lower triangle, and solve for the column a of unit λ:
//!
//! ```text
//! a = floor((2 rows + 1 - sqrt((2 rows + 1)² - 8λ)) / 2)        b = λ - a (2 rows - a + 1) / 2 + a
//! ```
//!
//! Unit λ is tile (b, a). Near the end the root subtracts nearly equal numbers, and a float has few digits left. Counted
//! backwards, λ' = T(rows) - 1 - λ, the columns are the rows of the lower-triangular map: column `rows - 1 - r` is row r. So
//! one root, [`Root`](crate::Root), serves both maps, with the same [exact ranges](crate::root) as `ltm`. The order of the
//! units is that of the papers.
//!
//! The grid is a line of exactly T(rows) units: up to 65,535 rows in block space. It has no ranges of rows: counted along the
//! columns, a range's units are a part of each column, so they do not have consecutive λ.
//!
//! Source: Q. Avril, V. Gouranton, B. Arnaldi, "Fast collision culling in large-scale environments
//! using GPU mapping function", 2012.
//!
#![doc = include_str!("../pictures/utm-8.svg")]

use crate::map::{About, Sealed};
use crate::{Form, Launch, Map, Prologue, Shape, Space, Tile, triangle};

/// The upper-triangular map.
///
/// ```
/// use td_kernel_geometry::{Grid, Map, Shape, Utm};
///
/// // A line with exactly as many blocks as the triangle has.
/// let launches = Utm.launches(&Shape::blocks(8));
/// assert_eq!(launches[0].grid, Grid::new(36, 1));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Utm;

impl Sealed for Utm {
    fn about(&self) -> About {
        About {
            takes_root: true,
            has_thread_space: true,
            ..About::new("utm", "the upper-triangular map, counted along columns", "for comparison")
        }
    }
}

impl Map for Utm {
    fn launches(&self, shape: &Shape) -> Vec<Launch> {
        Launch::line(triangle(shape.rows))
    }

    fn tiles(&self, shape: &Shape, _: &Launch, [x, _]: [u64; 2], each: &mut dyn FnMut(Tile)) {
        if x >= triangle(shape.rows) {
            return;
        }
        let lambda = triangle(shape.rows) - 1 - x;
        let back = shape.root.row(lambda);
        let last = shape.rows - 1;
        each(Tile {
            row: last.wrapping_sub(lambda.wrapping_sub(triangle(back)) as u32),
            col: last.wrapping_sub(back),
        });
    }

    fn prologue(&self, form: &Form) -> Prologue {
        let index = form.root.index();
        let cast = form.root.cast();
        let back = form.root.call("lambda");
        let rows = form.rows();
        let open = match form.space {
            Space::Block => format!(
                "    // utm: blocks run along the columns. In reverse order, these are the rows of a triangle.
    const unsigned int tiles = {rows};
    const {index} lambda = gridDim.x - 1 - blockIdx.x;
    const unsigned int back = {back};
    const unsigned int tile_i = tiles - 1 - (lambda - {cast}back * (back + 1) / 2);
    const unsigned int tile_j = tiles - 1 - back;
"
            ),
            Space::Thread => format!(
                "    // utm: pairs run along the columns. In reverse order, these are the rows of a triangle.
    const unsigned int rows = {rows};
    const {index} pairs = {cast}rows * (rows + 1) / 2;
    const {index} pair = {};
    const {index} lambda = pairs - 1 - pair;
    const unsigned int back = {back};
    const unsigned int row = pair < pairs ? rows - 1 - (lambda - {cast}back * (back + 1) / 2) : rows;
    const unsigned int col = rows - 1 - back;
",
                form.thread()
            ),
        };
        Prologue::straight(vec![form.root.helper()], open)
    }
}

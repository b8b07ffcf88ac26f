//! The lower-triangular map g(λ) of Navarro and Hitschfeld.
//!
//! Number the units of the triangle by rows: 0; 1, 2; 3, 4, 5; … Row r starts at unit T(r) = r (r + 1) / 2, so unit λ lies in
//! the row r with T(r) <= λ < T(r + 1). The positive root of r² + r - 2λ = 0 gives
//!
//! ```text
//! row = floor(sqrt(1/4 + 2λ) - 1/2)        col = λ - T(row)
//! ```
//!
//! [`Root`](crate::Root) computes the root. Its [exact ranges](crate::root) are limited: with ε = 1e-4 on an H200, `sqrt` is
//! right up to row 4606 and in all but the last block of 4607, `newton` up to row 1948, `rsqrt` up to row 2054, `exact` always.
//! That page has the command to repeat this.
//!
//! Block space has two grids. The papers' *balanced* grid has n' x n' blocks with n' = ceil(sqrt(T(rows))), and λ = x + y n'.
//! Its last, incomplete grid row is not launched. The fewer than n' surplus blocks compute a row past the last one, because λ
//! >= T(rows), and return. The *linear* grid has T(rows) blocks and no surplus, up to 65,535 rows. From there on the balanced
//! grid is wider than high; it ends at 16,777,087 rows.
//!
//! A range of rows is a range of λ, from T(first) on; its grids are as large as its own units need.
//!
//! In thread space λ is a thread, along a line of blocks. The pairs i > j of n elements are the triangle of n - 1 rows with its
//! diagonal, one row down, so i = row + 1 and j = col. This is the papers' formula for a triangle without its diagonal: i =
//! floor(sqrt(1/4 + 2λ) + 1/2), j = λ - i (i - 1) / 2. The line of blocks ends at n = 1,048,576 for ρ = 16.
//!
#![doc = include_str!("../pictures/ltm-8.svg")]

use crate::map::{About, Sealed};
use crate::{Form, Grid, Launch, MAX_GRID_Y, Map, Prologue, Shape, Space, Tile, triangle};

/// The lower-triangular map.
///
/// ```
/// use td_kernel_geometry::{Grid, Ltm, Map, Shape};
///
/// // Nearly a square, with about as many blocks as the triangle has.
/// let launches = Ltm.launches(&Shape::blocks(8));
/// assert_eq!(launches[0].grid, Grid::new(6, 6));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Ltm;

impl Sealed for Ltm {
    fn about(&self) -> About {
        About {
            takes_root: true,
            has_thread_space: true,
            has_linear_grid: true,
            has_row_ranges: true,
            ..About::new(
                "ltm",
                "the lower-triangular map",
                "in most cases: with the exact root it is correct at every size",
            )
        }
    }
}

impl Map for Ltm {
    fn launches(&self, shape: &Shape) -> Vec<Launch> {
        let units = shape.units();
        if units == 0 {
            return Vec::new();
        }
        if shape.linear {
            return vec![Launch::of(Grid::line(units))];
        }
        let below = units.isqrt();
        let side = if below * below == units { below } else { below + 1 };
        let x = side.max(units.div_ceil(MAX_GRID_Y));
        vec![Launch::of(Grid { x, y: units.div_ceil(x) })]
    }

    fn tiles(&self, shape: &Shape, launch: &Launch, [x, y]: [u64; 2], each: &mut dyn FnMut(Tile)) {
        let lambda = triangle(shape.first) + y * launch.grid.x + x;
        let row = shape.root.row(lambda);
        if row < shape.rows {
            each(Tile { row, col: lambda.wrapping_sub(triangle(row)) as u32 });
        }
    }

    fn prologue(&self, form: &Form) -> Prologue {
        let index = form.root.index();
        let cast = form.root.cast();
        let row = form.root.call("lambda");
        let (begin, skipped) = match form.skipped(cast) {
            None => Default::default(),
            Some([begin, skipped]) => (begin, format!("{skipped} + ")),
        };
        let end = form.domain.end();
        let [i, j] = form.unit();
        let indices = format!(
            "    const unsigned int {i} = {row};
    const unsigned int {j} = lambda - {cast}{i} * ({i} + 1) / 2;
"
        );
        let open = match (form.space, form.linear) {
            (Space::Thread, _) => format!(
                "    // ltm: pair lambda, counted along the rows of the triangle.
    const {index} lambda = {};
{indices}",
                form.thread()
            ),
            (Space::Block, true) => format!(
                "    // ltm: block lambda, counted along the rows of the triangle.
{begin}    const {index} lambda = {skipped}blockIdx.x;
{indices}"
            ),
            (Space::Block, false) => format!(
                "    // ltm: block lambda, counted along the rows of the triangle.
{begin}    const {index} lambda = {skipped}{cast}blockIdx.y * gridDim.x + blockIdx.x;
{indices}    if ({i} * TILE >= {end})
        return; // a surplus block, because the grid is rounded up
"
            ),
        };
        Prologue::straight(vec![form.root.helper()], open)
    }
}

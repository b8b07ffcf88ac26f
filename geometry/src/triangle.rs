//! The number of units.

/// The number of units in a triangle of `rows` rows, with its diagonal: `rows (rows + 1) / 2`.
///
/// ```
/// assert_eq!(td_kernel_geometry::triangle(4), 10);
/// ```
pub const fn triangle(rows: u32) -> u64 {
    rows as u64 * (rows as u64 + 1) / 2
}

//! Pairs of two sets.

use td_kernel_tests::rows;

use super::{cuda, text};

const CROSS: &str = r##"
unsafe fn cross(#[row] query: &[[f32; 3]], #[column] data: &[[f32; 3]], distance: &mut Matrix<f32>) {
    r#"
    float dx = query.x - data.x, dy = query.y - data.y, dz = query.z - data.z;
    distance = sqrtf(dx * dx + dy * dy + dz * dz);
    "#
}
"##;

/// Pairs of two sets.
#[test]
fn rectangles() {
    cuda("rectangle_rows", "", CROSS);
    cuda("rectangle_classic", "sweep = \"classic\"", CROSS);
    let count = r##"unsafe fn count(#[row] query: &[f32], #[column] data: &[[f32; 2]], near: &mut Sum<u64>) { r#" if (fabsf(query - data.x) < data.y) near += 1; "# }"##;
    cuda("rectangle_columns", "", count);
    let list = r##"unsafe fn list(#[row] query: &[f32], #[column] data: &[f32], limit: f32, near: &mut Pairs) { r#" if (fabsf(query - data) < limit) near.push(); "# }"##;
    cuda("rectangle_list", "tile = 64", list);
    let indices = r##"unsafe fn index(#[column] weight: &[u8], out: &mut Matrix<u8>, total: &mut Sum<u32>) { r#" out = weight + i; total += rows * columns; "# }"##;
    cuda("rectangle_bytes", "", indices);
    text("rectangle_range_rows", &rows("", CROSS).unwrap());
    text("rectangle_range_columns", &rows("", count).unwrap());
}

#[test]
fn results_of_two_sets() {
    let nearest = r##"unsafe fn nearest(#[row] query: &[[f32; 2]], #[column] point: &[[f32; 2]], #[row] near: &mut Min<(f32, u32)>) { r#" near.offer(hypotf(query.x - point.x, query.y - point.y)); "# }"##;
    cuda("rectangle_nearest", "", nearest);
    let degrees = r##"unsafe fn degrees(#[row] a: &[f32], #[column] b: &[f32], #[row] of_row: &mut Sum<u32>, #[column] of_column: &mut Sum<u32>) { r#" if (a < b) { of_row += 1; of_column += 1; } "# }"##;
    cuda("rectangle_degrees", "tile = 32", degrees);
}

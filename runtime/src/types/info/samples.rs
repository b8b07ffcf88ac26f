//! Kernels that tests load but never launch.

use td_kernel_geometry::{Root, Space, Sweep, Tiling};

use super::{KernelInfo, Loops, Refused, Source, Variant};

/// A kernel over a triangle, with packed slots.
pub(crate) static EDM: KernelInfo = kernel("edm", "edm_kernel", &TEXTS_OF_EDM);

/// A kernel over a rectangle, with a matrix.
pub(crate) static CROSS: KernelInfo =
    KernelInfo { is_rectangle: true, ..kernel("cross", "cross_kernel", &TEXTS_OF_CROSS) };

static TEXTS_OF_EDM: [Variant; 1] =
    [variant(&"extern \"C\" __global__ void edm_kernel() {}", "ltm")];

static TEXTS_OF_CROSS: [Variant; 1] =
    [variant(&"extern \"C\" __global__ void cross_kernel() {}", "full")];

const fn kernel(
    name: &'static str,
    entry: &'static str,
    variants: &'static [Variant],
) -> KernelInfo {
    KernelInfo {
        name,
        entry,
        diagonal: false,
        has_square: false,
        has_packed: true,
        is_rectangle: false,
        is_exchanged: false,
        is_nearest: false,
        near: None,
        joins: &[],
        entries: Err("it is a sample"),
        refused: Refused::NONE,
        options: &[],
        loops: Loops { source: Source::whole(&""), takes_n: false, options: &[] },
        variants,
        warnings: &[],
        columns: &[],
    }
}

pub(crate) const fn variant(text: &'static &'static str, map: &'static str) -> Variant {
    Variant {
        source: Source::whole(text),
        has_rows: true,
        takes_n: true,
        map,
        root: Root::Exact,
        space: Space::Block,
        linear: false,
        tiling: Tiling::new(Sweep::Rows, 32),
        shared: 0,
        sector: 1,
    }
}

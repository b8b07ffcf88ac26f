//! Which of a kernel's variants is the one for n elements.
//!
//! Large tiles do more work for each element that they stage and for each block that starts, but a small n
//! makes few of them, and multiprocessors without a block do nothing. So a launch takes the largest tile
//! of which there are enough for all multiprocessors, else the smallest there is.

use td_kernel_maps::triangle;

use crate::spec::{Sweep, Variant};

/// The variant for n elements, on a device of so many multiprocessors.
pub(super) fn variant(
    variants: &'static [Variant],
    n: usize,
    multiprocessors: u32,
) -> &'static Variant {
    let sweep = sweep(variants, n);
    let mut of_sweep = variants.iter().filter(|variant| variant.sweep == sweep);
    let is_enough = |variant: &&Variant| {
        let rows = u32::try_from(n.div_ceil(variant.side.max(1) as usize)).unwrap_or(u32::MAX);
        triangle(rows) >= u64::from(multiprocessors) * enough(sweep)
    };
    let fitting = of_sweep.clone().find(is_enough);
    // A kernel has a variant, and `sweep` is that of one.
    fitting.or_else(|| of_sweep.next_back()).unwrap_or(&variants[0])
}

/// The sweep: where there are two, the mirror for squares whose rows start at sectors of memory, which has
/// no other way to write whole ones.
fn sweep(variants: &[Variant], n: usize) -> Sweep {
    let has = |sweep| variants.iter().any(|variant| variant.sweep == sweep);
    match variants.first().map_or(Sweep::Classic, |first| first.sweep) {
        Sweep::Mirror if !n.is_multiple_of(8) && has(Sweep::Rows) => Sweep::Rows,
        first => first,
    }
}

/// How many blocks a multiprocessor should have.
fn enough(sweep: Sweep) -> u64 {
    match sweep {
        Sweep::Classic => 0,
        // Blocks of one warp, of which a multiprocessor runs many at a time.
        Sweep::Columns => 8,
        Sweep::Rows | Sweep::Mirror => 1,
    }
}

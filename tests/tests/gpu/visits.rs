//! Every pair is visited once, at every size that a GPU can check.

use td_kernel::__private::Sweep;
use td_kernel_geometry::{Root, Shape, Space};
use td_kernel_tests::Choice;

use crate::{VISIT, gpu, share_memory, visits_each_pair_once};

/// Checks these choices at these sizes.
fn check(choices: impl IntoIterator<Item = Choice>, sizes: &[usize]) {
    let _shared = share_memory();
    let device = gpu();
    for choice in choices {
        let kernel = choice.load(&device, "visit", VISIT).unwrap();
        for n in sizes {
            visits_each_pair_once(&device, &kernel, &choice, *n);
        }
    }
}

#[test]
fn large_maps_visit_pairs_once() {
    let sizes = [1, 17, 1000, 4097, 30_720, 46_341, 46_342, 65_537, 92_683, 131_072];
    for diagonal in [false, true] {
        check(Choice::maps().into_iter().map(|choice| Choice { diagonal, ..choice }), &sizes);
    }
}

/// λ has 64 bits from T(65,535) blocks on: the last size below that, and sizes above.
#[test]
fn ltm_and_walk_with_64_bit_blocks() {
    for map in ["ltm", "walk"] {
        let choices = Choice::maps();
        let choice = choices.iter().find(|choice| choice.map == map && choice.root == Root::Exact);
        let choice = Choice { block: 8, ..*choice.unwrap() };
        check([choice], &[65_534 * 8, 65_535 * 8, 65_535 * 8 + 1, 65_600 * 8 - 3]);
    }
}

/// Maps whose grid ends: correct at their largest n.
#[test]
fn maps_at_the_end_of_their_grids() {
    for choice in Choice::maps().iter().filter(|choice| choice.root == Root::Exact) {
        let choice = Choice { block: 8, ..*choice };
        let map = td_kernel_geometry::map(choice.map).unwrap();
        let shape = Shape::blocks(1).with_linear(choice.linear);
        let rows = td_kernel_geometry::largest(map, &shape, choice.space, choice.block) as usize;
        let n = if choice.space == Space::Thread { rows + 1 } else { rows * 8 };
        // ltm's balanced grid and the walk's grid continue past the sizes that a GPU's memory can check.
        if n < 600_000 {
            check([choice], &[n]);
        }
    }
}

#[test]
fn tile_sizes_visit_pairs_once() {
    let tiles = Choice::tiles().into_iter().filter(|choice| choice.sweep == Sweep::Columns);
    check(tiles, &[1000, 4097, 10_007, 30_720]);
}

#[test]
fn block_sizes_visit_pairs_once() {
    check(Choice::all(), &[1000, 4097, 10_007]);
}

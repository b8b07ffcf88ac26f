//! Every pair is visited once, and nothing else is, at many n.

use td_kernel::__private::Axis;
use td_kernel::{Device, ErrorKind, SliceMut};
use td_kernel_geometry::{Root, Shape, Space};
use td_kernel_tests::covering::{chosen, part, turns, with_turns};
use td_kernel_tests::{Choice, every};

use super::{each, simt};

/// Every map with every root, space and grid, in blocks of every size.
#[test]
fn maps_visit_pairs_once() {
    let device = simt();
    visits_each_pair_once(&device, &Choice::all(), every::SIZES);
}

/// Every map, every sweep that has tiles, and every tile size.
#[test]
fn tiles_visit_pairs_once() {
    let device = simt();
    let sizes: Vec<usize> = every::SIZES.iter().copied().chain([600]).collect();
    visits_each_pair_once(&device, &Choice::tiles(), &sizes);
}

/// By default, each choice runs half of the sizes, and each map, sweep and tile size all of them.
fn visits_each_pair_once(device: &Device, choices: &[Choice], sizes: &[usize]) {
    let all = with_turns(choices, turns(2));
    let chosen = chosen(&all, |(choice, turn)| choice.properties_with(&turn.to_string()));
    each(&chosen, |(choice, turn)| {
        every::check(device, choice, &part(sizes, 2, *turn)).unwrap();
    });
}

#[test]
fn float_root_is_right_up_to_its_limit() {
    let device = simt();
    // With a large epsilon the root fails early, at sizes that are still fast on the CPU.
    let root = Root::Sqrt { epsilon: 0.01 };
    let sqrt = Choice::maps().into_iter().find(|choice| choice.root.name() == "sqrt").unwrap();
    let choice = Choice { root, block: 8, ..sqrt };
    let kernel = choice.load(&device, "every", every::ITEM).unwrap();
    let launch = |n: usize| {
        let mut launch = kernel.launch();
        launch.bind(Axis::Each, "n", n)?;
        // SAFETY: the map ends before this n, or the item takes no parameters.
        unsafe { launch.run() }
    };
    let failure = root.first_failure(0, 1 << 20).unwrap();
    let error = launch(10_000).unwrap_err();
    let most = error.limit().unwrap();
    // Even past the grid's end, the error is about the root, which fails first.
    for n in [1_500_000, 300_000_000] {
        assert_eq!(launch(n).unwrap_err().limit(), Some(most));
    }
    let text = error.to_string();
    assert!(
        text.contains("ltm") && text.contains("sqrt (epsilon 1e-2)") && text.contains("exact"),
        "{text}"
    );

    // The grid has less than one of its own rows too many, which is less than two rows of the triangle.
    let row = Root::Exact.row(failure) as usize;
    assert!(((row - 2) * 8..=row * 8).contains(&most), "{text}; row {row}");
    every::check(&device, &choice, &[most]).unwrap();
    assert_eq!(launch(most + 1).unwrap_err().kind(), ErrorKind::MapLimitExceeded);
}

/// The last rows whose λ have 32 bits, and those after them: each pair is visited once.
#[test]
fn indices_past_32_bits() {
    let device = simt();
    let item = r##"unsafe fn visits(start: u32, visits: &mut [u32]) { r#" atomicAdd(&visits[(unsigned long long)(i - start) * n + j], 1u); "# }"##;
    let last = Root::Exact.row(td_kernel_geometry::WIDE);
    for linear in [false, true] {
        let choice = Choice::maps().into_iter().find(|choice| {
            choice.map == "ltm"
                && choice.space == Space::Block
                && choice.root == Root::Exact
                && choice.linear == linear
        });
        let choice = Choice { block: 8, ..choice.unwrap() };
        let kernel = choice.load(&device, "visits", item).unwrap();
        // A row of blocks before the first λ that needs 64 bits, and the one that begins with it.
        for row in [last - 1, last] {
            let start = 8 * row;
            let (first, n) = (start as usize, start as usize + 100);
            let kernel = kernel.rows(first..first + 2);
            let mut visits = device.zeroed::<u32>(2 * n).unwrap();
            let mut launch = kernel.launch();
            launch.bind(Axis::Each, "n", n).unwrap();
            launch.bind(Axis::All, "scalar", &start).unwrap();
            launch.bind(Axis::All, "visits", SliceMut::view_mut(&mut visits)).unwrap();
            // SAFETY: the parameters of the item, in its order and with its types.
            unsafe { launch.run() }.unwrap();
            let visits = visits.download().unwrap();
            let expected = [first, first + 1].map(|i| (0..n).map(move |j| u32::from(j < i)));
            assert!(
                visits.into_iter().eq(expected.into_iter().flatten()),
                "linear: {linear}, row {row} of blocks"
            );
        }
    }
}

#[test]
fn too_large_grid_is_refused() {
    let device = simt();
    for choice in Choice::maps().iter().filter(|choice| choice.root == Root::Exact) {
        let map = td_kernel_geometry::map(choice.map).unwrap();
        let shape = Shape::blocks(1).with_linear(choice.linear);
        let rows = td_kernel_geometry::largest(map, &shape, choice.space, choice.block) as usize;
        let n = match choice.space {
            Space::Thread => rows + 1,
            _ => rows * choice.block as usize,
        };
        // If the grid always fits, the limit is the 32-bit count of elements.
        let n = n.min(u32::MAX as usize - 255);
        let item = "unsafe fn none(count: &mut Sum<u32>) { r#\" count += 1; \"# }";
        let kernel = choice.load(&device, "none", item).unwrap();
        let mut count = device.sum::<u32>().unwrap();
        let mut launch = kernel.launch();
        launch.bind(Axis::Each, "n", n + 1).unwrap();
        launch.bind(Axis::All, "count", &mut count).unwrap();
        // SAFETY: the parameter of the item, with its type.
        let error = unsafe { launch.run() }.unwrap_err();
        assert_eq!(error.limit(), Some(n), "{choice:?}: {error}");
    }
}

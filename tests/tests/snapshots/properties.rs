//! Properties of every source, which need no snapshot.

use td_kernel_tests::{source, sources};

use super::demo;
use super::families::{COUNT, FORCES, distance};

#[test]
fn sources_are_reproducible() {
    assert_eq!(source("", &distance("Packed")), source("", &distance("Packed")));
}

/// The maximum numbers of blocks and threads of a multiprocessor: on sm_75, sm_80, sm_86, sm_89, sm_90 and sm_120.
const RESIDENT: &[(u32, u32)] =
    &[(16, 1024), (32, 2048), (16, 1536), (24, 1536), (32, 2048), (24, 1536)];

/// A multiprocessor runs only this many blocks at a time, and blocks of one warp would leave it with too few warps.
#[test]
fn blocks_fill_a_multiprocessor() {
    use td_kernel_tests::variants::{listed, packed, square};
    let sources = listed::SOURCES.iter().chain(packed::SOURCES).chain(square::SOURCES);
    for source in sources {
        let (_, bounds) = source.split_once("__launch_bounds__(").unwrap();
        let threads: u32 = bounds.split_once(',').unwrap().0.parse().unwrap();
        for &(blocks, most) in RESIDENT {
            let title = source.lines().nth(1).unwrap();
            assert!(blocks * threads >= most, "{title} {blocks} x {threads} < {most}");
        }
    }
}

/// With fused products, a pair's bits would depend on the loops around it, and so on n, on where a range of rows cuts a tile,
/// and on the half of a square.
#[test]
fn only_fmad_fuses_products() {
    let option = |is_there: bool, option| Vec::from_iter(is_there.then_some(option));
    for (item, sweeps) in [
        (distance("Packed"), &["classic", "rows"][..]),
        (distance("Square"), &["classic", "rows", "mirror"]),
        (demo(COUNT.0, COUNT.1), &["classic", "columns"]),
        (demo(FORCES.0, FORCES.1), &["classic", "rotate"]),
    ] {
        for sweep in sweeps {
            for fmad in [false, true] {
                for each in sources(&format!("sweep = \"{sweep}\", fmad = {fmad}"), &item) {
                    assert_eq!(each.options, option(!fmad, "--fmad=false"), "{sweep}");
                    assert_eq!(each.loops_options, option(fmad, "-ffp-contract=fast"), "{sweep}");
                }
            }
        }
    }
}

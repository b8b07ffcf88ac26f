//! Properties of every source, which need no snapshot.

use td_kernel_tests::{list_sources, source, sources};

use super::families::{COUNT, FORCES, distance};
use super::{demo, fold};

#[test]
fn sources_are_reproducible() {
    assert_eq!(source("", &distance("Packed")), source("", &distance("Packed")));
}

/// A kept list is made again after a change of what the lower bound reads besides the coordinates that the order names.
#[test]
fn kept_lists_compare_what_the_bound_reads() {
    let compared = |element: &str, keys: &str, bound: &str| {
        let prelude =
            "prelude = r#\"template <typename Limit> float reach(Limit limit) { return 1; }\"#";
        let item = format!(
            "unsafe fn close(#[each] p: &[{element}], near: &mut Pairs) {{ let pair = r#\" near.push(); \"#; let lower_bound = r#\" box_distance(p.i, p.j) - ({bound}) \"#; }}"
        );
        let list = list_sources(&[prelude, keys].join(", "), &item).remove(0);
        let of_line = |line: &str| {
            line.split_once("point.")?.1.split_once(',').map(|(member, _)| member.to_owned())
        };
        let lines = list.lines().filter(|line| line.contains("td_are_equal{is_same}"));
        lines.filter_map(of_line).collect::<Vec<_>>()
    };
    let [floats, ball] = ["[f32; 4]", "Ball"];
    let order = "order = \"x, y, z\"";
    assert_eq!(compared(floats, order, "p.i.hi.x"), [""; 0]);
    assert_eq!(compared(floats, order, "p.i.hi.w"), ["w"]);
    assert_eq!(compared(floats, order, "reach(p.i.hi)"), ["w"]);
    assert_eq!(compared(floats, order, "reach(p.j)"), ["w"]);
    let order = "order = \"at[0], at[1]\"";
    assert_eq!(compared(ball, order, "1"), [""; 0]);
    assert_eq!(compared(ball, order, "p.i.hi.radius"), ["radius"]);
    assert_eq!(compared(ball, order, "p.i.hi.at[2] + p.j.hi.radius"), ["at", "radius"]);
    assert_eq!(compared(ball, order, "reach(p.j.lo) + p.j.hi.radius"), ["at", "radius"]);
}

/// Only features of a word whose folds are a word have the largest tile.
#[test]
fn folds_of_words_have_a_large_tile() {
    for (feature, sum, count) in [
        ("f32", "f32", 3),
        ("[i16; 2]", "u32", 3),
        ("[u8; 4]", "i32", 3),
        ("u8", "u32", 2),
        ("i32", "f64", 2),
        ("f64", "f64", 2),
    ] {
        let item =
            format!("#[each] p: &Features<{feature}>, #[fold] sum: {sum}, out: &mut Packed<{sum}>");
        let item = fold(&item, "sum += p.i - p.j;", "out = sum;", "");
        assert_eq!(sources("", &item).len(), count, "{feature}, {sum}");
    }
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

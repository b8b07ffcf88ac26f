//! The chapter on reviewing generated code.
#![allow(clippy::panic)]

use td_kernel::td_kernel;

mod changed;

// ANCHOR: kernel
/// Euclidean distance of every pair of points.
#[td_kernel(map = "ltm", sqrt = "rsqrt")]
unsafe fn edm(#[each] p: &[[f32; 2]], distance: &mut Packed<f32>) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y;
    distance = sqrtf(fmaf(dy, dy, dx * dx));
    "#
}
// ANCHOR_END: kernel

// ANCHOR: pin
/// The source without its `#line`s, so that it stays the same when the kernel moves in its file.
fn reviewed(source: &str) -> String {
    let lines = source.lines().filter(|line| !line.starts_with("#line"));
    lines.flat_map(|line| [line, "\n"]).collect()
}

#[test]
fn edm_is_as_reviewed() {
    insta::assert_snapshot!(reviewed(edm::SOURCE));
}
// ANCHOR_END: pin

/// Each line of the guide's diff is the line of that number of the text before the change, after it, or of both, and the
/// diff has all lines that differ.
#[test]
fn guide_diff_matches_the_sources() {
    let (old, new) = (reviewed(edm::SOURCE), reviewed(changed::SOURCE));
    let [mut old, mut new] = [&old, &new].map(|text| text.lines().map(Some).collect::<Vec<_>>());
    let (mut removed, mut added) = (0, 0);
    for line in include_str!("review.txt").lines().skip_while(|line| !line.contains('┬')) {
        let Some((numbers, line)) = line.split_once('│') else { continue };
        let number = |columns: &str| columns.trim().parse::<usize>().ok();
        let [before, after] = [number(&numbers[..5]), number(&numbers[5..])];
        let text = &line[1..];
        match (before, after, &line[..1]) {
            (Some(before), Some(after), " ") => {
                assert_eq!((old[before - 1], new[after - 1]), (Some(text), Some(text)));
            }
            (Some(before), None, "-") => {
                assert_eq!(old[before - 1].take(), Some(text));
                removed += 1;
            }
            (None, Some(after), "+") => {
                assert_eq!(new[after - 1].take(), Some(text));
                added += 1;
            }
            _ => panic!("{line}"),
        }
    }
    assert!(removed > 0 && added > 0);
    // The remaining lines are the same in both.
    assert!(old.iter().flatten().eq(new.iter().flatten()));
}

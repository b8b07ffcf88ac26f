//! The limit of the pairs of sets.

use td_kernel_maps::sets::LARGE;

use super::*;

#[test]
fn only_pairs_in_runs_are_limited() -> Result<()> {
    let pairs = |offsets: &[usize]| {
        SetOffsets::new(offsets).map(|offsets| SetPairs::Triangles(Arc::new(offsets)))
    };
    let sets = pairs(&[0, 3, 2_000_003, 2_000_008])?;
    sets.expect_runs(LARGE)?;
    sets.expect_runs(2_000_000)?;
    let error = sets.expect_runs(2_000_001).unwrap_err().to_string();
    assert!(error.starts_with("the sets have more than 1099511627520 pairs"), "{error}");
    // Each set has fewer pairs.
    let sets = pairs(&[0, 1_400_000, 2_800_000])?;
    assert!(sets.expect_runs(1_400_001).is_err());
    sets.expect_runs(1_400_000)
}

//! The limits of the pairs of sets, and of an element.

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

#[test]
fn largest_set_bounds_pairs_of_an_element() -> Result<()> {
    let offsets = |offsets: &[usize]| SetOffsets::new(offsets).map(Arc::new);
    let (rows, columns) = (offsets(&[0, 3, 3, 8, 9])?, offsets(&[0, 1, 7, 7, 9])?);
    assert_eq!(SetPairs::Triangles(rows.clone()).most_of_element(), 5);
    assert_eq!(SetPairs::Triangles(offsets(&[0])?).most_of_element(), 0);
    for both in [(&rows, &columns), (&columns, &rows)] {
        let rectangles = RectangleOffsets::new(both.0, both.1)?;
        assert_eq!(SetPairs::Rectangles(Arc::new(rectangles)).most_of_element(), 6);
    }
    Ok(())
}

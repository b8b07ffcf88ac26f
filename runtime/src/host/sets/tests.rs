//! The limits of the pairs of sets, and of an element.

use td_kernel_geometry::sets::LARGE;

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

/// 65,535 x 65,537 is 2^32 - 1.
fn rectangles(rows: &[usize], columns: &[usize]) -> Result<SetPairs> {
    let offsets = |offsets: &[usize]| SetOffsets::new(offsets).map(Arc::new);
    let rectangles = RectangleOffsets::new(&offsets(rows)?, &offsets(columns)?)?;
    Ok(SetPairs::Rectangles(Arc::new(rectangles)))
}

#[test]
fn pairs_of_a_set_past_32_bits() -> Result<()> {
    let is_wide = |rows: &[usize], columns: &[usize]| {
        rectangles(rows, columns).map(|pairs| pairs.has_wide_set())
    };
    assert!(!is_wide(&[0, 65_535], &[0, 65_537])?);
    assert!(is_wide(&[0, 65_536], &[0, 65_536])?);
    // Together they have more.
    assert!(!is_wide(&[0, 2, 65_537, 131_072], &[0, 9, 65_546, 131_083])?);
    assert!(is_wide(&[0, 2, 65_538, 65_540], &[0, 9, 65_545, 65_550])?);
    let triangles = |n| SetOffsets::new(&[0, n]).map(Arc::new).map(SetPairs::Triangles);
    assert!(!triangles(92_682)?.has_wide_set());
    assert!(triangles(92_683)?.has_wide_set());
    Ok(())
}

#[test]
fn runs_are_counted_in_32_bits() -> Result<()> {
    let most = 256 * 65_535;
    rectangles(&[0, most], &[0, 65_537])?.expect_runs(LARGE)?;
    let error = rectangles(&[0, most + 1], &[0, 65_537])?.expect_runs(LARGE).unwrap_err();
    let expected = "the sets have more than 1099511627520 pairs: divide them among several `Sets`";
    assert!(error.to_string().contains(expected), "{error}");
    Ok(())
}

#[test]
fn elements_of_sets_are_counted_in_32_bits() -> Result<()> {
    let most = u32::MAX as usize;
    assert_eq!(SetOffsets::new(&[0, 7, most])?.element_count(), most);
    let error = SetOffsets::new(&[0, 7, most + 1]).unwrap_err().to_string();
    let expected = "2 sets of 4294967296 elements in all are too many: sets and elements are counted in 32 bits";
    assert!(error.starts_with(expected), "{error}");
    Ok(())
}

#[test]
fn pairs_past_the_address_space() {
    let sizes = |sizes: &[Option<usize>]| starts(sizes.len() + 1, sizes.iter().copied());
    assert_eq!(sizes(&[Some(usize::MAX), Some(0)]).unwrap(), [0, usize::MAX, usize::MAX]);
    for past in [&[Some(usize::MAX), Some(1)][..], &[Some(1), None]] {
        let error = sizes(past).unwrap_err().to_string();
        assert!(error.starts_with("the sets have too many pairs: divide them"), "{error}");
    }
}

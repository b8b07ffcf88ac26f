use super::*;

#[test]
fn values_are_where_rows_and_columns_say() {
    let matrix = RectangularMatrix::from_vec(2, 3, vec![0, 1, 2, 3, 4, 5]).unwrap();
    assert_eq!((matrix.get(1, 0), matrix.get(0, 2)), (Some(&3), Some(&2)));
    assert_eq!((matrix.get(2, 0), matrix.get(0, 3)), (None, None));
    let indices: Vec<_> = matrix.iter().map(|(at, _)| at).collect();
    assert_eq!(indices, [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]);
    assert!(matrix.iter().all(|(at, value)| matrix[at] == *value));
    assert_eq!((matrix.rows().len(), matrix.iter().len()), (2, 6));
    assert_eq!(matrix.clone().into_iter().map(|(_, value)| value).sum::<i32>(), 15);
    assert_eq!(
        (matrix.as_ref(), matrix.clone().into_vec()),
        (&[0, 1, 2, 3, 4, 5][..], vec![0, 1, 2, 3, 4, 5])
    );
    // Rows without columns are rows.
    for (rows, columns) in [(0, 0), (0, 3), (3, 0)] {
        let none = RectangularMatrix::<u32>::from_vec(rows, columns, Vec::new()).unwrap();
        assert_eq!((none.rows().len(), none.iter().next(), none.is_empty()), (rows, None, true));
        assert_eq!((none.row_count(), none.column_count()), (rows, columns));
    }
}

#[test]
fn a_band_keeps_the_indices_of_its_rows() {
    let device = Device::cpu().unwrap();
    let mut band = device.matrix_rows::<u32>(9, 2, 4..6).unwrap();
    band.upload_into(&[40, 41, 50, 51]).unwrap();
    let band = band.download().unwrap();
    assert_eq!((band.row_count(), band.column_count(), band.row_range()), (9, 2, 4..6));
    assert_eq!(band.rows().collect::<Vec<_>>(), [(4, &[40, 41][..]), (5, &[50, 51])]);
    assert!(band.iter().all(|((i, j), value)| *value as usize == 10 * i + j));
    assert_eq!((band.get(3, 1), band.get(6, 0), band[(5, 1)]), (None, None, 51));
    let again = device.upload_matrix(&band).unwrap();
    assert_eq!((again.row_range(), again.download().unwrap()), (4..6, band));
}

#[test]
fn other_lengths_and_ranges_are_refused() {
    let error = RectangularMatrix::from_vec(2, 3, vec![0; 5]).unwrap_err().to_string();
    assert!(
        error.contains("5 values") && error.contains("2 rows") && error.contains('6'),
        "{error}"
    );
    assert!(RectangularMatrix::from_vec(usize::MAX, 2, vec![0; 3]).is_err());
    let device = Device::cpu().unwrap();
    #[allow(clippy::reversed_empty_ranges)]
    for range in [3..2, 0..6, 6..6] {
        let error = device.matrix_rows::<f32>(5, 7, range.clone()).unwrap_err().to_string();
        assert!(error.contains(&format!("{range:?}")), "{error}");
    }
    assert!(device.matrix::<f32>(usize::MAX, 2).is_err());
}

#[test]
#[should_panic(expected = "(0, 3) is outside of rows 0..2 and 3 columns")]
fn an_index_past_the_end_panics() {
    let matrix = RectangularMatrix::from_vec(2, 3, vec![0; 6]).unwrap();
    let _ = matrix[(0, 3)];
}

use ndarray::{Array, array, s};

use super::*;
use crate::Device;

#[test]
fn arrays_are_uploaded_in_order() {
    let device = Device::cpu().unwrap();
    let points = Array::from_iter(0..12).into_shape_with_order((4, 3)).unwrap();
    let rows = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]];
    assert_eq!(device.upload_array_rows(&points).unwrap().download().unwrap(), rows);
    // The same, stored by columns.
    let columns = points.t().as_standard_layout().into_owned();
    let buffer = device.upload_array_rows(&columns.t()).unwrap();
    assert_eq!(buffer.download().unwrap(), rows);
    let buffer = device.upload_array(&points.column(1)).unwrap();
    assert_eq!(buffer.download().unwrap(), [1, 4, 7, 10]);
    let error = device.upload_array_rows::<i32, 2>(&points).unwrap_err();
    assert!(error.to_string().contains("3 columns"), "{error}");
    let none = Array2::<f32>::zeros((0, 3));
    assert!(device.upload_array_rows::<f32, 3>(&none).unwrap().is_empty());
}

#[test]
fn array_rows_of_any_layout_are_features() {
    let device = Device::cpu().unwrap();
    let rows = Array::from_shape_fn((7, 5), |(i, j)| 10 * i as u64 + j as u64);
    let columns = rows.t().as_standard_layout().into_owned();
    let wide = Array::from_shape_fn((14, 10), |(i, j)| 10 * (i as u64 / 2) + j as u64 / 2);
    let (turned, part) = (columns.t(), wide.slice(s![..;2, ..;2]));
    for array in [rows.view(), turned, part] {
        let features = device.features_from_array(&array).unwrap();
        assert_eq!((features.len(), features.width(), features.pitch()), (7, 5, 6));
        assert_eq!(Array2::from(features.download().unwrap()), rows);
    }
    for columns in [1, 4] {
        let none = Array2::<f32>::zeros((0, columns));
        let features = device.features_from_array(&none).unwrap();
        assert_eq!((features.len(), features.width()), (0, columns));
    }
    let error = device.features_from_array(&Array2::<f32>::zeros((3, 0))).unwrap_err();
    assert!(error.to_string().contains("the width is 0 features for 3 rows"), "{error}");
}

#[test]
fn matrices_and_arrays_round_trip() {
    for n in 0..6_usize {
        let full = Array::from_shape_fn((n, n), |(i, j)| 10 * i.max(j) as u64 + i.min(j) as u64);
        let packed = HostPacked::from_lower_triangle_with_diagonal(&full).unwrap();
        assert_eq!(packed.to_array().unwrap(), full);
        // In any memory layout, and as a part of a larger array.
        let transposed = full.clone().reversed_axes();
        let same = HostPacked::from_lower_triangle_with_diagonal(&transposed).unwrap();
        assert_eq!(same, packed);
        let square = HostSquare::try_from(transposed).unwrap();
        assert_eq!(square, packed.to_square().unwrap());
        assert_eq!(Array2::from(square.clone()), full);
        let part = full.clone().slice_move(s![n / 2.., n / 2..]);
        let expected: Vec<_> = part.iter().copied().collect();
        assert_eq!(HostSquare::try_from(part).unwrap().into_vec(), expected);
        let rows = Array::from_shape_fn((n + 2, n), |(i, j)| 10 * i + j).slice_move(s![1..=n, ..]);
        let expected: Vec<_> = rows.iter().copied().collect();
        assert_eq!(HostSquare::try_from(rows).unwrap().into_vec(), expected);
        let below = HostPacked::from_lower_triangle(&full).unwrap();
        let condensed = below.to_condensed_array().unwrap();
        let doubled = Array::from_shape_fn(2 * condensed.len(), |k| condensed[k / 2]);
        if n != 1 {
            let back = HostPacked::from_condensed_array(&doubled.slice(s![..;2])).unwrap();
            assert_eq!(back, below);
        }
    }
}

#[test]
fn rectangles_and_arrays_round_trip() {
    for (rows, columns) in [(0, 0), (0, 3), (3, 0), (1, 4), (4, 1), (3, 5)] {
        let array = Array::from_shape_fn((rows, columns), |(i, j)| 10 * i + j);
        let matrix = HostMatrix::try_from(array.clone()).unwrap();
        assert_eq!((matrix.row_count(), matrix.column_count()), (rows, columns));
        assert!(matrix.iter().all(|((i, j), value)| *value == 10 * i + j));
        assert_eq!(Array2::from(matrix.clone()), array);
        // In any memory layout, and as a part of a larger array.
        let columns_first = array.t().as_standard_layout().into_owned().reversed_axes();
        assert_eq!(HostMatrix::try_from(columns_first).unwrap(), matrix);
        let large = Array::from_shape_fn((rows + 2, columns), |(i, j)| 10 * i + j);
        let part = large.slice_move(s![1..=rows, ..]);
        let part = HostMatrix::try_from(part).unwrap();
        assert!(part.iter().all(|((i, j), value)| *value == 10 * (i + 1) + j));
        assert_eq!(part.row_count(), rows);
    }
    let chunk =
        HostMatrix::from_vec(Shape::rectangle(9, 2).of_rows(3..5), vec![30, 31, 40, 41]).unwrap();
    assert_eq!(Array2::from(chunk), array![[30, 31], [40, 41]]);
}

#[test]
fn neighbours_convert_to_arrays() {
    let found = [Some((5_u8, 7)), Some((6, 1)), None, None, None, None];
    let (indices, values) = HostNearest::of(2, 3, found.into_iter()).unwrap().into_arrays();
    assert_eq!(indices, array![[7, 1, u32::MAX], [u32::MAX; 3]]);
    assert_eq!(values, array![[5, 6, 255], [255; 3]]);
    let (indices, values) =
        HostNearest::<f32>::of(0, 256, std::iter::empty()).unwrap().into_arrays();
    assert_eq!((indices.dim(), values.dim()), ((0, 256), (0, 256)));
}

/// An array cannot have more places than memory has addresses.
#[test]
fn zero_sized_values_have_a_limit() {
    let most = isize::MAX as usize;
    for (rows, columns) in [(most + 1, 1), (1, most + 1), (most + 1, 0), (0, most + 1)] {
        let values = vec![(); rows * columns];
        assert!(HostMatrix::from_vec((rows, columns), values).is_err());
    }
    let many = HostMatrix::from_vec((most, 1), vec![(); most]).unwrap();
    assert_eq!(Array2::from(many).dim(), (most, 1));
}

#[test]
fn non_square_array_is_refused() {
    let wide = array![[1, 2, 3], [4, 5, 6]];
    let error = HostPacked::from_lower_triangle(&wide).unwrap_err();
    assert!(error.to_string().contains("2 rows and 3 columns"), "{error}");
    assert!(HostSquare::try_from(wide).is_err());
}

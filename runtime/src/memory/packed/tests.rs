//! Matrices on the host, against their definition.

use super::*;
use crate::ErrorKind;
use crate::host::triangle::pairs;

fn matrix(elements: usize, diagonal: bool) -> PackedMatrix<u32> {
    band(elements, 0..elements, diagonal)
}

/// The rows of a matrix whose slots are numbered.
fn band(elements: usize, rows: Range<usize>, diagonal: bool) -> PackedMatrix<u32> {
    let [first, end] = [rows.start, rows.end].map(|row| pairs(row, diagonal).unwrap() as u32);
    PackedMatrix::checked(elements, rows, diagonal, (first..end).collect()).unwrap()
}

#[test]
fn rows_and_slots_agree() {
    for diagonal in [false, true] {
        for elements in [0, 1, 2, 7] {
            let matrix = matrix(elements, diagonal);
            let mut slot = 0;
            for (i, row) in matrix.rows() {
                assert_eq!(row.len(), i + usize::from(diagonal));
                for (j, value) in row.iter().enumerate() {
                    assert_eq!(
                        (*value, matrix.get(i, j).copied(), matrix.get(j, i).copied()),
                        (slot, Some(slot), Some(slot))
                    );
                    slot += 1;
                }
            }
            assert_eq!(slot as usize, matrix.len());
            assert_eq!(matrix.is_empty(), slot == 0);
            assert_eq!(matrix.get(elements, 0), None);
        }
    }
    assert_eq!(matrix(3, false).get(1, 1), None);
}

#[test]
fn condensed_goes_both_ways() {
    for elements in 2..9 {
        let matrix = matrix(elements, false);
        assert_eq!(PackedMatrix::from_condensed(&matrix.to_condensed().unwrap()).unwrap(), matrix);
    }
    assert_eq!(matrix(3, true).to_condensed().unwrap(), [1, 3, 4]);
    assert!(matrix(0, false).to_condensed().unwrap().is_empty());
    assert!(matrix(1, true).to_condensed().unwrap().is_empty());
    let error = PackedMatrix::from_condensed(&[1, 2]).unwrap_err();
    assert!(error.to_string().contains("2 values"), "{error}");
}

#[test]
fn square_is_symmetric() {
    assert_eq!(matrix(3, true).to_square().unwrap().as_slice(), [0, 1, 3, 1, 2, 4, 3, 4, 5]);
    assert_eq!(matrix(2, false).to_square().unwrap().as_slice(), [0, 0, 0, 0]);
}

#[test]
fn no_values_are_a_matrix_of_no_elements() {
    let none = PackedMatrix::<u32>::from_condensed(&[]).unwrap();
    assert_eq!(none.elements(), 0);
    assert!(none.to_square().unwrap().is_empty());
    assert_eq!(none.rows().len(), 0);
}

/// At sizes around those of blocks and bands, and where threads share the work, for elements of 1 to 32 bytes.
#[test]
fn every_form_is_right_at_every_size() {
    fn check<T: DeviceType + PartialEq + std::fmt::Debug>(n: usize, value: impl Fn(usize) -> T) {
        for diagonal in [false, true] {
            let values = (0..pairs(n, diagonal).unwrap()).map(&value).collect();
            let matrix = PackedMatrix::checked(n, 0..n, diagonal, values).unwrap();
            let size = size_of::<T>();
            let square = matrix.to_square().unwrap();
            assert_eq!(square.len(), n * n);
            let zero = crate::host::zero::<T>();
            for i in 0..n {
                for j in 0..n {
                    let expected = matrix.get(i, j).copied().unwrap_or(zero);
                    assert_eq!(square[(i, j)], expected, "n = {n}, size {size}, ({i}, {j})");
                }
            }
            let condensed = matrix.to_condensed().unwrap();
            let above = (0..n).flat_map(|row| (row + 1..n).map(move |column| (row, column)));
            assert!(condensed.iter().copied().eq(above.map(|(i, j)| square[(i, j)])), "n = {n}");
            if n != 1 && !diagonal {
                let back = PackedMatrix::from_condensed(&condensed).unwrap();
                assert!(back == matrix, "n = {n}, size {size}");
            }
        }
    }
    for n in [0, 1, 2, 3, 31, 32, 33, 63, 64, 65, 127, 128, 129, 257] {
        check(n, |slot| slot as u8);
        check(n, |slot| slot as f32);
        check(n, |slot| [slot as f32, 0.5, 1.0]);
        check(n, |slot| [slot as f64, 0.5, 1.0, 2.0]);
    }
    check(2900, |slot| slot as f32);
    check(1500, |slot| [slot as f64, 0.5]);
}

#[test]
fn bands_hold_what_the_whole_matrix_has() {
    for diagonal in [false, true] {
        for n in 0..8 {
            let whole = matrix(n, diagonal);
            for end in 0..=n {
                for start in 0..=end {
                    let band = band(n, start..end, diagonal);
                    let rows: Vec<_> = whole.rows().skip(start).take(end - start).collect();
                    assert_eq!(band.rows().collect::<Vec<_>>(), rows);
                    for i in 0..=n {
                        for j in 0..=n {
                            let is_there = (start..end).contains(&i.max(j));
                            let expected = whole.get(i, j).filter(|_| is_there);
                            assert_eq!(band.get(i, j), expected, "{start}..{end} ({i}, {j})");
                        }
                    }
                    assert_eq!((band.elements(), band.has_diagonal()), (n, diagonal));
                    assert_eq!(band.row_range(), start..end);
                    assert_eq!(band.as_slice(), band.clone().into_vec());
                    assert_eq!(band.as_slice(), band.as_ref());
                }
            }
        }
    }
}

#[test]
fn values_come_with_their_indices() {
    for diagonal in [false, true] {
        for rows in [0..7, 0..1, 1..1, 0..0, 3..6, 6..7] {
            let band = band(7, rows.clone(), diagonal);
            let expected: Vec<_> = rows
                .flat_map(|i| (0..i + usize::from(diagonal)).map(move |j| (i, j)))
                .zip(band.as_slice().iter().copied())
                .collect();
            let found: Vec<_> = band.iter().map(|(at, value)| (at, *value)).collect();
            assert_eq!(found, expected);
            assert!((&band).into_iter().all(|((i, j), value)| band[(i, j)] == *value));
            assert!(band.iter().all(|((i, j), value)| band[(j, i)] == *value));
            assert_eq!(band.iter().len(), band.len());
            assert_eq!(band.into_iter().collect::<Vec<_>>(), expected);
        }
    }
}

#[test]
#[should_panic(expected = "no pair (2, 2) is in rows 0..3 of 3 elements without the diagonal")]
fn an_index_of_no_pair_panics() {
    let _ = matrix(3, false)[(2, 2)];
}

#[test]
fn values_of_other_lengths_are_refused() {
    for (given, diagonal) in [(2, false), (4, false), (5, true)] {
        let values = vec![0_u8; given];
        let error = match diagonal {
            true => PackedMatrix::from_vec_with_diagonal(3, values),
            false => PackedMatrix::from_vec(3, values),
        };
        let error = error.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Arguments);
        assert!(error.to_string().contains(&format!("{given} values")), "{error}");
    }
    let error = PackedMatrix::from_rows(10, 3..5, vec![0; 8]).unwrap_err();
    assert!(
        error.to_string().contains("rows 3..5") && error.to_string().contains("have 7"),
        "{error}"
    );
    assert!(PackedMatrix::from_rows(10, 3..5, vec![0; 7]).is_ok());
    assert!(PackedMatrix::from_rows_with_diagonal(10, 3..5, vec![0; 9]).is_ok());
    assert!(PackedMatrix::from_rows(4, 3..5, vec![0; 7]).is_err());
    assert_eq!(
        PackedMatrix::from_vec(usize::MAX, vec![0]).unwrap_err().kind(),
        ErrorKind::TooLarge
    );
}

#[test]
fn some_rows_have_no_other_form() {
    for error in
        [band(9, 3..5, false).to_condensed().map(drop), band(9, 3..5, true).to_square().map(drop)]
    {
        let error = error.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Arguments);
        assert!(error.to_string().contains("rows 3..5 of 9 elements"), "{error}");
    }
}

#[test]
fn slots_are_those_of_the_rows() {
    let device = Device::cpu().unwrap();
    let mut slots = device.packed_rows::<u64>(10, 3..6).unwrap();
    assert_eq!((slots.len(), slots.elements(), slots.row_range()), (12, 10, 3..6));
    assert!(!slots.has_diagonal() && !slots.is_empty());
    let with_diagonal = device.packed_rows_with_diagonal::<u64>(10, 3..6).unwrap();
    assert!(with_diagonal.len() == 15 && with_diagonal.has_diagonal());
    for rows in [0..0, 0..1, 10..10] {
        assert!(device.packed_rows::<u64>(10, rows).unwrap().is_empty());
    }
    let mut copy = [1; 12];
    slots.download_into(&mut copy).unwrap();
    assert_eq!(copy, [0; 12]);
    let error = slots.download_into(&mut copy[1..]).unwrap_err();
    assert!(error.to_string().contains("12 elements are copied into a slice of 11"), "{error}");
    let text = format!("{slots:?}");
    assert!(text.contains("rows: 3..6") && text.contains("elements: 10"), "{text}");
    let numbers: Vec<u64> = (0..12).collect();
    slots.upload_into(&numbers).unwrap();
    let band = slots.download().unwrap();
    assert_eq!((band[(3, 0)], band[(5, 4)], band.row_range()), (0, 11, 3..6));
    assert_eq!(device.upload_packed(&band).unwrap().download().unwrap(), band);
    let error = slots.upload_into(&numbers[1..]).unwrap_err();
    assert!(error.to_string().contains("a slice of 11 is copied into 12 elements"), "{error}");
}

#[test]
fn bad_ranges_are_named() {
    let device = Device::cpu().unwrap();
    #[allow(clippy::reversed_empty_ranges)]
    for rows in [5..4, 0..11, 11..11, 0..usize::MAX] {
        let error = device.packed_rows::<u8>(10, rows.clone()).unwrap_err();
        assert!(error.to_string().contains(&format!("{rows:?}")), "{error}");
    }
    let error = device.packed_rows::<u8>(usize::MAX, 0..usize::MAX).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TooLarge, "{error}");
    // The last row alone has places, but the one past it has no number.
    let last = usize::MAX - 1..usize::MAX;
    let error = device.packed_rows::<u8>(usize::MAX, last).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TooLarge, "{error}");
}

//! Matrices on the host, against their definition.

use super::*;
use crate::triangle::pairs;

fn matrix(elements: usize, diagonal: bool) -> PackedMatrix<u32> {
    let slots = (0..pairs(elements, diagonal).unwrap() as u32).collect();
    PackedMatrix { slots, elements, diagonal }
}

#[test]
fn rows_and_slots_agree() {
    for diagonal in [false, true] {
        for elements in [0, 1, 2, 7] {
            let matrix = matrix(elements, diagonal);
            let mut slot = 0;
            for (i, row) in matrix.rows().enumerate() {
                assert_eq!(row.len(), i + usize::from(diagonal));
                for (j, value) in row.iter().enumerate() {
                    assert_eq!(
                        (*value, matrix.get(i, j), matrix.get(j, i)),
                        (slot, Some(slot), Some(slot))
                    );
                    slot += 1;
                }
            }
            assert_eq!(slot as usize, matrix.as_slice().len());
            assert_eq!(matrix.get(elements, 0), None);
        }
    }
    assert_eq!(matrix(3, false).get(1, 1), None);
}

#[test]
fn condensed_goes_both_ways() {
    for elements in 2..9 {
        let matrix = matrix(elements, false);
        assert_eq!(PackedMatrix::from_condensed(&matrix.condensed().unwrap()).unwrap(), matrix);
    }
    assert_eq!(matrix(3, true).condensed().unwrap(), [1, 3, 4]);
    assert!(matrix(0, false).condensed().unwrap().is_empty());
    assert!(matrix(1, true).condensed().unwrap().is_empty());
    let error = PackedMatrix::from_condensed(&[1, 2]).unwrap_err();
    assert!(error.to_string().contains("2 values"), "{error}");
}

#[test]
fn square_is_symmetric() {
    assert_eq!(matrix(3, true).to_square().unwrap(), [0, 1, 3, 1, 2, 4, 3, 4, 5]);
    assert_eq!(matrix(2, false).to_square().unwrap(), [0, 0, 0, 0]);
}

#[test]
fn no_values_are_a_matrix_of_no_elements() {
    let none = PackedMatrix::<u32>::from_condensed(&[]).unwrap();
    assert_eq!(none.elements(), 0);
    assert_eq!(none.to_square().unwrap(), []);
    assert_eq!(none.rows().len(), 0);
}

/// At sizes around those of blocks and bands, and where threads share the work, for elements of 1 to 32 bytes.
#[test]
fn every_form_is_right_at_every_size() {
    fn check<T: DeviceType + PartialEq + std::fmt::Debug>(n: usize, value: impl Fn(usize) -> T) {
        for diagonal in [false, true] {
            let slots = (0..pairs(n, diagonal).unwrap()).map(&value).collect();
            let matrix = PackedMatrix { slots, elements: n, diagonal };
            let size = size_of::<T>();
            let square = matrix.to_square().unwrap();
            assert_eq!(square.len(), n * n);
            // SAFETY: every pattern of bits is a value of a DeviceType.
            let zero = unsafe { std::mem::zeroed::<T>() };
            for i in 0..n {
                for j in 0..n {
                    let expected = matrix.get(i, j).unwrap_or(zero);
                    assert_eq!(square[i * n + j], expected, "n = {n}, size {size}, ({i}, {j})");
                }
            }
            let condensed = matrix.condensed().unwrap();
            let above = (0..n).flat_map(|row| (row + 1..n).map(move |column| (row, column)));
            assert!(condensed.iter().copied().eq(above.map(|(i, j)| square[i * n + j])), "n = {n}");
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

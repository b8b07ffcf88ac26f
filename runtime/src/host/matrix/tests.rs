//! Tests matrices on the host against their definition.

use super::*;
use crate::host::triangle::pairs;
use crate::{DeviceType, ErrorKind};

fn matrix(elements: usize, diagonal: bool) -> HostPacked<u32> {
    chunk(elements, 0..elements, diagonal)
}

/// The rows of a matrix whose value is the number of its slot.
fn chunk(elements: usize, rows: Range<usize>, diagonal: bool) -> HostPacked<u32> {
    let [first, end] = [rows.start, rows.end].map(|row| pairs(row, diagonal).unwrap() as u32);
    let values = (first..end).collect();
    HostPacked::of(Shape::triangle_of(elements, diagonal).of_rows(rows), values).unwrap()
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
                    assert_eq!(*value, slot);
                    assert_eq!([matrix.get(i, j), matrix.get(j, i)], [Some(&slot); 2]);
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
fn forms_agree_at_every_size() {
    fn check<T: DeviceType + PartialEq + std::fmt::Debug>(n: usize, value: impl Fn(usize) -> T) {
        for diagonal in [false, true] {
            let values = (0..pairs(n, diagonal).unwrap()).map(&value).collect();
            let matrix = HostPacked::of(Shape::triangle_of(n, diagonal), values).unwrap();
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
                let back = HostPacked::from_condensed(&condensed).unwrap();
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
fn chunks_equal_rows_of_the_matrix() {
    for diagonal in [false, true] {
        for n in 0..8 {
            let whole = matrix(n, diagonal);
            for end in 0..=n {
                for start in 0..=end {
                    let chunk = chunk(n, start..end, diagonal);
                    let rows: Vec<_> = whole.rows().skip(start).take(end - start).collect();
                    assert_eq!(chunk.rows().collect::<Vec<_>>(), rows);
                    for i in 0..=n {
                        for j in 0..=n {
                            let is_there = (start..end).contains(&i.max(j));
                            let expected = whole.get(i, j).filter(|_| is_there);
                            assert_eq!(chunk.get(i, j), expected, "{start}..{end} ({i}, {j})");
                        }
                    }
                    assert_eq!((chunk.elements(), chunk.has_diagonal()), (n, diagonal));
                    assert_eq!(chunk.row_range(), start..end);
                    assert_eq!(chunk.as_slice(), chunk.clone().into_vec());
                    assert_eq!(chunk.as_slice(), chunk.as_ref());
                }
            }
        }
    }
}

/// Checks the indices of a matrix whose values are numbered from 0.
fn expect_indices<K: Clone>(mut matrix: HostValues<u32, K>, expected: &[(usize, usize)]) {
    let numbered = || expected.iter().copied().zip(0..);
    assert!(matrix.iter().map(|(at, value)| (at, *value)).eq(numbered()));
    assert!((&matrix).into_iter().all(|(at, value)| matrix[at] == *value));
    assert_eq!((matrix.iter().len(), matrix.len()), (expected.len(), expected.len()));
    assert_eq!(matrix.is_empty(), expected.is_empty());
    let by_rows = matrix.rows().flat_map(|(i, row)| (0..row.len()).map(move |j| (i, j)));
    assert!(by_rows.eq(expected.iter().copied()));
    assert_eq!(matrix.as_ref(), Vec::from(matrix.clone()));
    assert!(matrix.clone().into_iter().eq(numbered()));
    matrix.as_mut_slice().iter_mut().for_each(|value| *value += 1);
    assert!(matrix.into_vec().into_iter().eq((1..).take(expected.len())));
}

#[test]
fn values_come_with_their_indices() {
    for rows in [0..7, 0..1, 1..1, 0..0, 3..6, 6..7] {
        let indices = |count: &dyn Fn(usize) -> usize| -> Vec<_> {
            rows.clone().flat_map(|i| (0..count(i)).map(move |j| (i, j))).collect()
        };
        let numbers = |count: usize| (0..count as u32).collect::<Vec<_>>();
        for (diagonal, more) in [(false, 0), (true, 1)] {
            let expected = indices(&|i| i + more);
            let shape = Shape::triangle_of(7, diagonal).of_rows(rows.clone());
            let chunk = HostPacked::of(shape, numbers(expected.len())).unwrap();
            assert!(chunk.iter().all(|((i, j), value)| chunk[(j, i)] == *value));
            expect_indices(chunk, &expected);
        }
        for columns in [0, 1, 3] {
            let expected = indices(&|_| columns);
            let values = numbers(expected.len());
            let chunk =
                HostMatrix::from_vec(Shape::rectangle(7, columns).of_rows(rows.clone()), values)
                    .unwrap();
            assert_eq!((chunk.row_count(), chunk.column_count()), (7, columns));
            assert_eq!((chunk.rows().len(), chunk.row_range()), (rows.len(), rows.clone()));
            assert_eq!((chunk.get(rows.end, 0), chunk.get(rows.start, columns)), (None, None));
            expect_indices(chunk, &expected);
        }
    }
    let square = HostSquare::from_vec(2, vec![0, 1, 2, 3]).unwrap();
    assert_eq!((square.elements(), square.column_count()), (2, 2));
    assert_eq!(HostMatrix::from(square.clone()).column_count(), 2);
    expect_indices(square, &[(0, 0), (0, 1), (1, 0), (1, 1)]);
}

#[test]
#[should_panic(expected = "(2, 2) is outside of rows 0..3 of a triangle of 3 elements")]
fn index_without_pair_panics() {
    let _ = matrix(3, false)[(2, 2)];
}

#[test]
fn values_are_written_by_index() {
    let mut packed = matrix(3, false);
    packed[(0, 2)] = 70;
    assert_eq!((packed[(2, 0)], packed.as_slice()[1]), (70, 70));
    let mut square = HostSquare::from_vec(2, vec![0, 1, 2, 3]).unwrap();
    square[(0, 1)] = 9;
    assert_eq!(square.as_slice(), [0, 9, 2, 3]);
}

#[test]
#[should_panic(expected = "(3, 0) is outside of rows 0..3 of a triangle of 3 elements")]
fn write_past_the_end_panics() {
    matrix(3, false)[(3, 0)] = 1;
}

#[test]
fn chunk_does_not_convert() {
    for error in
        [chunk(9, 3..5, false).to_condensed().map(drop), chunk(9, 3..5, true).to_square().map(drop)]
    {
        let error = error.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Arguments);
        assert!(error.to_string().contains("rows 3..5 of 9 elements"), "{error}");
    }
}

#[test]
fn wrong_lengths_are_refused() {
    fn error<K>(matrix: crate::Result<HostValues<u8, K>>) -> crate::Error {
        matrix.map(drop).unwrap_err()
    }
    let zeros = |count: usize| vec![0; count];
    for (error, part) in [
        (error(HostPacked::from_vec(3, zeros(2))), "got 2"),
        (error(HostPacked::from_vec(3, zeros(4))), "got 4"),
        (error(HostPacked::from_vec(Shape::triangle(3).with_diagonal(), zeros(5))), "got 5"),
        (error(HostPacked::from_vec(Shape::triangle(10).of_rows(3..5), zeros(8))), "rows 3..5"),
        (error(HostPacked::from_vec(Shape::triangle(10).of_rows(3..5), zeros(8))), "expected 7"),
        (error(HostPacked::from_vec(Shape::triangle(4).of_rows(3..5), zeros(7))), "rows 3..5"),
        (error(HostPacked::from_condensed(&zeros(2))), "2 values"),
        (error(HostSquare::from_vec(2, zeros(3))), "got 3"),
        (error(HostMatrix::from_vec((2, 3), zeros(5))), "got 5"),
        (
            error(HostMatrix::from_vec((2, 3), zeros(5))),
            "expected 6 values for a rectangle of 2 x 3 elements, got",
        ),
    ] {
        assert_eq!(error.kind(), ErrorKind::Arguments);
        assert!(error.to_string().contains(part), "{error}");
    }
    let rows = Shape::triangle(10).of_rows(3..5);
    assert!(HostPacked::from_vec(rows, zeros(7)).is_ok());
    assert!(HostPacked::from_vec(rows.with_diagonal(), zeros(9)).is_ok());
    for error in
        [error(HostPacked::from_vec((2, 2), zeros(4))), error(HostMatrix::from_vec(2, zeros(4)))]
    {
        assert!(error.to_string().contains("but the shape is a"), "{error}");
    }
    for error in [
        error(HostPacked::from_vec(usize::MAX, zeros(1))),
        error(HostSquare::from_vec(usize::MAX, zeros(3))),
        error(HostMatrix::from_vec((usize::MAX, 2), zeros(3))),
    ] {
        assert_eq!(error.kind(), ErrorKind::TooLarge);
    }
}

#[test]
#[should_panic(expected = "(0, 3) is outside of rows 0..2 of a rectangle of 2 x 3 elements")]
fn index_past_the_end_panics() {
    let matrix = HostMatrix::from_vec((2, 3), vec![0; 6]).unwrap();
    let _ = matrix[(0, 3)];
}

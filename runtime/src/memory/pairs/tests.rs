//! Tests lists of pairs on the host: their orders, and what does not fit.

use super::{Csr, HostPairs};
use crate::ErrorKind;

/// Pairs in an arbitrary order, as from a GPU.
fn list() -> HostPairs<u32> {
    let pairs = [[4, 1], [2, 0], [5, 4], [4, 0], [3, 2], [4, 2]];
    HostPairs::from_vecs(pairs.into(), pairs.iter().map(|[i, j]| 10 * i + j).collect()).unwrap()
}

#[test]
fn csr_has_each_pair_twice() {
    let graph = list().to_csr(7).unwrap();
    assert_eq!((graph.row_count(), graph.column_count(), graph.len()), (7, 7, 12));
    assert_eq!(graph.offsets(), [0, 2, 3, 6, 7, 11, 12, 12]);
    for (row, neighbours, values) in graph.rows() {
        assert!(neighbours.is_sorted(), "{row}: {neighbours:?}");
        assert_eq!(graph.row(row), Some((neighbours, values)));
        for (neighbour, value) in neighbours.iter().zip(values) {
            let (larger, smaller) = ((row as u32).max(*neighbour), (row as u32).min(*neighbour));
            assert_eq!(*value, 10 * larger + smaller);
        }
    }
    let mut pairs: Vec<_> = list().iter().map(|([i, j], _)| [i as usize, j as usize]).collect();
    pairs.sort_unstable();
    let below = graph.iter().filter(|((i, j), _)| i > j).map(|((i, j), _)| [i, j]);
    assert_eq!(below.collect::<Vec<_>>(), pairs);
    assert_eq!([7, usize::MAX].map(|row| graph.row(row)), [None; 2]);
    assert_eq!(graph.neighbours_of(6), Some(&[][..]));
    // The order of the list makes no difference.
    assert_eq!(list().sorted().unwrap().to_csr(7).unwrap(), graph);
}

#[test]
fn csr_of_two_sets_lists_columns() {
    let rows = list().to_csr((6, 5)).unwrap();
    assert_eq!((rows.row_count(), rows.column_count(), rows.len()), (6, 5, 6));
    assert_eq!(rows.offsets(), [0, 0, 0, 1, 2, 5, 6]);
    assert_eq!(rows.neighbours(), [0, 2, 0, 1, 2, 4]);
    assert_eq!(rows.into_vecs().2, [20, 32, 40, 41, 42, 54]);
}

#[test]
fn csr_keeps_diagonal_and_duplicates() {
    let list = HostPairs::from_vecs(vec![[1, 1], [1, 0], [2, 1], [2, 1]], vec!['d', 'a', 'x', 'y']);
    let graph = list.unwrap().to_csr(3).unwrap();
    assert_eq!(graph.row(0), Some((&[1][..], &['a'][..])));
    assert_eq!(graph.row(1), Some((&[0, 1, 2, 2][..], &['a', 'd', 'x', 'y'][..])));
    assert_eq!(graph.row(2), Some((&[1, 1][..], &['x', 'y'][..])));
}

#[test]
fn empty_list_makes_empty_csr() {
    let none = || HostPairs::<f32>::from_vecs(vec![], vec![]).unwrap();
    assert!(none().is_empty() && none().sorted().unwrap().is_empty());
    assert_eq!(none().to_csr(0).unwrap().offsets(), [0]);
    assert_eq!(none().to_csr(2).unwrap().offsets(), [0, 0, 0]);
    assert_eq!(none().to_csr((1, 0)).unwrap().rows().collect::<Vec<_>>(), [(0, &[][..], &[][..])]);
    assert_eq!(HostPairs::from(vec![]).to_csr(0).unwrap().len(), 0);
}

#[test]
fn invalid_lists_are_errors() {
    let said = |csr: crate::Result<Csr<u32>>| {
        let error = csr.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Arguments);
        error.to_string()
    };
    assert_eq!(
        said(list().to_csr(5)),
        "pair 2 of the list is (5, 4), but its indices must be below 5, the number of elements: pass the number of elements that the kernel ran over"
    );
    assert_eq!(
        said(list().to_csr((4, 9))),
        "pair 0 of the list is (4, 1), which is outside 4 rows and 9 columns: pass the numbers that the kernel ran over"
    );
    assert!(said(list().to_csr((9, 4))).contains("(5, 4)"));
    let pairs = HostPairs::from(vec![[u32::MAX, 0]]);
    assert!(pairs.to_csr(u32::MAX as usize).is_err());
    assert!(pairs.to_csr((9, 9)).is_err());
    let error = HostPairs::from_vecs(vec![[1, 0]], vec![3, 4]).unwrap_err().to_string();
    assert_eq!(error, "the list has 1 pair and 2 values: pass equally many of each");
    // More rows than memory can hold are an error, not a panic.
    let error = HostPairs::from(vec![]).to_csr(usize::MAX).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfHostMemory);
}

//! Tests slots and matrices on a device against their definition.

use super::*;
use crate::ErrorKind;

#[test]
fn slots_match_the_rows() {
    let device = Device::cpu().unwrap();
    let mut slots = device.packed::<u64>(Shape::triangle(10).of_rows(3..6)).unwrap();
    assert_eq!((slots.len(), slots.elements(), slots.row_range()), (12, 10, 3..6));
    assert!(!slots.has_diagonal() && !slots.is_empty());
    let with_diagonal =
        device.packed::<u64>(Shape::triangle(10).with_diagonal().of_rows(3..6)).unwrap();
    assert!(with_diagonal.len() == 15 && with_diagonal.has_diagonal());
    for rows in [0..0, 0..1, 10..10] {
        assert!(device.packed::<u64>(Shape::triangle(10).of_rows(rows)).unwrap().is_empty());
    }
    let mut copy = [1; 12];
    slots.download_into(&mut copy).unwrap();
    assert_eq!(copy, [0; 12]);
    let error = slots.download_into(&mut copy[1..]).unwrap_err();
    assert!(error.to_string().contains("cannot copy 12 elements into a slice of 11"), "{error}");
    let text = format!("{slots:?}");
    assert!(text.contains("row_count: 10, first: 3, end: 6"), "{text}");
    let numbers: Vec<u64> = (0..12).collect();
    slots.upload_into(&numbers).unwrap();
    let chunk = slots.download().unwrap();
    assert_eq!((chunk[(3, 0)], chunk[(5, 4)], chunk.row_range()), (0, 11, 3..6));
    assert_eq!(device.upload_matrix(&chunk).unwrap().download().unwrap(), chunk);
    let error = slots.upload_into(&numbers[1..]).unwrap_err();
    assert!(error.to_string().contains("cannot copy a slice of 11 into 12 elements"), "{error}");
}

#[test]
fn bad_ranges_are_named() {
    let device = Device::cpu().unwrap();
    #[allow(clippy::reversed_empty_ranges)]
    for rows in [5..4, 0..11, 11..11, 0..usize::MAX] {
        let packed = device.packed::<u8>(Shape::triangle(10).of_rows(rows.clone())).map(drop);
        let matrix = device.matrix::<f32>(Shape::rectangle(10, 7).of_rows(rows.clone())).map(drop);
        for error in [packed.unwrap_err(), matrix.unwrap_err()] {
            assert!(error.to_string().contains(&format!("{rows:?}")), "{error}");
        }
    }
    assert!(device.matrix::<f32>((usize::MAX, 2)).is_err());
    let error =
        device.packed::<u8>(Shape::triangle(usize::MAX).of_rows(0..usize::MAX)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TooLarge, "{error}");
    // The last row alone would fit, but the end of its slots overflows.
    let last = usize::MAX - 1..usize::MAX;
    let error = device.packed::<u8>(Shape::triangle(usize::MAX).of_rows(last)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TooLarge, "{error}");
}

#[test]
fn shapes_of_the_other_domain_are_rejected() {
    let device = Device::cpu().unwrap();
    let error = device.packed::<u8>((3, 4)).map(drop).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Arguments, "{error}");
    assert!(error.to_string().contains("the shape of a `Matrix`"), "{error}");
    let error = device.matrix::<u8>(3).map(drop).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Arguments, "{error}");
    assert!(error.to_string().contains("the shape of a `Packed`"), "{error}");
    // A rectangle has its diagonal already.
    assert_eq!(Shape::rectangle(3, 4).with_diagonal(), Shape::rectangle(3, 4));
}

#[test]
fn chunks_of_a_shape_visit_its_rows() {
    let device = Device::cpu().unwrap();
    let mut seen = Vec::new();
    let shape = Shape::triangle(9).with_diagonal().of_rows(4..7);
    let chunks = device.chunks::<u8>(shape, |_, _| Ok(())).height(2);
    chunks
        .each(|chunk| {
            seen.push((chunk.rows.clone(), chunk.values.len()));
            Ok(())
        })
        .unwrap();
    assert_eq!(seen, [(4..6, 11), (6..7, 7)]);
}

#[test]
fn chunk_keeps_row_indices() {
    let device = Device::cpu().unwrap();
    let mut chunk = device.matrix::<u32>(Shape::rectangle(9, 2).of_rows(4..6)).unwrap();
    chunk.upload_into(&[40, 41, 50, 51]).unwrap();
    let chunk = chunk.download().unwrap();
    assert_eq!((chunk.row_count(), chunk.column_count(), chunk.row_range()), (9, 2, 4..6));
    assert_eq!(chunk.rows().collect::<Vec<_>>(), [(4, &[40, 41][..]), (5, &[50, 51])]);
    assert!(chunk.iter().all(|((i, j), value)| *value as usize == 10 * i + j));
    assert_eq!((chunk.get(3, 1), chunk.get(6, 0), chunk[(5, 1)]), (None, None, 51));
    let again = device.upload_matrix(&chunk).unwrap();
    assert_eq!((again.row_range(), again.download().unwrap()), (4..6, chunk));
}

/// None of these takes time or memory, and none overflows.
#[test]
fn absurd_sizes_are_errors_at_once() {
    fn found<T>(result: crate::Result<T>) -> Option<ErrorKind> {
        result.err().map(|error| error.kind())
    }
    let (device, start) = (Device::cpu().unwrap(), std::time::Instant::now());
    let list = crate::HostPairs::from_vecs(vec![[1, 0]], vec![2.0]).unwrap();
    for most in [1 << 60, usize::MAX] {
        for error in [
            found(device.array_sums::<f32>(2, most)),
            found(device.array_sums::<f64>(0, 1 << 40)),
            found(device.array_sums::<f32>(most, 1 << 30)),
            found(device.arrays::<f32>(&[], most)),
            found(device.zeroed::<u32>(most)),
            found(device.pinned::<u32>(most)),
            found(device.packed::<f32>(most)),
            found(device.packed::<f32>(Shape::triangle(9).of_rows(3..most))),
            found(device.square::<u8>(most)),
            found(device.matrix::<u8>((most, most))),
            found(device.chunks::<u8>((most, most), |_, _| Ok(())).each(|_| Ok(()))),
            found(device.sums::<[f64; 3]>(most)),
            found(device.minima::<(f32, u32)>(most)),
            found(device.maxima::<f32>(most)),
            found(device.reduce(most, 1_u32)),
            found(device.histogram::<u64>(most)),
            found(device.pairs::<()>(most)),
            found(device.pairs::<f64>(most)),
            found(device.nearest::<f32, 10>(most)),
            found(device.nearest_k::<f32>(most, 200)),
            found(device.nearest_k::<f32>(1, most)),
            found(device.features(&[1.0_f32], most)),
            found(device.zeroed_features::<f32>(most, most)),
            found(device.sets(&[1.0_f32], &[0, most])),
            found(device.feature_sets(&[1.0_f32], 1, &[0, most])),
            found(list.to_csr(most)),
            found(list.to_csr((most, most))),
            found(crate::Devices::cpu(most)),
            found(crate::Devices::cpu(1).unwrap().part_of(most, most)),
        ] {
            let kinds = [
                ErrorKind::TooLarge,
                ErrorKind::Arguments,
                ErrorKind::OutOfHostMemory,
                ErrorKind::OutOfDeviceMemory,
            ];
            assert!(error.is_some_and(|error| kinds.contains(&error)), "{most}: {error:?}");
        }
    }
    let wide = |width| device.arrays::<f32>(&[], width).map(drop).unwrap_err().to_string();
    let expected = "the width of arrays is 2147483648: pass at most 2147483647";
    assert!(wide(1 << 31).contains(expected), "{}", wide(1 << 31));
    // As many parts as there may be, which have all rows.
    for parts in [Shape::triangle(9).parts(usize::MAX), Shape::rectangle(9, 2).parts(1 << 60)] {
        assert_eq!((parts.len(), parts.into_iter().flatten().count()), (1 << 20, 9));
    }
    assert_eq!(Shape::triangle(9).parts_of(&[2..4, 5..9], usize::MAX).concat().len(), 6);
    let sets = device.upload_sets([[1.0_f32, 2.0]]).unwrap();
    let values = device.packed_sets::<f32, _>(&sets).unwrap().download().unwrap();
    assert_eq!((values.get(0, 1 << 31, usize::MAX), values.get(usize::MAX, 1, 0)), (None, None));
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
}

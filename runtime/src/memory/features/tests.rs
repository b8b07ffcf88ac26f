use std::fmt;

use super::*;
use crate::Device;
use crate::backend::view::View;

/// A feature whose value encodes its position.
trait Numbered: DeviceType + PartialEq + fmt::Debug {
    fn numbered(at: usize) -> Self;
}

macro_rules! numbered {
    ($($number:ty),*) => {$(
        impl Numbered for $number {
            fn numbered(at: usize) -> Self {
                (at % 251 + 1) as $number
            }
        }
    )*};
}

numbered!(u8, i16, i32, f32, u64, f64);

impl Numbered for [i8; 4] {
    fn numbered(at: usize) -> Self {
        [at as i8, (at / 128) as i8, -1, 7]
    }
}

fn values<T: Numbered>(length: usize) -> Vec<T> {
    (0..length).map(T::numbered).collect()
}

/// Checks the memory that a kernel sees: every row at its start, with zero padding.
fn check<T: Numbered>(features: &Features<T>, values: &[T], width: usize) {
    let rows = values.len() / width;
    let pitch = (width * size_of::<T>()).next_multiple_of(16) / size_of::<T>();
    assert_eq!((features.len(), features.width(), features.pitch()), (rows, width, pitch));
    assert_eq!(features.is_empty(), rows == 0);
    match features.memory.view() {
        View::Cpu(all) => {
            // Kernels stage sixteen words of 16 bytes from the start of a row's last chunk.
            assert_eq!(all.len(), rows * pitch + 256 / size_of::<T>());
            assert_eq!(all.as_ptr().addr() % 16, 0);
            for (row, expected) in all.chunks(pitch).zip(values.chunks(width)) {
                assert_eq!(&row[..width], expected);
                assert!(row[width..].iter().all(|value| *value == host::zero()), "{width}");
            }
        }
        other => assert!(other.is_empty() && rows == 0, "{other:?}"),
    }
    let downloaded = features.download().unwrap();
    assert_eq!((downloaded.row_count(), downloaded.column_count()), (rows, width));
    assert_eq!(downloaded.as_slice(), values);
}

fn every_width<T: Numbered>() {
    let device = Device::cpu().unwrap();
    for width in [1, 3, 4, 5, 31, 64, 127, 1000, 100_000] {
        for rows in [0, 1, 7] {
            let values = values::<T>(rows * width);
            check(&device.features(&values, width).unwrap(), &values, width);
            if rows > 0 {
                let from_rows = device.features_from_rows(values.chunks(width)).unwrap();
                check(&from_rows, &values, width);
            }
            let mut zeroed = device.zeroed_features(rows, width).unwrap();
            check(&zeroed, &vec![host::zero(); rows * width], width);
            zeroed.upload_into(&values).unwrap();
            check(&zeroed, &values, width);
        }
    }
}

#[test]
fn rows_of_every_width_and_type() {
    every_width::<u8>();
    every_width::<i16>();
    every_width::<f32>();
    every_width::<[i8; 4]>();
    every_width::<u64>();
    every_width::<f64>();
}

#[test]
fn pieces_of_every_size_are_joined() {
    let device = Device::cpu().unwrap();
    for (rows, width) in [(0, 5), (1, 5), (7, 5), (100, 3), (33, 127)] {
        let values = values::<f32>(rows * width);
        let shape = Shape::new::<f32>(rows, width).unwrap();
        for piece in [0, 1, 100, 1000, 1 << 20] {
            let fill = fill_from(&values, width);
            let memory = copy::upload(device.backend(), &shape, piece, fill).unwrap();
            let features = Features::new(memory, shape);
            check(&features, &values, width);
            let mut copies = vec![0.0; rows * width];
            copy::download(&features.memory, &shape, piece, &mut copies).unwrap();
            assert_eq!(copies, values);
        }
    }
}

/// Enough rows for several threads.
#[test]
fn threads_pad_many_rows() {
    let device = Device::cpu().unwrap();
    let values = values::<f32>(3 << 20);
    let mut features = device.features(&values, 3).unwrap();
    check(&features, &values, 3);
    let turned: Vec<f32> = values.iter().rev().copied().collect();
    features.upload_into(&turned).unwrap();
    check(&features, &turned, 3);
}

#[test]
fn rows_from_any_iterator() {
    let device = Device::cpu().unwrap();
    let expected = [1, 2, 3, 4, 5, 6];
    let from_vectors = device.features_from_rows(vec![vec![1, 2, 3], vec![4, 5, 6]]).unwrap();
    let from_arrays = device.features_from_rows([[1, 2, 3], [4, 5, 6]]).unwrap();
    let computed = device.features_from_rows((0..2).map(|row| [1, 2, 3].map(|k| 3 * row + k)));
    for features in [from_vectors, from_arrays, computed.unwrap()] {
        check::<i32>(&features, &expected, 3);
    }
}

#[test]
fn wrong_widths_and_lengths_are_refused() {
    let device = Device::cpu().unwrap();
    fn expect<T>(result: crate::Result<T>, words: &str) {
        let Err(error) = result else { panic!("it is taken: {words}") };
        assert!(error.to_string().contains(words), "{error}");
    }
    expect(device.features(&[1.0, 2.0], 0), "the width is 0 features for 2 values:");
    expect(device.features(&[1.0], 0), "the width is 0 features for 1 value:");
    expect(device.features::<f32>(&[], 0), "the width is 0 features for 0 values:");
    expect(device.zeroed_features::<f32>(5, 0), "the width is 0 features for 5 rows:");
    expect(device.features_from_rows([[0_u8; 0]; 3]), "row 0 is empty");
    expect(
        device.features(&[0_u8; 7], 3),
        "7 values are not a whole number of rows of 3 features: 6 would be 2 rows, and 9 would be 3. Pass a multiple of 3",
    );
    expect(
        device.features(&[0_u8; 1], 3),
        "1 value is not a whole number of rows of 3 features: 0 would be 0 rows, and 3 would be 1.",
    );
    expect(device.features(&[0_u8; 5], 4), "4 would be 1 row, and 8 would be 2.");
    expect(device.features(&[0_u8; 2], usize::MAX), "0 would be 0 rows");
    let rows = [&[1, 2][..], &[3, 4], &[5]];
    expect(device.features_from_rows(rows), "row 2 has 1 feature, but row 0 has 2:");
    expect(device.features_from_rows(Vec::<[f32; 3]>::new()), "the list of rows is empty");
    expect(device.zeroed_features::<u8>(1 << 33, 1), "there are 8589934592 rows of features, but");
    expect(device.features::<u8>(&[], 1 << 33), "rows have 8589934592 features, but");

    let mut features = device.zeroed_features::<f32>(2, 3).unwrap();
    expect(features.upload_into(&[0.0; 8]), "cannot copy a slice of 8 into 6 elements");
    expect(features.download_into(&mut [0.0; 5]), "cannot copy 6 elements into a slice of 5");
    assert_eq!(format!("{features:?}"), "Features { len: 2, width: 3, pitch: 4, .. }");
}

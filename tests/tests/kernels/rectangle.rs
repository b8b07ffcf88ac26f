//! Kernels over the pairs of two sets: types, reports, chunks past 32 bits, and errors of a launch.

use td_kernel::{Device, Shape, SliceMut, td_kernel, testing};

/// The distance of every query to every point.
#[td_kernel]
unsafe fn cross(#[row] query: &[f32], #[column] data: &[f32], distance: &mut Matrix<f32>) {
    r#" distance = fabsf(query - data); "#
}

#[td_kernel]
unsafe fn indices(out: &mut Matrix<u32>, scaled: &mut Matrix<f64>) {
    r#" out = 1000 * i + j; scaled = out / (double)(rows * columns); "#
}

#[td_kernel]
unsafe fn of_rows(#[row] x: &[u64], total: &mut Sum<u64>) {
    r#" total += x * columns; "#
}

#[td_kernel]
unsafe fn of_columns(#[column] x: &[u64], total: &mut Sum<u64>) {
    r#" total += x; "#
}

#[test]
fn generated_types() {
    let device = Device::emulator().unwrap();
    let (query, data) =
        (device.upload(&[1.0, 3.0]).unwrap(), device.upload(&[0.0, 2.0, 7.0]).unwrap());
    let kernel = cross::load(&device).unwrap();
    let mut distance = device.matrix((2, 3)).unwrap();
    kernel.launch(&query, &data, &mut distance).unwrap();
    assert_eq!(distance.download().unwrap().as_slice(), [1.0, 1.0, 6.0, 3.0, 1.0, 4.0]);

    let report = kernel.report(100, 70_000).unwrap();
    assert_eq!((report.elements, report.columns, report.map), (100, Some(70_000), "full"));
    assert!(
        report.to_string().starts_with("100 rows and 70000 columns: map full, sweep rows"),
        "{report}"
    );
    let [x, y] = report.grids[0].map(|blocks| blocks as usize);
    assert_eq!([x, y], [70_000_usize, 100].map(|count| count.div_ceil(report.tile as usize)));
    assert_eq!(kernel.report(0, 5).unwrap().grids, [[0_u32; 2]; 0]);
    let tuned = kernel.tune(&query, &data, &mut distance).unwrap();
    assert_eq!(
        (tuned.elements, tuned.columns, tuned.times.len()),
        (2, Some(3), cross::SOURCES.len())
    );
    assert!(tuned.to_string().starts_with("2 rows and 3 columns\n"), "{tuned}");
}

#[test]
fn counts_come_from_any_argument() {
    let device = Device::emulator().unwrap();
    let (mut out, mut scaled) = (device.matrix((2, 3)).unwrap(), device.matrix((2, 3)).unwrap());
    indices::load(&device).unwrap().launch(&mut out, &mut scaled).unwrap();
    assert_eq!(out.download().unwrap().as_slice(), [0, 1, 2, 1000, 1001, 1002]);
    assert_eq!(scaled.download().unwrap()[(1, 2)], 167.0);

    // Counts that no other argument has come first.
    let x = device.upload(&[1_u64, 10, 100]).unwrap();
    let mut total = device.sum().unwrap();
    of_rows::load(&device).unwrap().launch(7, &x, &mut total).unwrap();
    assert_eq!(total.download().unwrap(), 7 * 7 * 111);
    total.clear().unwrap();
    of_columns::load(&device).unwrap().launch(5, &x, &mut total).unwrap();
    assert_eq!(total.download().unwrap(), 5 * 111);
    total.clear().unwrap();
    of_columns::load(&device).unwrap().rows(1..4).launch(5, &x, &mut total).unwrap();
    assert_eq!(total.download().unwrap(), 3 * 111);
}

#[test]
fn mismatched_arguments_are_named() {
    let device = Device::emulator().unwrap();
    let kernel = cross::load(&device).unwrap();
    let (query, data) =
        (device.upload(&[1.0, 3.0]).unwrap(), device.upload(&[0.0, 2.0, 7.0]).unwrap());
    for (shape, words) in [
        ((3, 3), "3 rows, but `query` requires 2: write `device.matrix((2, columns))`"),
        ((2, 2), "2 columns, but `data` requires 3: write `device.matrix((rows, 3))`"),
    ] {
        let mut out = device.matrix(shape).unwrap();
        let (first, last) =
            (format!("^kernel `cross`: `distance` is for {words}"), format!("{words}$"));
        assert_errors! { kernel.launch(&query, &data, &mut out) => [&*first, &*last], Arguments "distance"; }
    }
    let mut out = device.matrix((2, 3)).unwrap();
    assert_errors! { kernel.rows(1..3).launch(&query, &data, &mut out) => "rows 1..3 are not within 2 rows"; }
    for rows in [0..1, 1..2] {
        let words =
            format!("`distance` has slots for rows {rows:?}, but the launch visits rows 0..2");
        let mut chunk = device.matrix(Shape::rectangle(2, 3).of_rows(rows)).unwrap();
        assert_errors! { kernel.launch(&query, &data, &mut chunk) => words; }
    }
    let (mut one, mut two) = (
        device.matrix((2, 3)).unwrap(),
        device.matrix(Shape::rectangle(2, 3).of_rows(1..2)).unwrap(),
    );
    assert_errors! {
        indices::load(&device).unwrap().rows(1..2).launch(&mut one, &mut two) => "`scaled` begins at row 1, but `out` begins at row 0";
    }
}

/// Buffers, parts of them and views have no shape: other arguments determine it.
#[test]
fn buffers_as_matrices() {
    let device = Device::emulator().unwrap();
    let kernel = cross::load(&device).unwrap();
    let (query, data) =
        (device.upload(&[1.0, 3.0]).unwrap(), device.upload(&[0.0, 2.0, 7.0]).unwrap());
    let mut buffer = device.upload(&[-1.0_f32; 9]).unwrap();
    kernel.launch(&query, &data, &mut buffer.slice_mut(2..8).unwrap()).unwrap();
    let [first, second] = [[1.0, 1.0, 6.0], [3.0, 1.0, 4.0]];
    let found = buffer.download().unwrap();
    assert_eq!(found, [&[-1.0, -1.0][..], &first, &second, &[-1.0]].concat());
    let mut row = device.zeroed::<f32>(3).unwrap();
    kernel.rows(1..2).launch(&query, &data, &mut row).unwrap();
    assert_eq!(row.download().unwrap(), second);
    kernel.rows(0..1).launch(&query, &data, &mut SliceMut::view_mut(&mut row)).unwrap();
    assert_eq!(row.download().unwrap(), first);
    assert_errors! {
        kernel.launch(&query, &data, &mut row) => "has 3 slots, but needs 6, one for each pair of 2 rows of 3 columns";
    }
    let (mut out, mut scaled) = (device.zeroed(6).unwrap(), device.zeroed(6).unwrap());
    assert_errors! {
        indices::load(&device).unwrap().launch(&mut out, &mut scaled) => "the arguments do not determine the numbers of rows and columns";
    }
}

/// Chunks of a matrix whose values are past 2^32, in rows with and without a skew.
#[test]
fn chunks_past_32_bits() {
    let device = Device::emulator().unwrap();
    let (rows, first) = (70_000, 69_930);
    for columns in [70_001, 70_016] {
        assert!(first * columns > 1 << 32);
        for variant in 0..bytes::SOURCES.len() {
            let kernel = bytes { kernel: bytes::load(&device).unwrap().kernel.pin(variant) };
            let mut chunk =
                device.matrix(Shape::rectangle(rows, columns).of_rows(first..rows)).unwrap();
            kernel.rows(first + 2..rows - 1).launch(&mut chunk).unwrap();
            for ((i, j), value) in chunk.download().unwrap() {
                let expected = if i < first + 2 || i == rows - 1 { 0 } else { (7 * i + j) as u8 };
                assert_eq!(value, expected, "variant {variant}, {columns} columns, ({i}, {j})");
            }
        }
    }
}

#[td_kernel]
unsafe fn bytes(out: &mut Matrix<u8>) {
    r#" out = 7 * i + j; "#
}

/// A grid is at most 65,535 blocks high: more rows of blocks lie in pieces side by side.
#[test]
fn rectangle_higher_than_a_grid() {
    let device = Device::emulator().unwrap();
    let (rows, columns) = (65_536 * 8 + 1, 9);
    let kernel = in_small_blocks::load(&device).unwrap();
    let [x, y] = kernel.report(rows, columns).unwrap().grids[0];
    assert_eq!([x, y], [2 * 2, 32_769]);
    let mut out = device.matrix((rows, columns)).unwrap();
    kernel.launch(&mut out).unwrap();
    assert!(out.download().unwrap().iter().all(|((i, j), value)| *value == (11 * i + j) as u32));
}

#[td_kernel(block = 8)]
unsafe fn in_small_blocks(out: &mut Matrix<u32>) {
    r#" out = 11 * i + j; "#
}

/// 2^32 rows cannot be counted, and too many tiles do not fit a grid.
#[test]
fn oversized_grid_is_refused() {
    let device = Device::emulator().unwrap();
    let kernel = of_columns::load(&device).unwrap();
    let x = device.upload(&[1_u64]).unwrap();
    let mut total = device.sum().unwrap();
    assert_errors! { kernel.launch(1 << 32, &x, &mut total) => "4294967296 rows and 1 columns", MapLimitExceeded; }
    assert!(kernel.report(u32::MAX as usize - 255, 1).is_ok());
    assert!(kernel.report(u32::MAX as usize - 255, u32::MAX as usize - 255).is_err());
}

#[test]
fn testing_compares_every_source() {
    let query: Vec<f32> = (0..90).map(|k| (k * k % 41) as f32).collect();
    let data: Vec<f32> = (0..150).map(|k| (k % 37) as f32).collect();
    let distances = testing::matrix((query.len(), data.len()), |device, out| {
        cross::load(device)?.launch(&device.upload(&query)?, &device.upload(&data)?, out)
    })
    .unwrap();
    distances.equals(|i, j| (query[i] - data[j]).abs()).unwrap();
    // Messages distinguish rows and columns.
    let exchanged = distances.equals(|i, j| (query[j % 90] - data[i]).abs());
    assert_errors! { exchanged => "map full, sweep rows"; }
}

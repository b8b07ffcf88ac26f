//! Bands of rows: their values, in memory and in files, are those of one launch, on the CPU, which computes them in place, and
//! on the emulator, which copies them as a GPU does.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::cell::RefCell;
use std::fs;
use std::ops::Range;
use std::path::Path;

use ndarray::{Array1, Array2, Array3};
use ndarray_npy::{WriteNpyExt, read_npy};
use td_kernel::{Bands, Device, DeviceType, Error, ErrorKind, NpyValue, Result, td_kernel};

/// A value for each pair, a count, and a list.
#[td_kernel]
unsafe fn marks(
    #[each] x: &[u32],
    scale: u32,
    mark: &mut Packed<u32>,
    count: &mut Sum<u64>,
    list: &mut Pairs,
) {
    r#"
    mark = scale * x.i + x.j;
    count += 1;
    if ((x.i + x.j) % 7 == 0) list.push();
    "#
}

#[td_kernel(diagonal = true)]
unsafe fn both(#[each] x: &[u32], seen: &mut [u32], mark: &mut Packed<[u32; 2]>) {
    r#" mark = make_uint2(x.i, x.j); atomicAdd(seen + i, 1); "#
}

#[td_kernel]
unsafe fn difference(#[each] x: &[u32], mark: &mut Packed<u32>) {
    r#" mark = 1000 * x.i + x.j; "#
}

#[td_kernel]
unsafe fn apart(#[each] x: &[u32], distance: &mut Packed<u32>) {
    r#" distance = x.i > x.j ? x.i - x.j : x.j - x.i; "#
}

/// Nothing but the slots tells n.
#[td_kernel(map = "rb")]
unsafe fn indices(mark: &mut Packed<u64>) {
    r#" mark = 1000ull * i + j; "#
}

#[td_kernel]
unsafe fn cross(
    #[row] x: &[u32],
    #[column] y: &[u32],
    total: &mut Sum<u64>,
    mark: &mut Matrix<u32>,
) {
    r#" mark = 1000 * x + y; total += y; "#
}

/// Only one of the counts is told.
#[td_kernel]
unsafe fn of_columns(#[column] y: &[u32], mark: &mut Matrix<u32>) {
    r#" mark = 1000 * i + y; "#
}

#[td_kernel]
unsafe fn dots(#[each] p: &Features<f32>, #[fold] sum: f32, out: &mut Packed<f32>) {
    let feature = r#" sum += p.i * p.j; "#;
    let pair = r#" out = sum; "#;
}

/// This map has no bands.
#[td_kernel(map = "h")]
unsafe fn halves(#[each] x: &[u32], mark: &mut Packed<u32>) {
    r#" mark = x.i; "#
}

fn devices() -> [Device; 2] {
    [Device::cpu().unwrap(), Device::emulator().unwrap()]
}

fn numbers(n: usize) -> Vec<u32> {
    (0..n as u32).map(|k| 3 * k + k % 5).collect()
}

/// How bands are cut and kept.
#[derive(Clone, Copy, Debug)]
enum Way {
    Whole,
    /// With so many rows.
    Height(usize),
    /// With memory for so many of the longest rows in each band.
    Rows(usize),
}

const WAYS: [(Way, usize); 8] = [
    (Way::Whole, 2),
    (Way::Height(1), 1),
    (Way::Height(1), 2),
    (Way::Height(7), 3),
    (Way::Height(64), 2),
    (Way::Rows(1), 2),
    (Way::Rows(5), 1),
    (Way::Rows(70), 5),
];

/// The ways in which as many elements are cut on this device: the emulator takes long for many launches.
fn ways(device: &Device, n: usize) -> impl Iterator<Item = (Way, usize)> {
    let is_slow = device.name().contains("emulator") && n > 70;
    let is_few = |way: &Way| matches!(way, Way::Whole | Way::Height(64) | Way::Rows(70));
    WAYS.into_iter().filter(move |(way, _)| !is_slow || is_few(way))
}

/// The bands in one of the ways.
fn cut<'a, T: DeviceType>(
    device: &Device,
    bands: Bands<'a, T>,
    longest: usize,
    (way, flight): (Way, usize),
) -> Bands<'a, T> {
    let bands = bands.in_flight(flight);
    // The CPU has one band at a time.
    let flight = if device.name().contains("emulator") { flight } else { 1 };
    match way {
        Way::Whole => bands,
        Way::Height(height) => bands.height(height),
        Way::Rows(rows) => bands.memory(flight * rows * longest * size_of::<T>()),
    }
}

/// The values of all bands, which come in order, and are those that `rows` have.
fn joined<T: DeviceType>(bands: Bands<'_, T>, rows: Range<usize>) -> Result<Vec<T>> {
    let (mut values, mut next) = (Vec::new(), rows.start);
    let mut started = bands.start()?;
    let mut first = None;
    while let Some(band) = started.next()? {
        assert_eq!(band.rows.start, next);
        assert!(!band.rows.is_empty());
        assert_eq!(band.start - *first.get_or_insert(band.start), values.len());
        let by_rows: usize = band.each_row().map(|(_, row)| row.len()).sum();
        assert_eq!(by_rows, band.values.len());
        next = band.rows.end;
        values.extend_from_slice(band.values);
    }
    assert!(started.next()?.is_none());
    assert_eq!(next, rows.end);
    Ok(values)
}

#[test]
fn bands_are_what_one_launch_gives() {
    for device in devices() {
        let kernel = marks::load(&device).unwrap();
        for n in [0, 1, 2, 3, 17, 65, 130] {
            let x = device.upload(&numbers(n)).unwrap();
            let mut all = device.packed(n).unwrap();
            let (mut count, mut list) = (device.sum().unwrap(), device.pairs(n * n).unwrap());
            kernel.launch(&x, 1000, &mut all, &mut count, &mut list).unwrap();
            let (all, mut pairs) = (all.download().unwrap(), list.download().unwrap());
            pairs.sort_unstable();
            for way in ways(&device, n) {
                let (mut count, mut list) = (device.sum().unwrap(), device.pairs(n * n).unwrap());
                let bands = kernel.bands(&x, 1000, &mut count, &mut list).unwrap();
                let found = joined(cut(&device, bands, n, way), 0..n).unwrap();
                assert_eq!(found, all.as_slice(), "{n} {way:?}");
                assert_eq!(count.download().unwrap(), all.len() as u64, "{n} {way:?}");
                let mut found = list.download().unwrap();
                found.sort_unstable();
                assert_eq!(found, pairs, "{n} {way:?}");
            }
            for rows in [0..n / 2, n / 3..n, n / 2..n / 2] {
                let (mut count, mut list) = (device.sum().unwrap(), device.pairs(n * n).unwrap());
                let kernel = kernel.rows(rows.clone());
                let bands = kernel.bands(&x, 1000, &mut count, &mut list).unwrap().height(10);
                let start = |row: usize| row * row.saturating_sub(1) / 2;
                let expected = &all.as_slice()[start(rows.start)..start(rows.end)];
                assert_eq!(joined(bands, rows.clone()).unwrap(), expected, "{n} {rows:?}");
                assert_eq!(count.download().unwrap(), expected.len() as u64);
            }
        }
    }
}

#[test]
fn bands_are_of_any_slots() {
    for device in devices() {
        for n in [0, 1, 2, 65, 130] {
            let host = numbers(n);
            let x = device.upload(&host).unwrap();
            for way in ways(&device, n) {
                let mut seen = device.zeroed::<u32>(n).unwrap();
                let kernel = both::load(&device).unwrap();
                let bands = kernel.bands(&x, &mut seen).unwrap();
                let found = joined(cut(&device, bands, n, way), 0..n).unwrap();
                let pairs = (0..n).flat_map(|i| (0..=i).map(move |j| (i, j)));
                let expected: Vec<_> = pairs.map(|(i, j)| [host[i], host[j]]).collect();
                assert_eq!(found, expected, "{n} {way:?}");
                let expected: Vec<u32> = (1..=n as u32).collect();
                assert_eq!(seen.download().unwrap(), expected, "{n} {way:?}");

                let bands = indices::load(&device).unwrap().bands(n).unwrap();
                let found = joined(cut(&device, bands, n, way), 0..n).unwrap();
                let pairs = (0..n as u64).flat_map(|i| (0..i).map(move |j| 1000 * i + j));
                assert_eq!(found, pairs.collect::<Vec<_>>(), "{n} {way:?}");
            }
        }
    }
}

#[test]
fn bands_are_of_the_rows_of_a_matrix() {
    for device in devices() {
        let (kernel, other) = (cross::load(&device).unwrap(), of_columns::load(&device).unwrap());
        for (rows, columns) in [(0, 5), (5, 0), (1, 1), (3, 200), (130, 67)] {
            let x = device.upload(&(0..rows as u32).collect::<Vec<_>>()).unwrap();
            let y = device.upload(&numbers(columns)).unwrap();
            let mut all = device.matrix(rows, columns).unwrap();
            let mut total = device.sum().unwrap();
            kernel.launch(&x, &y, &mut total, &mut all).unwrap();
            let (all, sum) = (all.download().unwrap(), total.download().unwrap());
            for way in ways(&device, rows) {
                total.clear().unwrap();
                let bands = kernel.bands(&x, &y, &mut total).unwrap();
                let found = joined(cut(&device, bands, columns, way), 0..rows).unwrap();
                assert_eq!(found, all.as_slice(), "{rows} {columns} {way:?}");
                assert_eq!(total.download().unwrap(), sum);
                let bands = other.bands(rows, &y).unwrap();
                let found = joined(cut(&device, bands, columns, way), 0..rows).unwrap();
                assert_eq!(found, all.as_slice(), "{rows} {columns} {way:?}");
            }
        }
    }
}

/// Integers in floats, so that no order of additions makes a difference.
#[test]
fn bands_are_of_folds_too() {
    let (n, width) = (150, 9);
    let values: Vec<f32> = (0..n * width).map(|k| (k % 13) as f32 - 6.0).collect();
    for device in devices() {
        let (kernel, p) = (dots::load(&device).unwrap(), device.features(&values, width).unwrap());
        let mut all = device.packed(n).unwrap();
        kernel.launch(&p, &mut all).unwrap();
        for way in ways(&device, n) {
            let bands = cut(&device, kernel.bands(&p).unwrap(), n, way);
            assert_eq!(joined(bands, 0..n).unwrap(), all.download().unwrap().as_slice(), "{way:?}");
        }
    }
}

#[test]
fn what_is_wrong_is_told_before_anything_runs() {
    for device in devices() {
        let x = device.upload(&numbers(100)).unwrap();
        let count = RefCell::new(device.sum().unwrap());
        let kernel = marks::load(&device).unwrap();
        let error = |change: &dyn Fn(Bands<'_, u32>) -> Bands<'_, u32>| {
            let (mut count, mut list) = (count.borrow_mut(), device.pairs(9).unwrap());
            let bands = kernel.bands(&x, 1, &mut count, &mut list).unwrap();
            change(bands).start().map(drop).unwrap_err()
        };
        let flight = if device.name().contains("emulator") { 2 } else { 1 };
        let small = error(&|bands| bands.memory(flight * 395));
        let text = small.to_string();
        assert_eq!(small.kind(), ErrorKind::Arguments, "{text}");
        let words = format!(
            "row 99 has 396 bytes, and a band has room for 395: give `memory` {0} bytes and `host_memory` {0} bytes",
            396 * flight
        );
        assert!(text.starts_with(&words), "{text}");
        assert!(error(&|bands| bands.host_memory(0)).to_string().contains("has room for 0"));
        #[allow(clippy::reversed_empty_ranges)]
        for rows in [0..101, 7..3] {
            let outside = error(&|bands| bands.rows(rows.clone()));
            assert!(outside.to_string().contains("the rows of 100 elements"), "{outside}");
        }
        assert_eq!(count.borrow().download().unwrap(), 0);

        let halves = halves::load(&device).unwrap();
        for n in [0, 100] {
            let x = x.slice(..n).unwrap();
            let error = halves.bands(&x).unwrap().start().map(drop).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::NoRows, "{error}");
        }
        let (mut count, mut list) = (count.borrow_mut(), device.pairs(9).unwrap());
        let error = kernel.rows(5..101).bands(&x, 1, &mut count, &mut list).map(drop).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Arguments, "{error}");
        let other = device.upload(&numbers(7)).unwrap();
        let mut total = device.sum().unwrap();
        let bands = cross::load(&device).unwrap().bands(&x, &other, &mut total).unwrap();
        assert_eq!(joined(bands, 0..100).unwrap().len(), 700);
    }
}

/// An error of a launch ends the bands, also for whoever asks again.
#[test]
fn an_error_in_the_middle_ends_the_bands() {
    for device in devices() {
        let bands = device.bands::<u32>(50, |rows, _| {
            if rows.contains(&33) { Err(Error::other("row 33")) } else { Ok(()) }
        });
        let mut bands = bands.height(10).start().unwrap();
        let mut rows = 0;
        let error = loop {
            match bands.next() {
                Ok(band) => rows = band.unwrap().rows.end,
                Err(error) => break error,
            }
        };
        assert!(rows <= 30, "{rows}");
        assert_eq!(error.to_string(), "row 33");
        let again = bands.next().unwrap_err().to_string();
        assert_eq!(again, "there are no more bands after an error: row 33");
    }
}

#[test]
fn bands_may_be_dropped_early() {
    for device in devices() {
        let (n, kernel) = (200, marks::load(&device).unwrap());
        let x = device.upload(&numbers(n)).unwrap();
        for seen in 0..4 {
            let mut count = device.sum().unwrap();
            let mut list = device.pairs(n * n).unwrap();
            let bands = kernel.bands(&x, 1000, &mut count, &mut list).unwrap();
            let mut bands = bands.height(20).start().unwrap();
            for _ in 0..seen {
                assert!(bands.next().unwrap().is_some());
            }
            drop(bands);
            // Whole bands have been counted: those that were seen, and on the emulator some that were under way.
            let counted = count.download().unwrap() as usize;
            let pairs = |n: usize| n * n.saturating_sub(1) / 2;
            let ends: Vec<usize> = (0..=10).map(|band| pairs(20 * band)).collect();
            let begun = ends.iter().position(|end| *end == counted).unwrap();
            assert!((seen..=seen + 4).contains(&begun), "{seen} {begun}");
            let mut count = device.sum().unwrap();
            let bands = kernel.bands(&x, 1000, &mut count, &mut list).unwrap();
            assert_eq!(joined(bands, 0..n).unwrap().len(), n * (n - 1) / 2);
        }
    }
}

#[test]
fn an_error_of_the_sink_is_the_callers() {
    for device in devices() {
        let x = device.upload(&numbers(100)).unwrap();
        let kernel = indices::load(&device).unwrap();
        let mut seen = 0;
        let error = kernel.bands(100).unwrap().height(10).each(|band| {
            seen = band.rows.end;
            "no number".parse::<u32>().map(drop).map_err(Error::other)
        });
        let error = error.unwrap_err();
        assert_eq!((seen, error.kind()), (10, ErrorKind::Other));
        assert_eq!(error.to_string(), "invalid digit found in string");
        drop(x);
    }
}

#[test]
fn progress_is_told_after_each_band() {
    for device in devices() {
        let told = RefCell::new(Vec::new());
        let bands = indices::load(&device).unwrap().bands(10).unwrap().height(4);
        let bands =
            bands.progress(|done| told.borrow_mut().push((done.next_row, done.values, done.of)));
        let mut bands = bands.start().unwrap();
        let mut before = 0;
        while bands.next().unwrap().is_some() {
            assert_eq!(told.borrow().len(), before);
            before += 1;
        }
        assert_eq!(*told.borrow(), [(4, 6, 45), (8, 28, 45), (10, 45, 45)]);
        drop(bands);
        told.borrow_mut().clear();
        let bands = indices::load(&device).unwrap().rows(8..10).bands(10).unwrap();
        bands
            .progress(|done| told.borrow_mut().push((done.next_row, done.values, done.of)))
            .each(|_| Ok(()))
            .unwrap();
        assert_eq!(*told.borrow(), [(10, 17, 17)]);
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The bytes of a header.
const HEADER: usize = 128;

/// The values' bytes that another crate writes for the same array. Its header has other spaces.
fn npy<A: WriteNpyExt>(array: &A) -> Vec<u8> {
    let mut bytes = Vec::new();
    array.write_npy(&mut bytes).unwrap();
    bytes.split_off(HEADER)
}

/// The values' bytes in a file.
fn values(path: &Path) -> Vec<u8> {
    let mut bytes = fs::read(path).unwrap();
    bytes.split_off(HEADER)
}

#[test]
fn a_file_has_the_bytes_that_other_programs_write() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npy");
    for device in devices() {
        for n in [0, 1, 2, 65, 130] {
            let x = device.upload(&numbers(n)).unwrap();
            let mut all = device.packed(n).unwrap();
            let kernel = indices::load(&device).unwrap();
            kernel.launch(&mut all).unwrap();
            let all = Array1::from_vec(all.download().unwrap().into_vec());
            for way in ways(&device, n) {
                // Each replaces the file before it.
                cut(&device, kernel.bands(n).unwrap(), n, way).write_npy(&path).unwrap();
                assert_eq!(read_npy::<_, Array1<u64>>(&path).unwrap(), all, "{n} {way:?}");
                assert_eq!(values(&path), npy(&all), "{n} {way:?}");
            }
            let mut seen = device.zeroed::<u32>(n).unwrap();
            let bands = both::load(&device).unwrap().bands(&x, &mut seen).unwrap();
            bands.height(9).write_npy(&path).unwrap();
            let vectors: Array2<u32> = read_npy(&path).unwrap();
            assert_eq!(vectors.dim(), (n * (n + 1) / 2, 2));
            let host = numbers(n);
            let pairs = (0..n).flat_map(|i| (0..=i).map(move |j| (i, j)));
            for (row, (i, j)) in vectors.rows().into_iter().zip(pairs) {
                assert_eq!(row.to_vec(), [host[i], host[j]]);
            }
        }
        let y = device.upload(&numbers(7)).unwrap();
        let kernel = of_columns::load(&device).unwrap();
        kernel.bands(50, &y).unwrap().height(8).write_npy(&path).unwrap();
        let all: Array2<u32> = read_npy(&path).unwrap();
        assert_eq!(all.dim(), (50, 7));
        assert_eq!(all[[49, 6]], 49_000 + numbers(7)[6]);
        // Some rows are an array of these rows.
        kernel.rows(10..13).bands(50, &y).unwrap().height(2).write_npy(&path).unwrap();
        let some: Array2<u32> = read_npy(&path).unwrap();
        assert_eq!(some, all.slice(ndarray::s![10..13, ..]));
        assert_eq!(values(&path), npy(&some));
        let bands = device.matrix_bands::<[f32; 3]>(4, 2, |_, _| Ok(()));
        bands.write_npy(&path).unwrap();
        assert_eq!(read_npy::<_, Array3<f32>>(&path).unwrap().dim(), (4, 2, 3));
    }
    assert_eq!(names(folder.path()), ["a.npy"]);
}

/// SciPy's form, of any size of bands: what `to_condensed` makes of all values in memory.
#[test]
fn reversed_elements_make_a_condensed_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npy");
    for device in devices() {
        for n in [0, 1, 2, 3, 65, 130] {
            // The order of a pair makes a difference here, and so the value of (i, j) is that of (n - 1 - j, n - 1 - i).
            let x: Vec<u32> = numbers(n).into_iter().rev().collect();
            let x = device.upload(&x).unwrap();
            let (kernel, host) = (difference::load(&device).unwrap(), numbers(n));
            let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
            let expected: Vec<_> = pairs.map(|(i, j)| 1000 * host[i] + host[j]).collect();
            for way in ways(&device, n) {
                let bands = cut(&device, kernel.bands(&x).unwrap(), n, way).condensed();
                bands.write_npy(&path).unwrap();
                let found: Array1<u32> = read_npy(&path).unwrap();
                assert_eq!(found.to_vec(), expected, "{n} {way:?}");
            }
        }
        let bands = || device.bands::<u32>(5, |_, _| Ok(())).condensed();
        let matrix = device.matrix_bands::<u32>(5, 5, |_, _| Ok(())).condensed();
        let diagonal = device.bands_with_diagonal::<u32>(5, |_, _| Ok(())).condensed();
        for bands in [bands().rows(1..5), matrix, diagonal] {
            let error = bands.write_npy(&path).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Arguments);
            assert!(error.to_string().contains("have a condensed form"), "{error}");
        }
    }
    // More values than are turned round at a time.
    let device = Device::cpu().unwrap();
    let host = numbers(2000);
    let all = device.upload(&host).unwrap();
    let reversed = device.upload(&host.iter().rev().copied().collect::<Vec<_>>()).unwrap();
    let (kernel, mut slots) = (apart::load(&device).unwrap(), device.packed(2000).unwrap());
    kernel.launch(&all, &mut slots).unwrap();
    kernel.bands(&reversed).unwrap().condensed().write_npy(&path).unwrap();
    let found: Array1<u32> = read_npy(&path).unwrap();
    assert_eq!(found.to_vec(), slots.download().unwrap().to_condensed().unwrap());
}

/// Every type of values has the name that NumPy has for it.
#[test]
fn values_of_every_type_are_written() {
    fn check<T>(device: &Device, path: &Path)
    where
        T: NpyValue + ndarray_npy::ReadableElement + ndarray_npy::WritableElement + Default,
    {
        device.bands::<T>(4, |_, _| Ok(())).write_npy(path).unwrap();
        let zeros: Array1<T> = read_npy(path).unwrap();
        assert_eq!(values(path), npy(&zeros));
        assert_eq!(zeros.len(), 6);
    }
    let folder = tempfile::tempdir().unwrap();
    let (path, device) = (&folder.path().join("a.npy"), &Device::cpu().unwrap());
    check::<f32>(device, path);
    check::<f64>(device, path);
    check::<i8>(device, path);
    check::<i16>(device, path);
    check::<i32>(device, path);
    check::<i64>(device, path);
    check::<u8>(device, path);
    check::<u16>(device, path);
    check::<u32>(device, path);
    check::<u64>(device, path);
    assert_eq!(<td_kernel::half::f16 as NpyValue>::DESCR, "<f2");
}

#[test]
fn a_failure_leaves_the_file_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npy");
    fs::write(&path, "precious").unwrap();
    for device in devices() {
        let bands = device.bands::<u32>(50, |rows, _| {
            // Beside the one of that name, there is one that does not look complete.
            let is_part = |name: &String| name.starts_with("a.npy.") && name.ends_with(".part");
            assert_eq!(names(folder.path()).iter().filter(|name| is_part(name)).count(), 1);
            if rows.contains(&33) { Err(Error::other("row 33")) } else { Ok(()) }
        });
        assert_eq!(bands.height(10).write_npy(&path).unwrap_err().to_string(), "row 33");
        assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
        assert_eq!(names(folder.path()), ["a.npy"]);

        let bands = || device.bands::<u32>(50, |_, _| panic!("nothing runs"));
        let nowhere = folder.path().join("no/a.npy");
        for (path, words) in [
            (folder.path(), "it is not a file"),
            (nowhere.as_path(), "o such file"),
            (Path::new("/"), "it is no name of a file"),
        ] {
            let error = bands().write_npy(path).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Io, "{error}");
            let text = error.to_string();
            assert!(text.starts_with(&format!("cannot write {}: ", path.display())), "{text}");
            assert!(text.contains(words), "{text}");
        }
    }
}

/// A caller's own file holds what the other way writes, and nothing of what it held before.
#[test]
fn a_file_of_the_callers_is_filled() {
    let folder = tempfile::tempdir().unwrap();
    let (path, own) = (folder.path().join("a.npy"), folder.path().join("own"));
    fs::write(&own, vec![7_u8; 5000]).unwrap();
    let device = Device::cpu().unwrap();
    let kernel = indices::load(&device).unwrap();
    kernel.bands(20).unwrap().write_npy(&path).unwrap();
    let file = fs::File::options().write(true).open(&own).unwrap();
    kernel.bands(20).unwrap().height(3).write_npy_to(&file).unwrap();
    assert_eq!(fs::read(&own).unwrap(), fs::read(&path).unwrap());
    let file = fs::File::open(&own).unwrap();
    let error = kernel.bands(20).unwrap().write_npy_to(&file).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Other, "{error}");
}

#[cfg(unix)]
#[test]
fn a_file_is_its_users_as_any_other_is() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let (path, other) = (folder.path().join("a.npy"), folder.path().join("other"));
    fs::write(&other, "").unwrap();
    let device = Device::cpu().unwrap();
    indices::load(&device).unwrap().bands(20).unwrap().write_npy(&path).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&path), mode(&other));
}

/// More than the disk has: nothing is computed, and none of the disk is taken.
#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_is_too_small_is_an_error_before_anything_runs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npy");
    let device = Device::cpu().unwrap();
    // 2^45 values are 256 TiB.
    let bands = device.matrix_bands::<u64>(1 << 35, 1 << 10, |rows, _| {
        assert!(rows.is_empty(), "{rows:?}");
        Ok(())
    });
    let error = bands.height(1).write_npy(&path).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io, "{error}");
    let kind = error.io_error().unwrap().kind();
    assert!(
        [std::io::ErrorKind::StorageFull, std::io::ErrorKind::FileTooLarge].contains(&kind),
        "{error}"
    );
    assert!(error.to_string().contains("a.npy"), "{error}");
    assert!(names(folder.path()).is_empty());
}

//! Chunks in files in NumPy's format.

use std::fs;
use std::path::Path;

use ndarray::{Array1, Array2, Array3};
use ndarray_npy::{WriteNpyExt, read_npy};
use td_kernel::{Device, Error, ErrorKind, NpyValue, Shape};

use super::{apart, both, cut, devices, difference, indices, numbers, of_columns, ways};

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
fn file_has_numpy_bytes() {
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
                // Each replaces the previous file.
                cut(&device, kernel.chunks(n).unwrap(), n, way).write_npy(&path).unwrap();
                assert_eq!(read_npy::<_, Array1<u64>>(&path).unwrap(), all, "{n} {way:?}");
                assert_eq!(values(&path), npy(&all), "{n} {way:?}");
            }
            let mut seen = device.zeroed::<u32>(n).unwrap();
            let chunks = both::load(&device).unwrap().chunks(&x, &mut seen).unwrap();
            chunks.height(9).write_npy(&path).unwrap();
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
        kernel.chunks(50, &y).unwrap().height(8).write_npy(&path).unwrap();
        let all: Array2<u32> = read_npy(&path).unwrap();
        assert_eq!(all.dim(), (50, 7));
        assert_eq!(all[[49, 6]], 49_000 + numbers(7)[6]);
        // Some rows are an array of these rows.
        kernel.rows(10..13).chunks(50, &y).unwrap().height(2).write_npy(&path).unwrap();
        let some: Array2<u32> = read_npy(&path).unwrap();
        assert_eq!(some, all.slice(ndarray::s![10..13, ..]));
        assert_eq!(values(&path), npy(&some));
        let chunks = device.chunks::<[f32; 3]>((4, 2), |_, _| Ok(()));
        chunks.write_npy(&path).unwrap();
        assert_eq!(read_npy::<_, Array3<f32>>(&path).unwrap().dim(), (4, 2, 3));
    }
    assert_eq!(names(folder.path()), ["a.npy"]);
}

/// SciPy's form, with any size of chunks: equal to `to_condensed` of all values in memory.
#[test]
fn reversed_elements_condense() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npy");
    for device in devices() {
        for n in [0, 1, 2, 3, 65, 130] {
            // The order of a pair matters here, so the value of (i, j) is that of (n - 1 - j, n - 1 - i).
            let x: Vec<u32> = numbers(n).into_iter().rev().collect();
            let x = device.upload(&x).unwrap();
            let (kernel, host) = (difference::load(&device).unwrap(), numbers(n));
            let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
            let expected: Vec<_> = pairs.map(|(i, j)| 1000 * host[i] + host[j]).collect();
            for way in ways(&device, n) {
                let chunks = cut(&device, kernel.chunks(&x).unwrap(), n, way).condensed();
                chunks.write_npy(&path).unwrap();
                let found: Array1<u32> = read_npy(&path).unwrap();
                assert_eq!(found.to_vec(), expected, "{n} {way:?}");
            }
        }
        let chunks = || device.chunks::<u32>(5, |_, _| Ok(())).condensed();
        let matrix = device.chunks::<u32>((5, 5), |_, _| Ok(())).condensed();
        let diagonal =
            device.chunks::<u32>(Shape::triangle(5).with_diagonal(), |_, _| Ok(())).condensed();
        for chunks in [chunks().rows(1..5), matrix, diagonal] {
            assert_errors! { chunks.write_npy(&path) => "the condensed form needs all rows", Arguments; }
        }
    }
    // More values than are reversed at a time.
    let device = Device::cpu().unwrap();
    let host = numbers(2000);
    let all = device.upload(&host).unwrap();
    let reversed = device.upload(&host.iter().rev().copied().collect::<Vec<_>>()).unwrap();
    let (kernel, mut slots) = (apart::load(&device).unwrap(), device.packed(2000).unwrap());
    kernel.launch(&all, &mut slots).unwrap();
    kernel.chunks(&reversed).unwrap().condensed().write_npy(&path).unwrap();
    let found: Array1<u32> = read_npy(&path).unwrap();
    assert_eq!(found.to_vec(), slots.download().unwrap().to_condensed().unwrap());
}

/// Every type of values has NumPy's name for it.
#[test]
fn values_of_every_type_are_written() {
    fn check<T>(device: &Device, path: &Path)
    where
        T: NpyValue + ndarray_npy::ReadableElement + ndarray_npy::WritableElement + Default,
    {
        device.chunks::<T>(4, |_, _| Ok(())).write_npy(path).unwrap();
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
fn failure_keeps_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npy");
    fs::write(&path, "precious").unwrap();
    for device in devices() {
        let chunks = device.chunks::<u32>(50, |rows, _| {
            // Beside the file of that name, there is one that does not look complete.
            let is_part = |name: &String| name.starts_with("a.npy.") && name.ends_with(".part");
            assert_eq!(names(folder.path()).iter().filter(|name| is_part(name)).count(), 1);
            if rows.contains(&33) { Err(Error::other("row 33")) } else { Ok(()) }
        });
        assert_eq!(chunks.height(10).write_npy(&path).unwrap_err().to_string(), "row 33");
        assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
        assert_eq!(names(folder.path()), ["a.npy"]);

        let chunks = || device.chunks::<u32>(50, |_, _| panic!("nothing runs"));
        let nowhere = folder.path().join("no/a.npy");
        for (path, words) in [
            (folder.path(), "it is not a file"),
            (nowhere.as_path(), "o such file"),
            (Path::new("/"), "the path does not name a file"),
        ] {
            let first = format!("^cannot write {}: ", path.display());
            assert_errors! { chunks().write_npy(path) => [&*first, words], Io; }
        }
    }
}

/// A caller's own file gets the same bytes as the other way writes, and keeps no earlier ones.
#[test]
fn callers_file_is_filled() {
    let folder = tempfile::tempdir().unwrap();
    let (path, own) = (folder.path().join("a.npy"), folder.path().join("own"));
    fs::write(&own, vec![7_u8; 5000]).unwrap();
    let device = Device::cpu().unwrap();
    let kernel = indices::load(&device).unwrap();
    kernel.chunks(20).unwrap().write_npy(&path).unwrap();
    let file = fs::File::options().write(true).open(&own).unwrap();
    kernel.chunks(20).unwrap().height(3).write_npy_to(&file).unwrap();
    assert_eq!(fs::read(&own).unwrap(), fs::read(&path).unwrap());
    let file = fs::File::open(&own).unwrap();
    assert_errors! { kernel.chunks(20).unwrap().write_npy_to(&file) => "", Other; }
}

#[cfg(unix)]
#[test]
fn file_permissions_are_usual() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let (path, other) = (folder.path().join("a.npy"), folder.path().join("other"));
    fs::write(&other, "").unwrap();
    let device = Device::cpu().unwrap();
    indices::load(&device).unwrap().chunks(20).unwrap().write_npy(&path).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&path), mode(&other));
}

/// Larger than the disk: nothing is computed, and no disk space is allocated.
#[cfg(target_os = "linux")]
#[test]
fn full_disk_is_found_before_a_launch() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npy");
    let device = Device::cpu().unwrap();
    // 2^45 values are 256 TiB.
    let chunks = device.chunks::<u64>((1 << 35, 1 << 10), |rows, _| {
        assert!(rows.is_empty(), "{rows:?}");
        Ok(())
    });
    let error = chunks.height(1).write_npy(&path).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io, "{error}");
    let kind = error.io_error().unwrap().kind();
    assert!(
        [std::io::ErrorKind::StorageFull, std::io::ErrorKind::FileTooLarge].contains(&kind),
        "{error}"
    );
    assert!(error.to_string().contains("a.npy"), "{error}");
    assert!(names(folder.path()).is_empty());
}

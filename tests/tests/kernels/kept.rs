//! Libraries for the CPU in the cache's folder: a later device finds them, and damaged ones are compiled again.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use td_kernel::{Device, td_kernel};

#[td_kernel]
unsafe fn differences(#[each] x: &[i32], difference: &mut Packed<i32>) {
    r#" difference = x.i - x.j; "#
}

/// Loads the kernel with a new device, and launches it.
fn run(device: Device, folder: &Path) {
    let device = device.with_cache(folder);
    let kernel = differences::load(&device).unwrap();
    let x = device.upload(&[1, 3, 6]).unwrap();
    let mut difference = device.packed(3).unwrap();
    kernel.launch(&x, &mut difference).unwrap();
    assert_eq!(difference.download().unwrap().as_slice(), [2, 5, 3]);
}

/// The entries, and when they were written.
fn entries(folder: &Path) -> Vec<(PathBuf, SystemTime)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut entries: Vec<_> = entries
        .filter(|path| path.extension().is_some_and(|extension| extension == "cpu"))
        .map(|path| (path.clone(), fs::metadata(path).unwrap().modified().unwrap()))
        .collect();
    entries.sort();
    entries
}

#[test]
fn next_device_finds_the_library() {
    let folder = tempfile::tempdir().unwrap();
    run(Device::cpu().unwrap(), folder.path());
    let first = entries(folder.path());
    assert_eq!(first.len(), 1);
    run(Device::cpu().unwrap(), folder.path());
    assert_eq!(entries(folder.path()), first, "it was compiled again");
    // The emulator has other sources, one for large n and one for small n, and other options.
    run(Device::emulator().unwrap(), folder.path());
    assert_eq!(entries(folder.path()).len(), 3);

    // A damaged entry is compiled again.
    let path = &first[0].0;
    let whole = fs::read(path).unwrap();
    fs::write(path, &whole[..whole.len() / 2]).unwrap();
    run(Device::cpu().unwrap(), folder.path());
    assert!(fs::read(path).unwrap().len() > whole.len() / 2);
}

// With one tile there is one source.
#[td_kernel(tile = 64)]
unsafe fn closest(#[each] x: &[i32], #[each] near: &mut Nearest<i32, 1>) {
    r#" near.push(abs(x.i - x.j)); "#
}

/// The two functions of a source with nearest neighbours are in one library.
#[test]
fn all_functions_of_a_source_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let run = || {
        let device = Device::emulator().unwrap().with_cache(folder.path());
        let mut near = device.nearest(3).unwrap();
        let x = device.upload(&[1, 3, 6]).unwrap();
        closest::load(&device).unwrap().launch(&x, &mut near).unwrap();
        assert_eq!(near.download().unwrap().indices(), [1, 0, 1]);
        entries(folder.path())
    };
    let first = run();
    assert_eq!((first.len(), run()), (1, first), "made again, or one for each");
}

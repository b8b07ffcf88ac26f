//! Memory of the host and of the CPU device: unused memory is not allocated, and running out of it is an error.

use td_kernel::{Device, ErrorKind, HostPacked, Shape};

use super::{process, succeeds};

/// The resident bytes of the process.
fn resident() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap();
    pages.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap() * 4096
}

/// A matrix of some 96 MB; its square is twice as large.
fn matrix() -> HostPacked<f32> {
    let n: usize = 6930;
    HostPacked::from_condensed(&vec![1.0; n * (n - 1) / 2]).unwrap()
}

/// Runs the case in this process, if it is one of these.
pub(super) fn run(case: &str) -> bool {
    match case {
        "untouched" => {
            let device = Device::cpu().unwrap();
            let before = resident();
            let slots = device.packed::<f32>(32_000).unwrap();
            let buffer = device.zeroed::<u64>(1 << 27).unwrap();
            let square = device.square::<f64>(11_000).unwrap();
            let taken = resident() - before;
            assert!(taken < 64 << 20, "{taken} bytes of {}", 4 * slots.len() + 8 * buffer.len());
            drop(square);
        }
        "to_square" => assert_errors! { matrix().to_square() => "", OutOfHostMemory; },
        "condensed" => {
            let matrix = matrix();
            // Less memory is left than another copy needs.
            let held: Vec<_> = (0..2).map_while(|_| matrix.to_condensed().ok()).collect();
            assert_errors! { matrix.to_condensed() => "", OutOfHostMemory; }
            drop(held);
        }
        "download" => {
            let device = Device::cpu().unwrap();
            let slots = device.packed::<f32>(9000).unwrap();
            assert_errors! { slots.download() => "", OutOfHostMemory; }
        }
        _ => return false,
    }
    true
}

/// Runs the case in a process with this limit of address space, in KB.
fn passes(case: &str, limit: &str) {
    succeeds(&process(&format!("ulimit -v {limit};"), case).output().unwrap());
}

#[test]
fn untouched_memory_is_not_taken() {
    passes("untouched", "unlimited");
}

#[test]
fn out_of_memory_is_an_error() {
    passes("to_square", "350000");
    passes("condensed", "450000");
    // The device itself needs some address space.
    passes("download", "450000");
}

#[test]
fn oversized_allocation_names_the_limit() {
    let device = Device::cpu().unwrap();
    let error = device.packed::<f32>(10_000_000).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfDeviceMemory, "{error}");
    assert!(error.limit().is_some(), "{error}");
    assert_errors! { device.pinned::<f64>(1 << 48) => "", OutOfHostMemory; }
}

#[test]
fn copies_with_and_without_pinned_memory() {
    let device = Device::cpu().unwrap();
    for length in [0, 1, 1000, (16 << 20) / 4 - 1, (16 << 20) / 4, 5_000_001] {
        let host: Vec<u32> = (0..length as u32).collect();
        let buffer = device.upload(&host).unwrap();
        assert!(buffer.download().unwrap() == host, "{length}");
        let mut pinned = device.pinned(length).unwrap();
        assert!(pinned.iter().all(|value| *value == 0), "{length}");
        buffer.download_into(&mut pinned).unwrap();
        assert!(pinned[..] == host[..], "{length}");
        assert!(device.upload(&pinned).unwrap().download().unwrap() == host, "{length}");
        let error = buffer.download_into(&mut vec![0; length + 1]).unwrap_err().to_string();
        assert_eq!(
            error,
            format!(
                "cannot copy {length} elements into a slice of {}: pass a slice of {length}",
                length + 1
            )
        );
    }
    let mut square = device.square::<f32>(3).unwrap();
    let mut values = [1.0; 9];
    square.download_into(&mut values).unwrap();
    assert_eq!(values, [0.0; 9]);
    square = device.square(2).unwrap();
    assert_errors! { square.download_into(&mut values) => "cannot copy 4 elements into a slice of 9", Arguments; }
    let slots = device.packed::<f32>(Shape::triangle(3).with_diagonal()).unwrap();
    slots.download_into(&mut values[..6]).unwrap();
}

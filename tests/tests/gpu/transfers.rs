//! Copies between the host and a GPU: by the driver, by several threads through page-locked slots, and by the GPU itself.

use std::thread;

use td_kernel::{Device, DeviceType, ErrorKind, td_kernel};

use crate::{gpu, share_memory};

/// From this size in bytes on, threads share a copy, in pieces of a quarter of it.
const SHARED: usize = 8 << 20;

/// Sizes around which copies are done differently, or have another number of pieces.
const SIZES: [usize; 12] = [
    0,
    1,
    4096,
    SHARED - 32,
    SHARED,
    SHARED + 32,
    3 * SHARED / 2,
    2 * SHARED - 32,
    2 * SHARED + 32,
    // More than all slots of the maximum number of threads hold.
    17 * SHARED,
    33 * SHARED / 2 + 4096,
    40 * SHARED + 32,
];

/// A number for each slot, all different as far as 32 bits allow.
fn mixed(slot: usize) -> u32 {
    (slot as u32).wrapping_mul(0x9e37_79b9) ^ 0x5bd1_e995
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceType)]
#[repr(C)]
struct Wide {
    x: [u32; 3],
    y: f64,
}

fn both_ways<T: DeviceType + PartialEq>(device: &Device, value: impl Fn(usize) -> T) {
    let mut before = None;
    for bytes in SIZES {
        let length = bytes.div_ceil(size_of::<T>());
        let name = format!("{length} elements of {} bytes", size_of::<T>());
        let host: Vec<T> = (0..length).map(&value).collect();
        let buffer = device.upload(&host).unwrap();
        assert!(buffer.download().unwrap() == host, "{name}: download");

        // Into the middle of a slice, whose other elements must not change.
        let other = value(usize::MAX);
        let mut slice = vec![other; length + 2];
        buffer.download_into(&mut slice[1..=length]).unwrap();
        assert!(slice[1..=length] == host[..], "{name}: into a slice");
        assert!(slice[0] == other && slice[length + 1] == other, "{name}: beside a slice");

        let mut pinned = device.pinned(length + 2).unwrap();
        let zero = pinned[0];
        buffer.download_into(&mut pinned[1..=length]).unwrap();
        assert!(pinned[1..=length] == host[..], "{name}: into pinned memory");
        assert!(pinned[0] == zero && pinned[length + 1] == zero, "{name}: beside pinned memory");

        let from_pinned = device.upload(&pinned[1..=length]).unwrap();
        // The device has its own copy now, so the host may overwrite its memory at once.
        pinned.fill(other);
        assert!(from_pinned.download().unwrap() == host, "{name}: from pinned memory");

        assert_errors! { buffer.download_into(&mut slice) => "", Arguments; }
        // An upload that must survive the copies after it.
        if let Some((buffer, host)) = before.replace((buffer, host)) {
            assert!(buffer.download().unwrap() == host, "{name}: the one before");
        }
    }
}

#[test]
fn copies_of_every_size_and_kind() {
    let _share = share_memory();
    let device = gpu();
    both_ways(&device, |slot| mixed(slot) as u8);
    both_ways(&device, mixed);
    both_ways(&device, |slot| [slot as u32, mixed(slot), 7]);
    both_ways(&device, |slot| Wide { x: [mixed(slot); 3], y: slot as f64 });
}

/// A copy small enough for a memory checker, but large enough to be shared.
#[test]
fn small_shared_copies_are_whole() {
    let device = gpu();
    let host: Vec<u32> = (0..SHARED / 4 + 5).map(mixed).collect();
    let buffer = device.upload(&host[1..]).unwrap();
    let mut back = vec![0; host.len()];
    buffer.download_into(&mut back[1..]).unwrap();
    assert!(back[1..] == host[1..]);
    let mut pinned = device.pinned(host.len() - 1).unwrap();
    buffer.download_into(&mut pinned).unwrap();
    assert!(pinned[..] == host[1..]);
}

#[test]
fn threads_copy_at_once() {
    let _share = share_memory();
    let device = gpu();
    thread::scope(|scope| {
        for thread in 0..6 {
            let device = &device;
            scope.spawn(move || {
                for round in 0..4 {
                    let bytes = SIZES[(5 + thread + round) % SIZES.len()];
                    let host: Vec<u32> =
                        (0..bytes / 4).map(|slot| mixed(slot) ^ thread as u32).collect();
                    let buffer = device.upload(&host).unwrap();
                    let mut pinned = device.pinned(host.len()).unwrap();
                    if thread % 2 == 0 {
                        buffer.download_into(&mut pinned).unwrap();
                        assert!(pinned[..] == host[..], "{thread}, {round}");
                    }
                    assert!(buffer.download().unwrap() == host, "{thread}, {round}");
                }
            });
        }
    });
}

/// Writes each slot some time after it has started.
#[td_kernel(tile = 0)]
unsafe fn late(delay: u64, #[each] x: &[u32], out: &mut Packed<u32>) {
    r#"
    const long long start = clock64();
    while (clock64() - start < delay) {
    }
    out = x.i * 65536 + x.j;
    "#
}

/// The element count whose pairs need more bytes than the smallest shared copy.
const ELEMENTS: usize = 2500;

fn expected(elements: &[u32]) -> Vec<u32> {
    let rows = elements.iter().enumerate();
    rows.flat_map(|(i, x)| elements[..i].iter().map(move |y| x * 65536 + y)).collect()
}

#[test]
fn download_waits_for_every_writer() {
    let device = gpu();
    let kernel = late::load(&device).unwrap();
    let stream = device.stream().unwrap().context().new_stream().unwrap();
    let elements: Vec<u32> = (0..ELEMENTS as u32).collect();
    let x = device.upload(&elements).unwrap();
    let expected = expected(&elements);
    let mut out = device.packed(ELEMENTS).unwrap();
    let mut pinned = device.pinned(out.len()).unwrap();
    for _ in 0..3 {
        kernel.launch(100_000, &x, &mut out).unwrap();
        assert!(out.download().unwrap().as_slice() == expected);
        kernel.with_stream(&stream).unwrap().launch(100_000, &x, &mut out).unwrap();
        assert!(out.download().unwrap().as_slice() == expected);
        kernel.with_stream(&stream).unwrap().launch(100_000, &x, &mut out).unwrap();
        pinned.fill(0);
        out.download_into(&mut pinned).unwrap();
        assert!(pinned[..] == expected);
        out = device.packed(ELEMENTS).unwrap();
    }
}

#[test]
fn launch_after_upload_sees_all() {
    let _share = share_memory();
    let device = gpu();
    let stream = device.stream().unwrap().context().new_stream().unwrap();
    let kernel = last::load(&device).unwrap();
    for pinned in [false, true] {
        let length = 9 * SHARED / 4 + 1;
        let mut host = device.pinned::<u32>(length).unwrap();
        host.iter_mut().enumerate().for_each(|(slot, value)| *value = mixed(slot));
        let copy = host.to_vec();
        let buffer = device.upload(if pinned { &host } else { &copy[..] }).unwrap();
        host.fill(0);
        let mut ends = device.zeroed::<u32>(3).unwrap();
        kernel.with_stream(&stream).unwrap().launch(2, &buffer, &mut ends).unwrap();
        let found = ends.download().unwrap();
        assert_eq!(found, [mixed(0), mixed(length / 2), mixed(length - 1)], "pinned: {pinned}");
    }
}

#[td_kernel(tile = 0)]
unsafe fn last(x: &[u32], ends: &mut [u32]) {
    r#"
    ends[0] = x[0];
    ends[1] = x[x_length / 2];
    ends[2] = x[x_length - 1];
    "#
}

#[test]
fn pinned_memory_outlives_its_device() {
    let device = gpu();
    let mut pinned = device.pinned::<u32>(SHARED / 4).unwrap();
    assert!(pinned.iter().all(|value| *value == 0));
    pinned.iter_mut().enumerate().for_each(|(slot, value)| *value = mixed(slot));
    drop(device);
    let other = gpu();
    let buffer = other.upload(&pinned).unwrap();
    assert!(buffer.download().unwrap() == pinned[..]);
    drop(other);
    assert!(buffer.download().unwrap() == pinned[..]);
    let cpu = Device::cpu().unwrap();
    assert!(cpu.upload(&pinned).unwrap().download().unwrap() == pinned[..]);
}

#[test]
fn too_much_pinned_memory_is_an_error() {
    let error = gpu().pinned::<u64>(1 << 50).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfHostMemory, "{error}");
    assert_eq!(error.needed(), Some(8 << 50), "{error}");
    assert_errors! { gpu().pinned::<u64>(usize::MAX / 2) => "", TooLarge; }
    assert_eq!(gpu().pinned::<u64>(0).unwrap().len(), 0);
}

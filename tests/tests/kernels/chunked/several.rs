//! Chunks on several devices: the values and all accumulated results equal those of one launch on one device, in order.

use std::cell::RefCell;
use std::fs;
use std::ops::Range;

use td_kernel::{Chunks, Device, Devices, Shape, Target, td_kernel};

use super::{devices_and_several, difference, joined, numbers};

/// A value for each pair, and every result that several devices accumulate.
#[td_kernel]
unsafe fn marks(
    #[each] x: &[u32],
    scale: u32,
    mark: &mut Packed<u32>,
    count: &mut Sum<u64>,
    list: &mut Pairs,
    valued: &mut Pairs<u32>,
    #[each] degree: &mut Sums<u32>,
    #[each] most: &mut Maxima<u32>,
) {
    r#"
    mark = scale * x.i + x.j;
    count += 1;
    if ((x.i + x.j) % 7 == 0) {
        list.push();
        valued.push(mark);
        degree.i += 1;
        degree.j += 1;
    }
    most.offer(x.i + x.j);
    "#
}

#[td_kernel(deterministic = true)]
unsafe fn exact(#[each] x: &[f32], distance: &mut Packed<f32>, sum: &mut Sum<f32>) {
    r#" distance = fabsf(x.i - x.j); sum += distance; "#
}

/// How chunks are divided.
type Cut<'c> = dyn for<'a> Fn(Chunks<'a, u32>) -> Chunks<'a, u32> + 'c;

/// All results of `marks`, in a fixed order.
#[derive(Debug, PartialEq)]
struct Outputs {
    marks: Vec<u32>,
    count: u64,
    list: Vec<[u32; 2]>,
    valued: Vec<([u32; 2], u32)>,
    degree: Vec<u32>,
    most: String,
}

/// One launch, or chunks.
enum How<'a> {
    Launch(&'a Device),
    Chunks(&'a Target, &'a Cut<'a>),
}

/// The results for the kernel's rows.
fn gathered(how: &How<'_>, n: usize, rows: Range<usize>) -> Outputs {
    let device: &Target = match how {
        How::Launch(device) => device,
        How::Chunks(devices, _) => devices,
    };
    let kernel = marks::load(device).unwrap().rows(rows.clone());
    let x = device.upload(&numbers(n)).unwrap();
    let (mut count, mut list) = (device.sum().unwrap(), device.pairs(n * n).unwrap());
    let mut valued = device.pairs(n * n).unwrap();
    let (mut degree, mut most) = (device.sums(n).unwrap(), device.maxima(n).unwrap());
    let marks = match how {
        How::Launch(device) => {
            let mut slots = device.packed(Shape::triangle(n).of_rows(rows)).unwrap();
            kernel
                .launch(
                    &x, 1000, &mut slots, &mut count, &mut list, &mut valued, &mut degree,
                    &mut most,
                )
                .unwrap();
            slots.download().unwrap().into_vec()
        }
        How::Chunks(_, cut) => {
            let chunks =
                kernel.chunks(&x, 1000, &mut count, &mut list, &mut valued, &mut degree, &mut most);
            joined(cut(chunks.unwrap()), rows).unwrap()
        }
    };
    let list = list.download().unwrap().sorted().unwrap().into_vecs().0;
    let valued = valued.download().unwrap();
    let mut valued: Vec<_> = valued.iter().map(|(pair, value)| (pair, *value)).collect();
    valued.sort_unstable();
    Outputs {
        marks,
        count: count.download().unwrap(),
        list,
        valued,
        degree: degree.download().unwrap(),
        most: format!("{:?}", most.download().unwrap()),
    }
}

#[test]
fn chunks_equal_one_launch() {
    let one = Device::cpu().unwrap();
    for devices in devices_and_several() {
        let is_slow = devices.name().contains("emulator");
        for n in [0, 1, 2, 17, 65, 150] {
            for rows in [0..n, n / 3..n, n / 2..n / 2] {
                let expected = gathered(&How::Launch(&one), n, rows.clone());
                let longest = 4 * n;
                let cuts: [&Cut<'_>; 5] = [
                    &|chunks| chunks,
                    &|chunks| chunks.height(40),
                    &|chunks| chunks.memory(2 * 20 * longest),
                    &|chunks| chunks.height(5).in_flight(1),
                    &|chunks| chunks.height(3).in_flight(3),
                ];
                let some = if is_slow && n > 65 { 3 } else { 5 };
                for (at, cut) in cuts.into_iter().enumerate().take(some) {
                    let found = gathered(&How::Chunks(&devices, cut), n, rows.clone());
                    assert_eq!(found, expected, "{} {n} {rows:?} {at}", devices.name());
                }
            }
        }
    }
}

/// Chunks that end between tiles have the partial sums of one launch, whichever device adds them up.
#[test]
fn deterministic_sums_agree() {
    let x: Vec<f32> = (0..600).map(|k| (k as f32).sin()).collect();
    for (one, three) in [
        (Device::cpu().unwrap(), Devices::cpu(3).unwrap()),
        (
            Device::emulator().unwrap(),
            Devices::new([Device::emulator().unwrap(), Device::emulator().unwrap()]).unwrap(),
        ),
    ] {
        let of = |device: &Target| {
            let (kernel, mut sum) = (exact::load(device).unwrap(), device.sum().unwrap());
            let x = device.upload(&x).unwrap();
            let chunks = kernel.chunks(&x, &mut sum).unwrap().height(192);
            let values = joined(chunks, 0..x.len()).unwrap();
            let bits: Vec<_> = values.iter().map(|value| value.to_bits()).collect();
            (bits, sum.download().unwrap().to_bits())
        };
        assert_eq!(of(&three), of(&one));
    }
}

/// Files, callbacks and progress follow the order of one device.
#[test]
fn files_and_reports_equal_one_device() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npy");
    let write = |device: &Target| {
        let x = device.upload(&numbers(100)).unwrap();
        let (seen, told) = (RefCell::new(Vec::new()), RefCell::new(Vec::new()));
        let chunks = difference::load(device).unwrap().chunks(&x).unwrap().height(8);
        chunks
            .inspect(|chunk| {
                seen.borrow_mut().push((chunk.rows.clone(), chunk.start));
                Ok(())
            })
            .progress(|done| told.borrow_mut().push(done))
            .write_npy(&path)
            .unwrap();
        (fs::read(&path).unwrap(), seen.into_inner(), told.into_inner())
    };
    let one = write(&Device::cpu().unwrap());
    assert_eq!(one.1.len(), 13);
    for devices in devices_and_several() {
        assert_eq!(write(&devices), one, "{}", devices.name());
    }
}

#[test]
fn mistakes_are_found_before_a_launch() {
    // A limit of device memory applies to each device, one of host memory to all together.
    let emulator = Device::emulator().unwrap();
    let devices = Devices::new([emulator.clone(), emulator]).unwrap();
    let chunks = || devices.chunks::<u32>(100, |_, _| Ok(()));
    let words = "a chunk can hold only 395: set `memory` to at least 792 bytes and `host_memory` to at least 1584 bytes";
    assert_errors! { chunks().memory(791).start() => words; }
    assert!(chunks().memory(792).host_memory(1583).start().is_err());
    assert_eq!(joined(chunks().memory(792).host_memory(1584), 0..100).unwrap().len(), 4950);

    let kernel = difference::load(&devices).unwrap();
    let one = devices.iter().next().unwrap();
    let x = one.upload(&[1; 5]).unwrap();
    let error = kernel.chunks(&x).map(drop).unwrap_err();
    assert_eq!((error.kernel(), error.argument()), (Some("difference"), Some("x")));
    // Slots of one device, for a launch on several.
    let (x, mut slots) = (devices.upload(&[1; 5]).unwrap(), one.packed(5).unwrap());
    assert_errors! { kernel.launch(&x, &mut slots) => "use `kernel.chunks(…)`", Arguments "mark"; }
}

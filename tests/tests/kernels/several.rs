//! Several devices as one, with CPUs in their place: behaviour like one device, and errors that name the device.

use rayon::prelude::*;
use td_kernel::{Device, Devices, ErrorKind, Target, td_kernel};
use td_kernel_tests::parallel::CheckEach;

#[td_kernel(map = "auto")]
unsafe fn close(#[each] x: &[f32], radius: f32, count: &mut Sum<u32>, list: &mut Pairs) {
    r#"
    if (fabsf(x.i - x.j) < radius) {
        count += 1;
        list.push();
    }
    "#
}

#[test]
fn short_list_on_several_devices() {
    for devices in [Target::from(Device::cpu().unwrap()), Devices::cpu(3).unwrap().into()] {
        let kernel = close::load(&devices).unwrap();
        let x = devices.upload(&[0.5; 100]).unwrap();
        let (mut count, mut list) = (devices.sum().unwrap(), devices.pairs(4949).unwrap());
        kernel.launch(&x, 1.0, &mut count, &mut list).unwrap();
        let error = list.download().unwrap_err();
        assert_eq!((error.kind(), error.needed()), (ErrorKind::PairsOverflow, Some(4950)));
        assert_eq!((error.limit(), error.device()), (Some(4949), None));
        // The list does not affect the sum.
        assert_eq!((count.download().unwrap(), list.count().unwrap()), (4950, 4950));
        let mut longer = devices.pairs(4950).unwrap();
        count.clear().unwrap();
        kernel.launch(&x, 1.0, &mut count, &mut longer).unwrap();
        assert_eq!((longer.download().unwrap().len(), count.download().unwrap()), (4950, 4950));
    }
}

#[test]
fn single_device_calls_on_several() {
    let devices = Devices::cpu(3).unwrap();
    assert_eq!((devices.len(), devices.iter().len(), devices.is_cpu()), (3, 3, true));
    assert!(devices.name().starts_with("3 x CPU ("), "{}", devices.name());
    let values: Vec<f32> = (0..500).map(|at| at as f32).collect();
    let mut x = devices.upload(&values).unwrap();
    let (mut count, mut list) = (devices.sum().unwrap(), devices.pairs(2000).unwrap());
    let kernel = close::load(&devices).unwrap();
    // Some rows, and some elements.
    kernel.rows(100..300).launch(&x, 1.5, &mut count, &mut list).unwrap();
    assert_eq!(count.download().unwrap(), 200);
    assert!(
        list.download().unwrap().pairs().iter().all(|[i, j]| (100..300).contains(i) && *j == i - 1)
    );
    kernel.launch(&x.slice(10..20).unwrap(), 1.5, &mut count, &mut list).unwrap();
    assert_eq!((count.download().unwrap(), list.count().unwrap()), (209, 209));
    count.clear().unwrap();
    list.clear().unwrap();
    assert_eq!((count.download().unwrap(), list.download().unwrap().len()), (0, 0));

    // Every copy is replaced.
    x.upload_into(&[7.0; 500]).unwrap();
    assert_eq!(x.download().unwrap(), [7.0; 500]);
    kernel.launch(&x, 1.5, &mut count, &mut list).unwrap();
    assert_eq!(count.download().unwrap(), 500 * 499 / 2);

    let report = kernel.report(500).unwrap();
    assert_eq!((report.grids.len(), report.rows), (3, None));
    let tuned = kernel.tune(&x, 1.5, &mut count, &mut list).unwrap();
    assert!(tuned.elements == 500 && tuned.rows.is_none() && !tuned.times.is_empty());
    let before = devices.progress();
    assert!(before.blocks > 0 && before.blocks == before.finished);
    let ((), time) = devices.timed(|| kernel.launch(&x, 1.5, &mut count, &mut list)).unwrap();
    assert!(!time.is_zero());
    assert!(devices.progress().blocks > before.blocks);
}

/// Workers that launch on several devices do not wait for each other.
#[test]
fn workers_launch_on_several_devices() {
    let devices = Devices::cpu(3).unwrap();
    let kernel = close::load(&devices).unwrap();
    let x = devices.upload(&[1.0; 300]).unwrap();
    let count = || {
        let (mut count, mut list) = (devices.sum().unwrap(), devices.pairs(0).unwrap());
        kernel.launch(&x, 1.5, &mut count, &mut list).unwrap();
        count.download().unwrap()
    };
    let jobs = 2 * rayon::current_num_threads();
    let counts = (0..jobs).into_par_iter().check_each(|_| count());
    assert_eq!(counts, vec![300 * 299 / 2; jobs]);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert_eq!(pool.install(count), 300 * 299 / 2);
}

#[td_kernel]
unsafe fn slots(#[each] x: &[f32], out: &mut Packed<f32>) {
    r#" out = x.i - x.j; "#
}

#[td_kernel]
unsafe fn both_halves(#[each] x: &[f32], out: &mut Square<f32>) {
    r#" out = x.i - x.j; "#
}

#[td_kernel(map = "utm")]
unsafe fn whole(#[each] x: &[f32], sum: &mut Sum<f32>) {
    r#" sum += x.i - x.j; "#
}

#[td_kernel]
unsafe fn by_hand(#[each] x: &[f32], degree: &mut [u32]) {
    r#" if (x.i == x.j) atomicAdd(degree + i, 1); "#
}

#[td_kernel]
unsafe fn sets_by_hand(#[each] x: &Sets<f32>, degree: &mut [u32]) {
    r#" if (x.i == x.j) atomicAdd(degree + i, 1); "#
}

#[test]
fn unsupported_calls_on_several_devices() {
    let devices = Devices::cpu(2).unwrap();
    assert_errors! { both_halves::load(&devices) => "write `&mut Packed<T>` instead", NoRows in "both_halves"; }
    let one = devices.iter().next().unwrap();
    let (x, mut out) = (devices.upload(&[1.0; 5]).unwrap(), one.packed(5).unwrap());
    let launched = slots::load(&devices).unwrap().launch(&x, &mut out);
    assert_eq!(launched.as_ref().unwrap_err().device(), None);
    assert_errors! {
        launched => "launch `kernel.rows(a..b)` into", Arguments "out" in "slots";
        whole::load(&devices) => "write one of the maps `bb`, `ltm`", NoRows in "whole";
        by_hand::load(&devices) => ["its own copy of `degree`", "`#[each] degree: &mut Sums<T>`"], Arguments in "by_hand";
        sets_by_hand::load(&devices) => "", Arguments in "sets_by_hand";
    }

    // A group of one device behaves like that device.
    let (x, mut degree) = (one.upload(&[1.0; 5]).unwrap(), one.zeroed(5).unwrap());
    by_hand::load(one).unwrap().launch(&x, &mut degree).unwrap();
    assert_eq!(degree.download().unwrap(), [0, 1, 2, 3, 4]);

    assert_errors! { Devices::new([]) => "at least one"; Devices::cpu(0) => "", Arguments; }
}

#[test]
fn memory_of_other_devices_is_refused() {
    let (two, three) = (Devices::cpu(2).unwrap(), Devices::cpu(3).unwrap());
    let one = two.iter().next().unwrap();
    let kernel = close::load(&two).unwrap();
    let mut list = two.pairs(1).unwrap();
    for other in [one as &Target, &three] {
        let (x, mut count) = (other.upload(&[1.0; 5]).unwrap(), other.sum().unwrap());
        assert_errors! { kernel.launch(&x, 1.0, &mut two.sum().unwrap(), &mut list) => "", WrongDevice "x"; }
        let x = two.upload(&[1.0; 5]).unwrap();
        assert_errors! { kernel.launch(&x, 1.0, &mut count, &mut list) => "", WrongDevice "count"; }
    }
    let (x, mut count) = (two.upload(&[1.0; 5]).unwrap(), one.sum().unwrap());
    let alone = close::load(one).unwrap();
    assert_errors! { alone.launch(&x, 1.0, &mut count, &mut one.pairs(9).unwrap()) => "", WrongDevice "x"; }
    assert_eq!(list.count().unwrap(), 0);
}

#[test]
fn missing_memory_names_the_device() {
    let devices = Devices::cpu(2).unwrap();
    let error = devices.zeroed::<u8>(1 << 47).unwrap_err();
    assert_eq!((error.kind(), error.needed()), (ErrorKind::OutOfDeviceMemory, Some(1 << 47)));
    assert_eq!(error.device().unwrap().0, 0);
}

//! Kernels, memory and streams, shared by threads, and devices side by side.

use std::thread;

use td_kernel::cudarc::driver::CudaSlice;
use td_kernel::{Device, Error, td_kernel};

use crate::{assert_near, distances, edm, gpu, points};

/// Adds up packed slots.
#[td_kernel]
unsafe fn total(slots: &[f32], total: &mut Sum<f64>) {
    r#" total += slots[(unsigned long long)i * (i - 1) / 2 + j]; "#
}

/// Every second thread has a stream of its own.
#[test]
fn small_threads_share_a_kernel() {
    let device = gpu();
    let kernel = edm::load(&device).unwrap();
    thread::scope(|scope| {
        for thread in 0..8 {
            let (device, kernel) = (&device, &kernel);
            scope.spawn(move || {
                let stream = device.stream().unwrap().context().new_stream().unwrap();
                let kernel =
                    if thread % 2 == 0 { kernel.clone() } else { kernel.on(&stream).unwrap() };
                for n in [2, 50 + thread, 300, 2, 150] {
                    let all = points(n);
                    let p = device.upload(&all).unwrap();
                    let mut distance = device.packed(n).unwrap();
                    kernel.launch(&p, &mut distance).unwrap();
                    assert_near(distance.download().unwrap().as_slice(), &distances(&all));
                }
            });
        }
    });
}

/// Work on two streams at once; and where one reads what the other writes, one after the other.
#[test]
fn small_streams_wait_for_each_other() {
    let device = gpu();
    let context = device.stream().unwrap().context();
    let [first, second] = [(); 2].map(|()| context.new_stream().unwrap());
    let (edm, total) = (edm::load(&device).unwrap(), total::load(&device).unwrap());
    let host = points(1000);
    let expected = distances(&host);
    let p = device.upload(&host).unwrap();
    let mut outputs = [(); 2].map(|()| device.packed(host.len()).unwrap());
    for _ in 0..10 {
        for (stream, output) in [&first, &second].into_iter().zip(&mut outputs) {
            edm.on(stream).unwrap().launch(&p, output).unwrap();
        }
        // Each stream reads what the other one has just been given to write.
        let mut totals = [(); 2].map(|()| device.sum().unwrap());
        for ((stream, output), sum) in [&second, &first].into_iter().zip(&outputs).zip(&mut totals)
        {
            total.on(stream).unwrap().launch(host.len(), output, sum).unwrap();
        }
        for sum in totals {
            let (found, expected) = (sum.download().unwrap(), expected.iter().sum::<f64>());
            assert!((found - expected).abs() < 1e-6 * expected, "{found} {expected}");
        }
        for output in &mut outputs {
            assert_near(output.download().unwrap().as_slice(), &expected);
            *output = device.packed(host.len()).unwrap();
        }
    }
}

/// Reads its elements a while after it has started: as late as on a GPU with much else to do.
#[td_kernel(tile = 0)]
unsafe fn late(delay: u64, x: &[u32], sum: &mut Sum<u64>) {
    r#"
    const long long start = clock64();
    while (clock64() - start < delay) {
    }
    sum += ((const volatile unsigned int *)x)[i];
    "#
}

/// About a fifth of a second.
const LATE: u64 = 400_000_000;
const ELEMENTS: usize = 64;

/// Of ones: the number of pairs.
const OF_ONES: u64 = 64 * 63 / 2;

#[test]
fn a_stream_may_be_dropped_before_its_work_is_done() {
    let device = gpu();
    let context = device.stream().unwrap().context();
    let kernel = late::load(&device).unwrap();
    let x = device.upload(&[1; ELEMENTS]).unwrap();
    let mut sum = device.sum().unwrap();
    kernel
        .on(&context.new_stream().unwrap())
        .unwrap()
        .launch(ELEMENTS, LATE, &x, &mut sum)
        .unwrap();
    // Freed, and the memory used again.
    drop(x);
    let _others = [(); 8].map(|()| device.upload(&[2; ELEMENTS]).unwrap());
    assert_eq!(sum.download().unwrap(), OF_ONES);
}

#[test]
fn what_writes_waits_for_every_reader() {
    let device = gpu();
    let context = device.stream().unwrap().context();
    let streams = [(); 2].map(|()| context.new_stream().unwrap());
    let kernel = late::load(&device).unwrap();
    let mut sums = [(); 2].map(|()| device.sum().unwrap());
    // The one that started first ends last.
    let mut read = |x: &CudaSlice<u32>| {
        for ((stream, delay), sum) in streams.iter().zip([LATE, 0]).zip(&mut sums) {
            sum.clear().unwrap();
            kernel.on(stream).unwrap().launch(ELEMENTS, delay, x, sum).unwrap();
        }
    };
    let home = device.stream().unwrap();
    let mut x = home.clone_htod(&[1_u32; ELEMENTS]).unwrap();
    read(&x);
    home.memset_zeros(&mut x).unwrap();
    assert_eq!(sums.each_ref().map(|sum| sum.download().unwrap()), [OF_ONES; 2]);
}

/// A copy is one more reader, and the memory may be given back after it.
#[test]
fn what_is_freed_after_a_download_waits_for_other_readers() {
    let device = gpu();
    let context = device.stream().unwrap().context();
    let stream = context.new_stream().unwrap();
    let kernel = late::load(&device).unwrap();
    let x = device.upload(&[1; ELEMENTS]).unwrap();
    let mut sum = device.sum().unwrap();
    kernel.on(&stream).unwrap().launch(ELEMENTS, LATE, &x, &mut sum).unwrap();
    assert_eq!(x.download().unwrap(), [1; ELEMENTS]);
    drop(x);
    let _others = [(); 8].map(|()| device.upload(&[2; ELEMENTS]).unwrap());
    assert_eq!(sum.download().unwrap(), OF_ONES);
}

/// Memory of a second handle of the same GPU: events of cudarc's do not reach from one to the other.
#[test]
fn two_handles_of_one_gpu_wait_for_each_other() {
    let (first, second) = (gpu(), gpu());
    let stream = first.stream().unwrap().context().new_stream().unwrap();
    let kernel = late::load(&first).unwrap().on(&stream).unwrap();
    let x = second.upload(&[1; ELEMENTS]).unwrap();
    let mut sum = second.sum().unwrap();
    kernel.launch(ELEMENTS, LATE, &x, &mut sum).unwrap();
    drop(x);
    let _others = [(); 8].map(|()| second.upload(&[2; ELEMENTS]).unwrap());
    assert_eq!(sum.download().unwrap(), OF_ONES);
}

#[test]
#[ignore = "needs two GPUs"]
fn gpus_work_side_by_side_and_are_not_mixed() {
    let devices = [0, 1].map(|ordinal| Device::cuda(ordinal).unwrap());
    let kernels = devices.each_ref().map(|device| edm::load(device).unwrap());
    let host = points(2000);
    thread::scope(|scope| {
        for thread in 0..4 {
            let (device, kernel, host) = (&devices[thread % 2], &kernels[thread % 2], &host);
            scope.spawn(move || {
                for _ in 0..10 {
                    let p = device.upload(host).unwrap();
                    let mut distance = device.packed(host.len()).unwrap();
                    kernel.launch(&p, &mut distance).unwrap();
                    assert_near(distance.download().unwrap().as_slice(), &distances(host));
                }
            });
        }
    });
    // One thread with both, alternately.
    let inputs = devices.each_ref().map(|device| device.upload(&host).unwrap());
    let mut outputs = devices.each_ref().map(|device| device.packed(host.len()).unwrap());
    for ((kernel, input), output) in kernels.iter().zip(&inputs).zip(&mut outputs) {
        kernel.launch(input, output).unwrap();
    }
    for output in &outputs {
        assert_near(output.download().unwrap().as_slice(), &distances(&host));
    }

    let error = kernels[0].launch(&inputs[1], &mut outputs[0]).unwrap_err();
    assert!(
        matches!(&error, Error::WrongDevice { argument: "p", found, .. } if found == "GPU 1"),
        "{error}"
    );
    let error = kernels[0].launch(&inputs[0], &mut outputs[1]).unwrap_err();
    assert!(matches!(&error, Error::WrongDevice { argument: "distance", .. }), "{error}");
    let error = kernels[0].on(devices[1].stream().unwrap()).unwrap_err();
    assert!(matches!(error, Error::WrongStream { kernel: "edm", .. }), "{error}");
}

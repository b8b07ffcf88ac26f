//! A use of memory waits for all earlier uses, even if cudarc's own events would miss some.

use std::sync::Barrier;
use std::thread;

use td_kernel::cudarc::driver::CudaSlice;
use td_kernel::{Buffer, Device, Sum, td_kernel};

use crate::gpu;

/// Reads its elements some time after it has started, as on a busy GPU.
#[td_kernel(tile = 0)]
unsafe fn late(delay: u64, x: &[u32], sum: &mut Sum<u64>) {
    r#"
    const long long start = clock64();
    while (clock64() - start < delay) {
    }
    sum += ((const volatile unsigned int *)x)[i];
    "#
}

/// Writes other elements.
#[td_kernel(tile = 0)]
unsafe fn overwrite(x: &mut [u32]) {
    r#" x[i] = 5; "#
}

/// About a fifth of a second.
const LATE: u64 = 400_000_000;
const ELEMENTS: usize = 64;

/// The sum of ones over all pairs: their number.
const OF_ONES: u64 = 64 * 63 / 2;

/// A reader on a stream of its own, its elements, and their sum.
fn on_stream(device: &Device) -> (late, Buffer<u32>, Sum<u64>) {
    let stream = device.stream().unwrap().context().new_stream().unwrap();
    let kernel = late::load(device).unwrap().with_stream(&stream).unwrap();
    (kernel, device.upload(&[1; ELEMENTS]).unwrap(), device.sum().unwrap())
}

/// Frees the elements, uses their memory again, and compares what was read.
fn free(device: &Device, x: Buffer<u32>, sums: &[Sum<u64>]) {
    drop(x);
    let _others = [(); 8].map(|()| device.upload(&[2; ELEMENTS]).unwrap());
    assert!(sums.iter().all(|sum| sum.download().unwrap() == OF_ONES));
}

#[test]
fn dropped_stream_finishes_its_work() {
    let device = gpu();
    let (kernel, x, mut sum) = on_stream(&device);
    kernel.launch(ELEMENTS, LATE, &x, &mut sum).unwrap();
    // With the last handle of the stream.
    drop(kernel);
    free(&device, x, &[sum]);
}

/// For launches before events were enabled, cudarc waits only if `new_stream` creates the first stream.
#[test]
fn first_stream_waits_for_earlier_launches() {
    let device = gpu();
    let stream = device.stream().unwrap();
    let (reader, writer) = (late::load(&device).unwrap(), overwrite::load(&device).unwrap());
    let (mut x, mut sum) = (device.upload(&[1; ELEMENTS]).unwrap(), device.sum().unwrap());
    // The driver loads code at its first launch, and waits for the GPU then.
    reader.launch(ELEMENTS, 0, &x, &mut sum).unwrap();
    writer.launch(ELEMENTS, &mut device.zeroed(ELEMENTS).unwrap()).unwrap();
    sum.clear().unwrap();
    device.synchronize().unwrap();

    reader.launch(ELEMENTS, LATE, &x, &mut sum).unwrap();
    let _forked = stream.fork().unwrap();
    let other = stream.context().new_stream().unwrap();
    // Overwrites the elements that the reader reads, on a stream that is ordered by events only.
    writer.with_stream(&other).unwrap().launch(ELEMENTS, &mut x).unwrap();
    assert_eq!(sum.download().unwrap(), OF_ONES);
}

#[test]
fn writer_waits_for_every_reader() {
    let device = gpu();
    let context = device.stream().unwrap().context();
    let streams = [(); 2].map(|()| context.new_stream().unwrap());
    let kernel = late::load(&device).unwrap();
    let mut sums = [(); 2].map(|()| device.sum().unwrap());
    // The launch that started first ends last.
    let mut read = |x: &CudaSlice<u32>| {
        for ((stream, delay), sum) in streams.iter().zip([LATE, 0]).zip(&mut sums) {
            sum.clear().unwrap();
            kernel.with_stream(stream).unwrap().launch(ELEMENTS, delay, x, sum).unwrap();
        }
    };
    let home = device.stream().unwrap();
    let mut x = home.clone_htod(&[1_u32; ELEMENTS]).unwrap();
    read(&x);
    home.memset_zeros(&mut x).unwrap();
    assert_eq!(sums.each_ref().map(|sum| sum.download().unwrap()), [OF_ONES; 2]);
}

/// A copy also reads, and the memory may be freed after it.
#[test]
fn free_waits_for_other_readers() {
    let device = gpu();
    let (kernel, x, mut sum) = on_stream(&device);
    kernel.launch(ELEMENTS, LATE, &x, &mut sum).unwrap();
    assert_eq!(x.download().unwrap(), [1; ELEMENTS]);
    free(&device, x, &[sum]);
}

/// Memory of a second handle of the same GPU: cudarc's events do not order streams of two handles.
#[test]
fn handles_of_one_gpu_wait_for_each_other() {
    let (first, second) = (gpu(), gpu());
    let (kernel, ..) = on_stream(&first);
    let (x, mut sum) = (second.upload(&[1; ELEMENTS]).unwrap(), second.sum().unwrap());
    kernel.launch(ELEMENTS, LATE, &x, &mut sum).unwrap();
    free(&second, x, &[sum]);
}

/// A launch that does not run, because there is nothing to do or because of an error, does not count as a reader.
#[test]
fn failed_launch_keeps_readers() {
    let device = gpu();
    let context = device.stream().unwrap().context();
    let [first, second] = [(); 2].map(|()| context.new_stream().unwrap());
    let kernel = late::load(&device).unwrap();
    for refused in [false, true] {
        let x = device.upload(&[1; ELEMENTS]).unwrap();
        let [mut sum, mut other_sum] = [(); 2].map(|()| device.sum().unwrap());
        kernel.with_stream(&first).unwrap().launch(ELEMENTS, LATE, &x, &mut sum).unwrap();
        let other = kernel.with_stream(&second).unwrap();
        if refused {
            let mut on_cpu = Device::cpu().unwrap().sum().unwrap();
            other.launch(ELEMENTS, 0, &x, &mut on_cpu).unwrap_err();
        } else {
            other.launch(1, 0, &x, &mut other_sum).unwrap();
        }
        free(&device, x, &[sum]);
    }
}

/// Eight threads read the same memory, each on a stream of its own.
#[test]
fn readers_of_every_thread_are_tracked() {
    let device = gpu();
    let context = device.stream().unwrap().context();
    let kernel = late::load(&device).unwrap();
    for _ in 0..50 {
        let x = device.upload(&[1; ELEMENTS]).unwrap();
        let barrier = Barrier::new(8);
        let sums: Vec<_> = thread::scope(|scope| {
            let threads = [1, 2, 3, 4, 5, 6, 7, 8].map(|part| {
                let (x, kernel, device, barrier) = (&x, &kernel, &device, &barrier);
                scope.spawn(move || {
                    let kernel = kernel.with_stream(&context.new_stream().unwrap()).unwrap();
                    let mut sum = device.sum().unwrap();
                    barrier.wait();
                    kernel.launch(ELEMENTS, LATE / 100 * part, x, &mut sum).unwrap();
                    sum
                })
            });
            threads.into_iter().map(|each| each.join().unwrap()).collect()
        });
        free(&device, x, &sums);
    }
}

/// Writes some time after it has started.
#[td_kernel(tile = 0)]
unsafe fn late_write(delay: u64, y: &mut [u32], sum: &mut Sum<u64>) {
    r#"
    const long long start = clock64();
    while (clock64() - start < delay) {
    }
    y[i] = 1;
    y[j] = 1;
    sum += 1;
    "#
}

/// The other direction: the launching handle has only its default stream.
#[test]
fn second_handle_waits_for_the_first() {
    let (first, second) = (gpu(), gpu());
    let stream = second.stream().unwrap().context().new_stream().unwrap();
    let write = late_write::load(&first).unwrap();
    let read = late::load(&second).unwrap().with_stream(&stream).unwrap();
    let mut y = second.upload(&[0_u32; ELEMENTS]).unwrap();
    let (mut written, mut sum) = (first.sum().unwrap(), second.sum().unwrap());
    write.launch(ELEMENTS, LATE, &mut y, &mut written).unwrap();
    read.launch(ELEMENTS, 0, &y, &mut sum).unwrap();
    assert_eq!(sum.download().unwrap(), OF_ONES);
}

#[test]
fn small_first_launch_from_a_new_thread() {
    let device = gpu();
    let kernel = late::load(&device).unwrap();
    let x = device.upload(&[1; ELEMENTS]).unwrap();
    let mut sum = device.sum().unwrap();
    thread::scope(|scope| {
        scope.spawn(|| kernel.launch(ELEMENTS, 0, &x, &mut sum).unwrap());
    });
    assert_eq!(sum.download().unwrap(), OF_ONES);
}

/// Waits for all streams, not only for the device's own.
#[test]
fn synchronize_waits_for_every_stream() {
    let device = gpu();
    let stream = device.stream().unwrap().context().new_stream().unwrap();
    let kernel = late::load(&device).unwrap().with_stream(&stream).unwrap();
    let x = device.upload(&[1; ELEMENTS]).unwrap();
    let mut sum = device.sum().unwrap();
    let start = stream.record_event(None).unwrap();
    kernel.launch(ELEMENTS, LATE, &x, &mut sum).unwrap();
    let end = stream.record_event(None).unwrap();
    device.synchronize().unwrap();
    assert!(start.is_complete() && end.is_complete());
}

//! Kernels and memory shared by threads, several streams, and several devices.

use std::thread;

use td_kernel::{Device, td_kernel};

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
                let kernel = if thread % 2 == 0 {
                    kernel.clone()
                } else {
                    kernel.with_stream(&stream).unwrap()
                };
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

/// Two streams work at the same time; a stream that reads the other's output waits for it.
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
            edm.with_stream(stream).unwrap().launch(&p, output).unwrap();
        }
        // Each stream reads the output of a launch that has just started on the other.
        let mut totals = [(); 2].map(|()| device.sum().unwrap());
        for ((stream, output), sum) in [&second, &first].into_iter().zip(&outputs).zip(&mut totals)
        {
            total.with_stream(stream).unwrap().launch(host.len(), output, sum).unwrap();
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

#[test]
#[ignore = "needs two GPUs"]
fn gpus_work_concurrently() {
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
    // One thread that uses both devices, alternately.
    let inputs = devices.each_ref().map(|device| device.upload(&host).unwrap());
    let mut outputs = devices.each_ref().map(|device| device.packed(host.len()).unwrap());
    for ((kernel, input), output) in kernels.iter().zip(&inputs).zip(&mut outputs) {
        kernel.launch(input, output).unwrap();
    }
    for output in &outputs {
        assert_near(output.download().unwrap().as_slice(), &distances(&host));
    }

    assert_errors! {
        kernels[0].launch(&inputs[1], &mut outputs[0]) => "is on GPU 1, but", WrongDevice "p";
        kernels[0].launch(&inputs[0], &mut outputs[1]) => "", WrongDevice "distance";
        kernels[0].with_stream(devices[1].stream().unwrap()) => "", WrongDevice in "edm";
    }
}

//! Arguments that launches accept or reject.

use crate::{assert_near, distances, edm, gpu, points};
use td_kernel::cudarc::driver::CudaContext;
use td_kernel::{Device, ErrorKind, td_kernel};
use td_kernel_tests::variants::square;

#[test]
fn small_cudarc_slices_are_arguments() {
    let context = CudaContext::new(0).unwrap();
    let device = Device::from_cuda(&context).unwrap();
    let kernel = edm::load(&device).unwrap();
    let stream = context.new_stream().unwrap();
    let all = points(300);
    let slice = stream.clone_htod(&all).unwrap();
    let mut packed = stream.alloc_zeros::<f32>(300 * 299 / 2).unwrap();

    // On the default stream, with memory of another stream: cudarc's events keep the order.
    kernel.launch(&slice, &mut packed).unwrap();
    assert_near(&stream.clone_dtoh(&packed).unwrap(), &distances(&all));

    // Views, on a stream.
    let on_stream = kernel.with_stream(&stream).unwrap();
    let view = slice.slice(100..200);
    let mut part = packed.slice_mut(7..7 + 100 * 99 / 2);
    on_stream.launch(&view, &mut part).unwrap();
    let found = stream.clone_dtoh(&part).unwrap();
    stream.synchronize().unwrap();
    assert_near(&found, &distances(&all[100..200]));

    // A view that starts inside a float4.
    let floats = stream.alloc_zeros::<f32>(100).unwrap();
    let shifted = floats.slice(1..);
    // SAFETY: 20 elements of 4 floats lie within the 99 floats.
    let shifted = unsafe { shifted.transmute::<[f32; 4]>(20) }.unwrap();
    assert_errors! { kernel.launch(&shifted, &mut packed) => "aligned to 16 bytes", Arguments "p"; }

    assert_errors! { kernel.launch(&slice, &mut packed.slice_mut(0..10)) => "has 10 slots, but needs ", Arguments; }
}

/// The guide's listing: plain floats in and out, on the caller's stream.
#[test]
fn small_cudarc_floats_are_points() {
    let stream = CudaContext::new(0).unwrap().new_stream().unwrap();
    let all = points(300);
    let slice = stream.clone_htod(all.as_flattened()).unwrap();
    let packed = crate::cudarc_slices::of(&stream, &slice).unwrap();
    // The launch still holds its memory.
    drop(slice);
    assert_near(&stream.clone_dtoh(&packed).unwrap(), &distances(&all));
}

#[test]
fn small_arguments_of_another_device() {
    let (gpu, cpu) = (gpu(), Device::cpu());
    let kernel = edm::load(&gpu).unwrap();
    let mut packed = gpu.packed(3).unwrap();
    // A machine without a C++ compiler has no CPU device for this.
    match cpu {
        Ok(cpu) => {
            let elsewhere = cpu.upload(&points(3)).unwrap();
            assert_errors! { kernel.launch(&elsewhere, &mut packed) => "", WrongDevice "p"; }
        }
        Err(error) => assert_eq!(error.kind(), ErrorKind::NoCompiler, "{error}"),
    }
}

#[test]
fn small_missing_gpu_is_named() {
    let error = Device::cuda(999).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NoGpu, "{error}");
    assert!(error.to_string().contains("no GPU 999"), "{error}");
    println!("{error}");
}

/// Its only argument is its slots, whose number determines n.
#[td_kernel]
unsafe fn index(out: &mut Packed<u32>) {
    r#" out = i; "#
}

#[test]
fn small_wrong_lengths_are_refused() {
    let device = gpu();
    let stream = device.stream().unwrap();
    let mut seven = stream.alloc_zeros::<u32>(7).unwrap();
    let launched = index::load(&device).unwrap().launch(&mut seven);
    assert_errors! { launched => "has 7 slots, which is not n (n - 1) / 2", Arguments "out"; }
    let x = device.upload(&[1_u32; 4]).unwrap();
    let mut fifteen = stream.alloc_zeros::<u64>(15).unwrap();
    assert_errors! {
        square::load(&device).unwrap().launch(&x, &mut fifteen) => "has 15 values, but the square of 4 elements has 16", Arguments;
    }
}

/// A count past 32 bits, which no single thread or block reaches.
#[test]
fn counts_past_32_bits_are_errors() {
    #[td_kernel]
    unsafe fn count(total: &mut Sum<u32>, list: &mut Pairs) {
        r#" total += 1; list.push(); "#
    }
    let device = gpu();
    let kernel = count::load(&device).unwrap();
    let mut list = device.pairs(0).unwrap();
    let mut count = |n: usize| {
        let mut total = device.sum()?;
        list.clear()?;
        kernel.launch(n, &mut total, &mut list)?;
        total.download()
    };
    assert_eq!(count(92_682).unwrap(), 4_294_930_221);
    let error = count(100_000).unwrap_err();
    assert_eq!(error.total(), Some(4_999_950_000), "{error}");
    assert_eq!(list.download().unwrap_err().needed(), Some(4_999_950_000));
}

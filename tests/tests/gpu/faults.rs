//! A GPU after a failure: it reports an error, and continues if it can.

use std::process::Command;
use std::sync::PoisonError;

use td_kernel::cudarc::driver::result;
use td_kernel::{Error, ErrorKind, Result, td_kernel};

use crate::{MEMORY, assert_near, distances, edm, gpu, points};

/// The environment variable of a test's process with the kind of fault.
const FAULT: &str = "TD_KERNEL_TEST_FAULT";

/// Writes far from any memory, or stops the GPU.
#[td_kernel]
unsafe fn faulty(is_wild: u32, slots: &mut [u32], total: &mut Sum<u32>) {
    r#"
    if (is_wild)
        slots[1ull << 40] = i;
    else
        __trap();
    total += 1;
    "#
}

/// A device, with a small kernel run on it and checked.
fn works(device: &td_kernel::Device) -> Result<()> {
    let host = points(100);
    let mut distance = device.packed(host.len())?;
    edm::load(device)?.launch(&device.upload(&host)?, &mut distance)?;
    assert_near(distance.download()?.as_slice(), &distances(&host));
    Ok(())
}

/// Not a test by itself: a kernel fails, after which its process cannot use the GPU any more. Every later call must be an
/// error, and dropping values must not panic.
#[test]
fn child_process() {
    let Ok(fault) = std::env::var(FAULT) else { return };
    let device = gpu();
    let kernel = faulty::load(&device).unwrap();
    let (mut slots, mut total) = (device.zeroed(1).unwrap(), device.sum().unwrap());
    // Large enough for a copy by several threads.
    let large = device.zeroed::<u64>(1 << 21).unwrap();
    let mut pinned = device.pinned::<u64>(1 << 21).unwrap();
    kernel.launch(10, u32::from(fault == "wild"), &mut slots, &mut total).unwrap();
    let say = |error: Error| {
        println!("{error}");
        assert_eq!(error.kind(), ErrorKind::DeviceFailed, "{error}");
        // An error of the kernel itself, or a consequence of it.
        assert!(error.driver_code().unwrap() > 0, "{error}");
    };
    say(device.synchronize().unwrap_err());
    say(total.download().unwrap_err());
    say(slots.download().unwrap_err());
    say(large.download().unwrap_err());
    say(large.download_into(&mut pinned).unwrap_err());
    say(device.upload(&[1]).unwrap_err());
    say(device.upload(&vec![1_u64; 1 << 21]).unwrap_err());
    say(device.upload(&pinned).unwrap_err());
    say(kernel.launch(10, 0, &mut slots, &mut total).unwrap_err());
    say(edm::load(&device).unwrap_err());
    say(total.clear().unwrap_err());
}

#[test]
fn failed_kernel_poisons_the_device() {
    let _alone = MEMORY.write().unwrap_or_else(PoisonError::into_inner);
    for (fault, words) in [("wild", "illegal memory access"), ("trap", "CUDA_ERROR_")] {
        let output = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "faults::child_process", "--nocapture"])
            .env(FAULT, fault)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        println!("{text}");
        assert!(output.status.success(), "{fault}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(text.contains("cannot wait for the device") && text.contains(words), "{text}");
    }
}

#[test]
fn out_of_memory_loses_nothing() {
    let _alone = MEMORY.write().unwrap_or_else(PoisonError::into_inner);
    let device = gpu();
    works(&device).unwrap();
    let (_, total) = result::mem_get_info().unwrap();
    let held = device.zeroed::<u8>(total / 8).unwrap();
    // All memory of the GPU, more than any GPU has, and an amount that would fit an empty GPU.
    for bytes in [total, 1 << 43, total - total / 10] {
        let error = device.zeroed::<u8>(bytes).unwrap_err();
        println!("{error}");
        assert_eq!(error.kind(), ErrorKind::OutOfDeviceMemory, "{error}");
        assert_eq!(error.needed(), Some(bytes), "{error}");
        assert!(error.limit().unwrap() < bytes, "{error}");
        works(&device).unwrap();
    }
    // Enough pairs for about 140 GB, on a GPU of 141.
    let n = (2.0 * (total - total / 14) as f64 / 4.0).sqrt() as usize;
    let error = device.packed::<f32>(n).unwrap_err();
    println!("{n} elements: {error}");
    assert_eq!(error.kind(), ErrorKind::OutOfDeviceMemory, "{error}");
    drop(held);
    works(&device).unwrap();
}

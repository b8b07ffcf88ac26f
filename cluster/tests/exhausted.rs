//! Exhausted host memory is an error of each operation that gathers. The allocator of this program refuses large allocations on
//! request. A refused allocation in infallible code would end the process.
#![allow(clippy::unwrap_used, clippy::panic)]
#![cfg(target_os = "linux")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};

use td_kernel::{Device, ErrorKind, td_kernel};
use td_kernel_cluster::{Cluster, Error, Result};

/// The number of large allocations that are granted before all others are refused.
static GRANTED: AtomicUsize = AtomicUsize::new(usize::MAX);

/// The size of a large allocation in bytes: less than the smallest vector of the test.
const LARGE: usize = 12_000;

struct Limited;

// SAFETY: the system's allocator, which may refuse. `realloc` is the trait's default, which calls `alloc`.
unsafe impl GlobalAlloc for Limited {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let take = |granted: usize| match granted {
            usize::MAX => Some(granted),
            _ => granted.checked_sub(1),
        };
        let is_refused = layout.size() >= LARGE
            && GRANTED.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_err();
        // SAFETY: the caller's promise.
        if is_refused { ptr::null_mut() } else { unsafe { System.alloc(layout) } }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Limited = Limited;

/// Runs `work` with 0, 1, 2, … large allocations, until it succeeds. Every earlier run must end with an error.
fn fails<T>(name: &str, work: impl Fn() -> Result<T>) {
    eprintln!("{name}");
    for granted in 0..100 {
        GRANTED.store(granted, Ordering::Relaxed);
        let result = work();
        GRANTED.store(usize::MAX, Ordering::Relaxed);
        match result {
            Ok(_) => {
                assert!(granted > 0, "{name} takes no memory");
                return;
            }
            Err(Error::HostMemory { .. }) => {}
            Err(Error::Kernel(error)) if error.kind() == ErrorKind::OutOfHostMemory => {}
            Err(error) => panic!("{name}: {granted}: {error}"),
        }
    }
    panic!("{name} never has enough memory");
}

#[td_kernel]
unsafe fn close(
    #[each] x: &[f32],
    plain: &mut Pairs,
    valued: &mut Pairs<f32>,
    #[each] sums: &mut Sums<f32>,
) {
    r#"
    float d = fabsf(x.i - x.j);
    if (d < 2.5f) {
        plain.push();
        valued.push(d);
    }
    sums.i += d;
    "#
}

/// Without `mpirun`, this process is the only rank.
#[test]
fn out_of_memory_is_an_error() {
    const N: usize = 4000;
    let cluster = Cluster::start().unwrap();
    let devices = cluster.sharing(Device::cpu().unwrap()).unwrap();
    let x: Vec<f32> = (0..N).map(|at| at as f32).collect();
    fails("gather", || cluster.gather(&x));
    let x = devices.upload(&x).unwrap();
    let (mut plain, mut valued) = (devices.pairs(3 * N).unwrap(), devices.pairs(3 * N).unwrap());
    let mut sums = devices.sums(N).unwrap();
    close::load(&devices).unwrap().launch(&x, &mut plain, &mut valued, &mut sums).unwrap();
    fails("joined", || cluster.joined(&sums));
    fails("joined_on_all", || cluster.joined_on_all(&sums));
    fails("joined_pairs", || cluster.joined_pairs(&plain));
    fails("joined_list", || cluster.joined_list(&valued));
}

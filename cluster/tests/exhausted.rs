//! Exhausted host memory is an error of each operation that gathers. The allocator of this program refuses large allocations on
//! request. A refused allocation in infallible code would end the process.
#![allow(clippy::unwrap_used, clippy::panic)]
#![cfg(target_os = "linux")]

#[path = "../../tests/tests/limited/mod.rs"]
mod limited;

use td_kernel::{Device, ErrorKind, td_kernel};
use td_kernel_cluster::{Cluster, Error, Result};

/// Each operation is tried with fewer allocations than it needs, of about a vector of the test or more.
fn fails<T>(name: &str, work: impl Fn() -> Result<T>) {
    eprintln!("{name}");
    limited::fails_at_each(name, 12_000, work, |error| match error {
        Error::HostMemory { .. } => true,
        Error::Kernel(error) => error.kind() == ErrorKind::OutOfHostMemory,
        _ => false,
    });
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

//! The maps alone: a body that looks at its pair and does nothing, as in the papers' dummy test. What is
//! measured is the starting of blocks, and the finding of their place.

use td_kernel::cudarc::driver::CudaSlice;
use td_kernel::{Device, Result};

use super::Setting;
use super::target::{Bound, Measured, Outcome, Target};
use crate::Failure;
use crate::measure::gpu::Way;
use crate::measure::times::Times;

pub(crate) const TARGETS: &[Target] =
    &[Target { work: "dummy, best map", features: None, n: 30_720, bound: Bound::AtLeast(6.0) }];

/// Counts the pairs with i + j == wanted. No pair has the sum that is timed, which the compiler cannot
/// know; one that some pairs have shows whether all of them are visited, once.
type Kernel = Box<dyn Fn(usize, u32, &mut CudaSlice<u32>) -> Result<()>>;

macro_rules! maps {
    ($($name:ident: $map:literal;)+) => {
        $(
            #[td_kernel::td_kernel(map = $map, block = 16, tile = 0)]
            unsafe fn $name(wanted: u32, found: &mut [u32]) {
                r#"
    if (i + j == wanted)
        atomicAdd(&found[0], 1u);
    "#
            }
        )+

        /// Every map, loaded.
        fn kernels(device: &Device) -> Result<Vec<(&'static str, Kernel)>> {
            Ok(vec![$({
                let kernel = $name::load(device)?;
                let launch = move |n, wanted, found: &mut CudaSlice<u32>| {
                    kernel.launch(n, wanted, found)
                };
                ($map, Box::new(launch) as Kernel)
            }),+])
        }
    };
}

// The bounding box, which the others are compared with, is the first.
maps! {
    bb: "bb";
    ltm: "ltm";
    utm: "utm";
    rb: "rb";
    rec: "rec";
    h: "h";
    walk: "walk";
    table: "table";
}

pub(crate) fn measure(setting: &Setting, target: &Target) -> std::result::Result<Outcome, Failure> {
    let (gpu, n) = (&setting.gpu, target.n);
    let kernels = kernels(&gpu.device)?;
    let mut found = Vec::new();
    for (map, kernel) in &kernels {
        // Half of the sums i + j = n - 1 have i > j.
        let mut count = gpu.upload(&[0_u32])?;
        kernel(n, n as u32 - 1, &mut count)?;
        let visited = gpu.stream.clone_dtoh(&count)?;
        if visited != [n as u32 / 2] {
            let pairs = n / 2;
            return Err(
                format!("{map} visits {visited:?} of {pairs} pairs with i + j = n - 1").into()
            );
        }
        found.push(count);
    }
    let ways = kernels
        .iter()
        .zip(&mut found)
        .map(|((map, kernel), found)| Way::new(*map, move || Ok(kernel(n, u32::MAX, found)?)));
    let mut times = gpu.time(10, ways.collect())?;
    let reference = times.remove(0);
    let (ours, others) = Times::split_fastest(times).ok_or("no map but bb was timed")?;
    Ok(Outcome::Measured(Measured { ours, reference, others }))
}

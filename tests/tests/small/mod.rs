//! Tests of every device. `kernels` runs them in the CPU's loops and on the emulator, and `gpu` on a GPU, where they are fast
//! enough for a memory checker.

mod arrays;
mod catalogue;
mod columns;
pub(crate) mod exactly;
mod extremes;
mod feature_sets;
pub(crate) mod filtered;
mod folds;
mod given;
mod histograms;
pub(crate) mod lists;
mod near;
pub(crate) mod nearest;
mod products;
mod reduce;
mod results;
mod sets;
mod values;
mod visits;

use std::fmt::Debug;

use rayon::prelude::*;
use td_kernel::Device;
use td_kernel_tests::covering::EVERY;
use td_kernel_tests::parallel::CheckEach;

use crate::{IS_GPU, devices};

/// The device of [`devices`] that runs a GPU's source.
fn simt() -> Device {
    devices().pop().unwrap()
}

/// How many of this device to share sets among.
fn counts_of(device: &Device) -> &'static [usize] {
    if device.name().contains("emulator") { &[2] } else { &[1, 3, 7] }
}

/// Whether to test large sizes: on a GPU with the feature `every`, which the tests for racecheck do not have.
const IS_LARGE: bool = IS_GPU && EVERY;

/// The sizes of every device, and more if sizes may be large.
fn and_large<T: Copy>(usual: &[T], more: &[T]) -> Vec<T> {
    [usual, if IS_LARGE { more } else { &[] }].concat()
}

/// Checks each case: in parallel, but sequentially on a GPU in the tests for racecheck, which hung when threads launched kernels.
fn each<T: Sync + Debug>(cases: &[T], check: impl Fn(&T) + Sync + Send) {
    if IS_GPU && !EVERY {
        cases.iter().for_each(check);
    } else {
        cases.par_iter().check_each(check);
    }
}

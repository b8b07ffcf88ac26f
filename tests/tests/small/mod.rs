//! What every device does alike. `kernels` runs these tests in the CPU's loops and on the emulator, and `gpu` on a GPU, where
//! they are quick enough for a memory checker.

pub(crate) mod filtered;
mod folds;
mod lists;
pub(crate) mod nearest;
mod rectangle;
mod results;
mod several;
mod values;
mod visits;

use rayon::prelude::*;
use td_kernel::Device;
use td_kernel_tests::covering::EVERY;

use crate::{IS_GPU, devices};

/// The device of [`devices`] that runs a GPU's source.
fn simt() -> Device {
    devices().pop().unwrap()
}

/// Whether to try large sizes: on a GPU, which is quick, with the feature `every`, which the tests for racecheck do not have.
const IS_LARGE: bool = IS_GPU && EVERY;

/// What every device tries, and where sizes may be large some more.
fn and_large<T: Copy>(usual: &[T], more: &[T]) -> Vec<T> {
    [usual, if IS_LARGE { more } else { &[] }].concat()
}

/// Checks each case: side by side on the emulator, which is slow, and one after the other on a GPU, since racecheck was seen
/// to hang where threads launch kernels.
fn each<T: Sync>(cases: &[T], check: impl Fn(&T) + Sync) {
    if IS_GPU { cases.iter().for_each(check) } else { cases.par_iter().for_each(&check) }
}

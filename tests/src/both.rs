//! The same on the CPU, in plain loops, and on its emulator of a GPU.

use td_kernel::{Device, Result};

/// What `run` gives on the CPU, and on the emulator.
///
/// # Panics
///
/// There is no C++ compiler, or `run` fails.
#[allow(clippy::unwrap_used)]
pub fn both<R>(run: impl Fn(&Device) -> Result<R>) -> [R; 2] {
    [Device::cpu(), Device::emulator()].map(|device| run(&device.unwrap()).unwrap())
}

/// Whole numbers that look random, from 0 to 99.
pub fn whole(count: usize, seed: usize) -> impl Iterator<Item = u8> {
    (0..count).map(move |k| {
        let k = (k + seed) as u64;
        (k.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
            >> 32) as u8
            % 100
    })
}

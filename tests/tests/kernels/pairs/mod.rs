//! The plain loops of the CPU do what the GPU's text does, thread by thread on the emulator: every kind of parameter, whole
//! and in bands. Where elements have features: `loops/`.

mod gathered;
mod rectangles;
mod slots;
mod turns;

use td_kernel::DeviceType;
use td_kernel_tests::both::whole;

/// Numbers of elements, around the sides of blocks and of parts, and one with several blocks of columns.
const SIZES: &[usize] = &[0, 1, 2, 3, 31, 64, 65, 255, 256, 257, 600];

/// Floats that have all their bits.
fn floats(count: usize, seed: usize) -> Vec<f32> {
    whole(count, seed)
        .zip(whole(count, seed + 7))
        .map(|(a, b)| f32::from(a) / 7.0 + f32::from(b))
        .collect()
}

fn points<const N: usize>(count: usize, seed: usize) -> Vec<[f32; N]> {
    floats(N * count, seed).as_chunks().0.to_vec()
}

/// A struct, which loops read as it is.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, DeviceType)]
pub(crate) struct Body {
    at: [f32; 5],
    kind: u32,
}

fn bodies(count: usize) -> Vec<Body> {
    let at = floats(5 * count, 3);
    let (at, kinds) = (at.as_chunks().0.iter(), whole(count, 4));
    at.zip(kinds).map(|(at, kind)| Body { at: *at, kind: u32::from(kind) }).collect()
}

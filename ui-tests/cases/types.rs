//! Types that a GPU does not share with Rust.

use td_kernel::{Device, td_kernel};

#[td_kernel]
unsafe fn machine_dependent(x: &[usize], s: isize) {
    r#" return; "#
}

#[td_kernel]
unsafe fn not_every_bit_pattern(x: &[bool], c: char) {
    r#" return; "#
}

#[td_kernel]
unsafe fn too_wide(x: &[u128]) {
    r#" return; "#
}

#[td_kernel]
unsafe fn text(x: &str, y: String) {
    r#" return; "#
}

#[td_kernel]
unsafe fn not_a_slice(x: &f32, y: &&[f32], z: (f32, f32), f: fn()) {
    r#" return; "#
}

#[td_kernel]
unsafe fn no_vector(x: &[[f32; 5]], y: &[[[f32; 2]; 2]], z: Vec<f32>) {
    r#" return; "#
}

#[td_kernel]
unsafe fn no_sum(a: &mut Sum<u8>, b: &mut Sum<[f32; 2]>) {
    r#" return; "#
}

struct Plain {
    x: f32,
}

#[td_kernel]
unsafe fn no_twin(x: &[Plain]) {
    r#" return; "#
}

type Real = f32;

#[td_kernel]
unsafe fn alias(x: Real, out: &mut Packed<f32>) {
    r#" out = x; "#
}

#[td_kernel]
unsafe fn right(#[each] x: &[f32], out: &mut Packed<f32>) {
    r#" out = x.i; "#
}

fn main() -> td_kernel::Result<()> {
    let device = Device::best()?;
    let wrong = device.upload(&[1_u32, 2])?;
    let mut out = device.packed(2)?;
    right::load(&device)?.launch(&wrong, &mut out)
}

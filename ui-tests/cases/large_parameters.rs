//! Parameters that exceed a GPU's limit, which also applies on the CPU.

use td_kernel::{DeviceType, td_kernel};

#[derive(Clone, Copy, DeviceType)]
#[repr(C)]
struct Large {
    values: [f32; 30_000],
}

#[derive(Clone, Copy, DeviceType)]
#[repr(C)]
struct Half {
    values: [f32; 5_000],
}

#[td_kernel]
unsafe fn two(first: Half, second: Half, total: &mut Sum<f32>) {
    r#" total += first.values[i] + second.values[j]; "#
}

#[td_kernel(block = 8)]
unsafe fn square(out: &mut Square<Large>) {
    r#" out.values[0] = i; "#
}

#[td_kernel]
unsafe fn slice(large: &[Large], half: Half, total: &mut Sum<f32>) {
    r#" total += large[0].values[i] + half.values[j]; "#
}

fn main() {}

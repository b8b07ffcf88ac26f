//! Parameters that a kernel cannot have.

use td_kernel::td_kernel;

#[td_kernel]
unsafe fn receiver(&self, out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel]
unsafe fn pattern((a, b): (f32, f32), mut c: f32, out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel]
unsafe fn names(i: f32, j: f32, n: u32, template: f32, td_x: f32, __y: f32, größe: f32) {
    r#" return; "#
}

#[td_kernel]
unsafe fn twice(x: f32, x: f32, out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel]
unsafe fn each(#[each] x: &mut [f32], #[each] s: f32, #[each(1)] y: &[f32], #[each] #[each] z: &[f32]) {
    r#" return; "#
}

#[td_kernel]
unsafe fn attribute(#[allow(unused)] x: &[f32]) {
    r#" return; "#
}

#[td_kernel]
unsafe fn lifetime(x: &'static [f32]) {
    r#" return; "#
}

#[td_kernel]
unsafe fn outputs(a: &Packed<f32>, b: Packed<f32>, c: &mut Packed, d: &mut Sum<f32, f32>, e: &mut Pairs<u32>, f: Pairs) {
    r#" return; "#
}

fn main() {}

//! What a kernel's function cannot be.

use td_kernel::td_kernel;

#[td_kernel]
struct NotAFunction;

#[td_kernel]
fn not_unsafe(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel]
async unsafe fn asynchronous(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel]
const unsafe fn constant(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel]
unsafe extern "C" fn foreign(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel]
unsafe fn generic<T>(out: &mut Packed<T>)
where
    T: Copy,
{
    r#" out = 1; "#
}

#[td_kernel]
unsafe fn returns(out: &mut Packed<f32>) -> f32 {
    r#" out = 1; "#
}

#[td_kernel]
unsafe fn auto(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel]
unsafe fn td_mine(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel]
unsafe fn inner(out: &mut Packed<f32>) {
    #![allow(unused)]
    r#" out = 1; "#
}

fn main() {}

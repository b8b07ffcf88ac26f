//! Constants whose values have another type, or cannot be computed.
use td_kernel::td_kernel;

const CUTOFF: f64 = 2.5;
static COUNT: u32 = 3;

fn runs() -> u32 {
    1
}

#[td_kernel(constants(CUTOFF: f32 = crate::CUTOFF, COUNT: u32 = runs(), MISSING: i8 = NOWHERE))]
unsafe fn of_other_types(out: &mut Packed<f32>) {
    r#" out = CUTOFF + COUNT + MISSING; "#
}

#[td_kernel(constants(SIZE: u8 = 200 + 56, NONE: usize = [1, 2][EMPTY.len() + 2]))]
unsafe fn too_large(out: &mut Packed<f32>) {
    r#" out = SIZE + NONE; "#
}

const EMPTY: [u8; 0] = [];

#[td_kernel(constants(STEP: f32 = f32::INFINITY))]
unsafe fn infinite(out: &mut Packed<f32>) {
    r#" out = STEP; "#
}

fn main() {
    println!("{} {}", too_large::SOURCE, infinite::SOURCE);
}

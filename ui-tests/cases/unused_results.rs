//! Results that must be used.
#![deny(unused_must_use)]

use td_kernel::testing::{self, Failure};

fn forgotten() -> Result<(), Failure> {
    testing::packed::<f32>(10, |_, _| Ok(()))?;
    testing::sum::<u64>(10, |_, _| Ok(()))?;
    testing::pairs(10, |_, _| Ok(()))?;
    testing::pairs_with_values::<f32>(10, |_, _| Ok(()))?;
    Ok(())
}

fn not_returned() -> Result<(), Failure> {
    testing::packed::<f32>(10, |_, _| Ok(()))?.within(1e-6, |_, _| 0.0);
    Ok(())
}

fn main() {
    let _ = (forgotten(), not_returned());
}

//! Random input.

use std::iter;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use crate::number::whole;

/// The most elements that are made at random. Their numbers are multiples of 2^-24, the generator's spacing, so more
/// elements would be hard to tell apart.
pub const MAX_ELEMENTS: i64 = 1 << 24;

/// How many elements are to be made at random, as an argument says: 30720, or 3e4.
///
/// # Errors
///
/// It is no whole number, or more than can be made.
pub fn count(text: &str) -> Result<u32, String> {
    let number = whole(text, MAX_ELEMENTS as u64)?;
    u32::try_from(number).map_err(|error| error.to_string())
}

/// Uniform numbers in [0, 1): the same for the same seed, on every machine.
pub fn unit_numbers(seed: u64) -> impl Iterator<Item = f32> {
    // A generator named explicitly; `StdRng` may change its algorithm.
    let mut generator = Xoshiro256PlusPlus::seed_from_u64(seed);
    iter::repeat_with(move || generator.random())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_always_gives_the_same_numbers() {
        let numbers = |seed| unit_numbers(seed).take(1000).collect::<Vec<f32>>();
        assert_eq!(numbers(7), numbers(7));
        assert_ne!(numbers(7), numbers(8));
        assert!(numbers(7).iter().all(|number| (0.0..1.0).contains(number)));
        // Fixed values: a new release of the generator's crate must not change them.
        assert_eq!(numbers(0)[..2], [0.32457525, 0.38223928]);
    }
}

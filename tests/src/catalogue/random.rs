//! Pseudo-random numbers of elements.

/// What the numbers of elements are like.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Numbers {
    /// Integers from -8 to 8: results are exact, and have ties.
    #[default]
    Small,
    /// Far from zero and close to each other; some are equal.
    Far,
    /// Of many magnitudes, with all bits of a float.
    Wide,
    /// Subnormal, infinite and NaN among ordinary ones, and zeros of both signs.
    Odd,
}

impl Numbers {
    /// All of them.
    pub const ALL: [Numbers; 4] = [Numbers::Small, Numbers::Far, Numbers::Wide, Numbers::Odd];

    /// A number of 64 random bits.
    fn number(self, bits: u64) -> f64 {
        let small = (bits % 17) as f64 - 8.0;
        let fraction = (bits >> 40) as f64 / (1 << 24) as f64;
        match self {
            Numbers::Small => small,
            Numbers::Far => 1e6 + small / 8.0 + if bits >> 63 == 1 { fraction } else { 0.0 },
            Numbers::Wide => {
                let scale = f64::from((bits >> 8) as u8 % 48) - 24.0;
                small.signum() * (1.0 + fraction) * scale.exp2()
            }
            Numbers::Odd => match bits >> 32 & 63 {
                0 => f64::NAN,
                1 => f64::INFINITY,
                2 => f64::NEG_INFINITY,
                3 => -0.0,
                4 => f64::from(f32::from_bits(1)) * small,
                5 => small * 1e-20,
                _ => small,
            },
        }
    }
}

/// `count` numbers for a parameter. They depend on the seed and the parameter's name.
pub(crate) fn numbers(kind: Numbers, seed: u64, name: &str, count: usize) -> Vec<f64> {
    let name = name.bytes().fold(seed, |hash, byte| mixed(hash ^ u64::from(byte)));
    (0..count as u64).map(|at| kind.number(mixed(name ^ at))).collect()
}

/// A number with other bits.
pub(crate) fn mixed(number: u64) -> u64 {
    let mut bits = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

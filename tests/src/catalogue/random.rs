//! Pseudo-random numbers of elements: small integers, of which many are equal, so that results are exact and have ties.

/// `count` numbers from -8 to 8 for a parameter. They depend on the seed and the parameter's name.
pub(crate) fn numbers(seed: u64, name: &str, count: usize) -> Vec<f64> {
    let name = name.bytes().fold(seed, |hash, byte| mixed(hash ^ u64::from(byte)));
    (0..count as u64).map(|at| (mixed(name ^ at) % 17) as f64 - 8.0).collect()
}

/// A number with other bits.
pub(crate) fn mixed(number: u64) -> u64 {
    let mut bits = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

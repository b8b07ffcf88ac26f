//! Exact sums of floats: integers of many digits. Kernels add to them with integer atomics, so the order of additions makes no
//! difference.

use crate::backend::Backend;
use crate::memory::Memory;
use crate::{DeviceType, Error, ErrorKind, Result, host};

/// The digits of a sum: 32 bits each, in signed 64-bit words. The kernels' additions (`add_exact_*.cuh`) use the same layout.
/// They carry only words that get large, so the same sum may have other words; [`carry`](Self::carry) makes them equal.
#[derive(Clone, Copy, Debug)]
pub struct Digits {
    /// The number of digits. One more word has flags for infinities and NaN.
    pub(crate) count: usize,
    /// Digit k counts 2^(32 k + exponent).
    pub(crate) exponent: i32,
    /// Whether a sum is rounded to a double only on its way to an `f32`. It is then rounded to odd, so that the second rounding
    /// gives the nearest `f32`.
    pub(crate) is_of_f32: bool,
}

impl Digits {
    pub(crate) const OF_F32: Digits = Digits { count: 9, exponent: -150, is_of_f32: true };
    pub(crate) const OF_F64: Digits = Digits { count: 66, exponent: -1075, is_of_f32: false };
    /// The digits of a total of `f32`, to which threads add doubles.
    pub(crate) const OF_F32_TOTAL: Digits = Digits { is_of_f32: true, ..Digits::OF_F64 };

    /// The number of words in a sum.
    pub(crate) const fn words(self) -> usize {
        self.count + 1
    }

    /// The sum of these digits, rounded once to a double, or for an `f32` to odd. A word is either one of a device's, or the sum over
    /// several slots.
    fn value(self, words: impl Iterator<Item = i128>, flags: i128) -> f64 {
        let mut digits = Vec::with_capacity(self.count + 2);
        // A device's word is below 2^63 in magnitude, and the sum over 64 slots below 2^69. So a carry is below 2^38, and a sum
        // with it below 2^70.
        let mut carry = 0_i128;
        for word in words.take(self.count) {
            let sum = word + carry;
            digits.push(sum as u32);
            carry = sum >> 32;
        }
        match flags {
            0 => {}
            1 => return f64::INFINITY,
            2 => return f64::NEG_INFINITY,
            // NaN, or infinities of both signs.
            _ => return f64::NAN,
        }
        // The carry out of the last digit has at most 39 bits with its sign, so it fits two digits.
        let is_negative = carry < 0;
        digits.extend([carry as u32, (carry >> 32) as u32]);
        if is_negative {
            negate(&mut digits);
        }
        let Some(top) = digits.iter().rposition(|digit| *digit != 0) else { return 0.0 };
        // Three digits hold all bits of a double. Digits below them only matter for ties, as a sticky bit.
        let first = top.saturating_sub(2);
        let (below, leading) = digits.split_at(first);
        let joined = leading
            .iter()
            .take(3)
            .rev()
            .fold(0_u128, |joined, &digit| joined << 32 | u128::from(digit));
        let sticky = u128::from(below.iter().any(|digit| *digit != 0));
        let mut bits = joined << 1 | sticky;
        if self.is_of_f32 {
            // The bits below the 53 of a double, of which the last one is set if they are not 0.
            let rest = (1 << (75 - bits.leading_zeros().min(75))) - 1;
            bits = bits & !rest | if bits & rest == 0 { 0 } else { rest + 1 };
        }
        let magnitude = scaled(bits as f64, 32 * first as i32 + self.exponent - 1);
        if is_negative { -magnitude } else { magnitude }
    }

    /// The sum of all slots, rounded once. Each digit's words of all slots are contiguous.
    pub(crate) fn total(self, words: &[u64], slots: usize) -> f64 {
        let mut words = words.chunks(slots.max(1));
        let digits = words.by_ref().take(self.count);
        // Each slot may use all 64 bits of its words, so their sum needs more.
        let digits: Vec<i128> =
            digits.map(|slots| slots.iter().map(|word| signed(*word)).sum()).collect();
        let flags = words.flatten().fold(0, |flags, word| flags | signed(*word));
        self.value(digits.into_iter(), flags)
    }

    /// The value of each sum. The words are ordered by component, then by digit, then by sum.
    pub(crate) fn values(self, words: &[u64], sums: usize) -> Result<Vec<f64>> {
        let each = self.words();
        let size = (each * sums).max(1);
        if !words.len().is_multiple_of(size) {
            let problem =
                format!("an exact sum has {} words, not a multiple of {size}", words.len());
            return Err(Error::other(problem));
        }
        let component = |words: &[u64], values: &mut Vec<f64>| {
            let word = |digit: usize, element: usize| signed(words[digit * sums + element]);
            let value = |element| {
                let digits = (0..self.count).map(|digit| word(digit, element));
                self.value(digits, word(self.count, element))
            };
            values.extend((0..sums).map(value));
        };
        let components = words.chunks(size);
        let mut values = host::with_room(components.len().saturating_mul(sums))?;
        components.for_each(|words| component(words, &mut values));
        Ok(values)
    }

    /// Adds the words of the same sums, combines their flags, and carries.
    pub(crate) fn join(self, words: &mut [u64], others: &[u64], sums: usize) {
        for (at, (word, other)) in words.iter_mut().zip(others).enumerate() {
            let is_digit = at / sums.max(1) % self.words() < self.count;
            *word = if is_digit { word.wrapping_add(*other) } else { *word | other };
        }
        self.carry(words, sums);
    }

    /// Carries, so that each word is below 2^32 but for a sum's last one, which has the sign. Any number of sums can then be
    /// joined.
    fn carry(self, words: &mut [u64], sums: usize) {
        for component in words.chunks_mut((self.words() * sums).max(1)) {
            for at in 0..(self.count - 1) * sums {
                if let Ok([word, next]) = component.get_disjoint_mut([at, at + sums]) {
                    *next = next.wrapping_add_signed(word.cast_signed() >> 32);
                    *word &= 0xffff_ffff;
                }
            }
        }
    }
}

/// A device's word as a signed number.
fn signed(word: u64) -> i128 {
    i128::from(word.cast_signed())
}

/// Negates the number.
fn negate(digits: &mut [u32]) {
    let mut carry = true;
    for digit in digits {
        (*digit, carry) = (!*digit).overflowing_add(u32::from(carry));
    }
}

/// `value` × 2^`exponent`; 2^`exponent` itself may be too small for a double.
fn scaled(value: f64, exponent: i32) -> f64 {
    let half = exponent / 2;
    value * 2_f64.powi(half) * 2_f64.powi(exponent - half)
}

/// Exact sums on a device, ordered by component, then by digit.
pub(crate) struct Exact {
    pub(crate) memory: Memory<u64>,
    /// The number of sums in each component.
    sums: usize,
    digits: Digits,
    /// An upper bound of the additions to each word, on all devices together, by kernels that do not carry.
    pub(crate) additions: u64,
}

/// The most additions to a word that cannot overflow into its sign, with a carry from the word before.
const MAX_ADDITIONS: u64 = (1 << 31) - 1;

/// The additions to a word after `own` more. An error if it might lose its sign.
pub(crate) fn added(before: u64, own: u64) -> Result<u64> {
    let all = before.saturating_add(own);
    if all > MAX_ADDITIONS {
        let problem = "has received so many additions that another launch could overflow its exact sums: download it, then `clear()` it";
        return Err(Error::new(ErrorKind::SumOverflow, problem));
    }
    Ok(all)
}

impl Exact {
    /// Sums, starting at zero.
    fn new(backend: &dyn Backend, [sums, components]: [usize; 2], digits: Digits) -> Result<Self> {
        let words = sums.saturating_mul(components * digits.words());
        let memory = Memory::zeroed(backend, words)?;
        Ok(Exact { memory, sums, digits, additions: 0 })
    }

    /// Those of an output, made by the first call.
    pub(crate) fn of<'e>(
        kept: &'e mut Option<Exact>,
        backend: &dyn Backend,
        shape: [usize; 2],
        digits: Digits,
    ) -> Result<&'e mut Exact> {
        let exact = kept.take().map_or_else(|| Exact::new(backend, shape, digits), Ok)?;
        Ok(kept.insert(exact))
    }

    /// The bytes of one component's words.
    pub(crate) fn stride(&self) -> u64 {
        (self.sums * self.digits.words() * size_of::<u64>()) as u64
    }

    /// Downloads the cells of all devices, combined by `join`, and adds to each its exact sum if there are any.
    pub(crate) fn download_summed<C: DeviceType>(
        kept: Option<&Exact>,
        cells: &Memory<C>,
        join: impl Fn(C, C) -> C,
        plus: impl Fn(C, f64) -> C,
    ) -> Result<Vec<C>> {
        let mut cells = cells.download_joined(join)?;
        if let Some(exact) = kept {
            add(&mut cells, exact.digits.values(&exact.words()?, exact.sums)?, plus);
        }
        Ok(cells)
    }

    /// Downloads the words, with digits added and flags combined over devices, and carried.
    pub(crate) fn words(&self) -> Result<Vec<u64>> {
        let length = self.memory.len();
        let mut words = self.memory.download_of_device(0, 0..length)?;
        self.digits.carry(&mut words, self.sums);
        for device in 1..self.memory.devices() {
            let others = self.memory.download_of_device(device, 0..length)?;
            self.digits.join(&mut words, &others, self.sums);
        }
        Ok(words)
    }

    /// Resets all sums of an output to zero, if it has any.
    pub(crate) fn clear(kept: &mut Option<Exact>) -> Result<()> {
        let Some(exact) = kept else { return Ok(()) };
        exact.additions = 0;
        exact.memory.clear()
    }
}

/// Adds to each cell its exact sum. They are in the same order.
pub(crate) fn add<C: Copy>(cells: &mut [C], sums: Vec<f64>, plus: impl Fn(C, f64) -> C) {
    cells.iter_mut().zip(sums).for_each(|(cell, sum)| *cell = plus(*cell, sum));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn additions_are_limited() {
        assert_eq!(added(0, MAX_ADDITIONS).ok(), Some(MAX_ADDITIONS));
        assert_eq!(added(MAX_ADDITIONS - 9, 9).ok(), Some(MAX_ADDITIONS));
        for (before, own) in [(MAX_ADDITIONS - 9, 10), (0, MAX_ADDITIONS + 1), (1, u64::MAX)] {
            let error = added(before, own).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::SumOverflow);
            assert!(error.to_string().contains("so many additions"), "{error}");
        }
    }

    /// Adds as kernels do.
    fn add(words: &mut [i128], value: f32) {
        let bits = value.to_bits();
        let exponent = bits >> 23 & 255;
        if exponent == 255 {
            words[9] |= if bits << 9 != 0 { 4 } else { 1 << (bits >> 31) };
            return;
        }
        let mantissa = u64::from(bits & 0x7f_ffff) | if exponent == 0 { 0 } else { 1 << 23 };
        let place = exponent.max(1);
        let shifted = mantissa << (place % 32);
        let sign = if bits >> 31 != 0 { -1 } else { 1 };
        words[place as usize / 32] += sign * i128::from(shifted & 0xffff_ffff);
        words[place as usize / 32 + 1] += sign * i128::from(shifted >> 32);
    }

    fn sum(values: &[f32]) -> f64 {
        let mut words = [0; 10];
        values.iter().for_each(|value| add(&mut words, *value));
        Digits::OF_F32.value(words.into_iter(), words[9])
    }

    #[test]
    fn sums_are_exact() {
        for value in [0.0, 1.0, -1.5, f32::MAX, f32::MIN, f32::MIN_POSITIVE, 1e-45, -3e-40, 0.1] {
            assert_eq!(sum(&[value]), f64::from(value), "{value}");
            assert_eq!(sum(&[value, -value]), 0.0, "{value}");
            assert_eq!(sum(&[f32::MAX, value, -f32::MAX]), f64::from(value), "{value}");
        }
        assert_eq!(sum(&[f32::MAX, f32::MAX]), 2.0 * f64::from(f32::MAX));
        assert_eq!(sum(&[1e8, 1.0, -1e8, 1e-8]), 1.0 + f64::from(1e-8_f32));
        assert_eq!(sum(&[f32::INFINITY, 1.0]), f64::INFINITY);
        assert_eq!(sum(&[f32::NEG_INFINITY]), f64::NEG_INFINITY);
        assert!(sum(&[f32::INFINITY, f32::NEG_INFINITY]).is_nan());
        assert!(sum(&[f32::NAN]).is_nan());
        let tenths = vec![0.1_f32; 100_000];
        assert_eq!(sum(&tenths), f64::from(0.1_f32) * 100_000.0);
    }

    #[test]
    fn floats_are_rounded_once() {
        // Just above the middle of two floats: a double would be rounded to the middle, which is rounded to even.
        for (below, above) in [(1.0_f32, 1.0 + f32::EPSILON), (-1.0, -1.0 - f32::EPSILON)] {
            let half = (above - below) / 2.0;
            for least in [1e-45, 1e-20, 2_f32.powi(-60)] {
                assert_eq!(sum(&[below, half, least.copysign(below)]) as f32, above, "{least}");
                assert_eq!(sum(&[below, half, -least.copysign(below)]) as f32, below, "{least}");
            }
            assert_eq!(sum(&[below, half]) as f32, below);
        }
    }

    #[test]
    fn carried_words_have_the_same_value() {
        let (mut words, full) = ([0_u64; 20], i64::MAX - (1 << 32));
        for (at, word) in words.iter_mut().enumerate() {
            // Two sums, one of them with negative digits.
            *word = if at >= 18 {
                0
            } else if at % 2 == 0 {
                full as u64
            } else {
                (-full) as u64
            };
        }
        let expected = Digits::OF_F32.values(&words, 2).unwrap();
        Digits::OF_F32.carry(&mut words, 2);
        assert!(words[..16].iter().all(|word| *word < 1 << 32), "{words:?}");
        assert_eq!(Digits::OF_F32.values(&words, 2).unwrap(), expected);
        assert_eq!(expected[0], -expected[1]);
    }

    #[test]
    fn digits_cover_all_doubles() {
        // The value of a sum with a single nonzero digit.
        let at = |digit: usize, word: i128| {
            let mut words = vec![0; 67];
            words[digit] = word;
            Digits::OF_F64.value(words.into_iter(), 0)
        };
        // 2^-1074 has place 1, so it is 2 in the first digit.
        assert_eq!(at(0, 2), f64::from_bits(1));
        assert_eq!(at(0, -2), -f64::from_bits(1));
        // 2^1023 has place 2046 and the 53rd bit: 2^52 << 30, in digit 63 + 2.
        assert_eq!(at(65, 1 << 18), 2_f64.powi(1023));
        assert_eq!(at(33, 1 << 51), 2_f64.powi(32 * 33 + 51 - 1075));
    }

    #[test]
    fn total_of_full_words_is_exact() {
        const SLOTS: usize = 64;
        // The maximum number of additions to each slot, of the largest digit.
        let full = MAX_ADDITIONS as i64 * i64::from(u32::MAX);
        let double_digits = Digits { is_of_f32: false, ..Digits::OF_F32 };
        for digits in [double_digits, Digits::OF_F64] {
            for digit in [0, 3, digits.count - 1] {
                for word in [full, -full, i64::MAX, i64::MIN, 1 << 57, -1] {
                    let mut words = vec![0_u64; digits.words() * SLOTS];
                    words[digit * SLOTS..][..SLOTS].fill(word.cast_unsigned());
                    // 64 times the word as the nearest double, at the digit's place. For `f64`, a full last digit is beyond
                    // a double's range.
                    let place = 32 * digit as i32 + digits.exponent;
                    let total = scaled(64.0 * word as f64, place);
                    assert_eq!(digits.total(&words, SLOTS), total, "{digits:?} {digit} {word}");
                }
            }
        }
        // All digits at once: each carries into the next.
        let mut words = vec![full.cast_unsigned(); Digits::OF_F32.count * SLOTS];
        words.extend([0; SLOTS]);
        let exact = (0..9).map(|digit| scaled(64.0 * full as f64, 32 * digit - 150)).sum::<f64>();
        let total = double_digits.total(&words, SLOTS);
        assert!((total / exact - 1.0).abs() < 1e-15, "{total} {exact}");
        // Infinities in any slot count.
        words[9 * SLOTS + 5] = 1;
        assert_eq!(Digits::OF_F32.total(&words, SLOTS), f64::INFINITY);
        words[9 * SLOTS + 63] = 2;
        assert!(Digits::OF_F32.total(&words, SLOTS).is_nan());
    }
}

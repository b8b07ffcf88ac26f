//! The shortest decimal that is nearer to a float than to any other float, as Rust's `{:?}` writes it, but in a constant, where
//! Rust cannot format.
//!
//! Steele and White's algorithm: the value and half the distances to its neighbours are quotients of integers. Digits are taken
//! off until the rest is less than one of these distances.

use super::word::Word;

/// The most digits that a float needs.
const DIGITS: usize = 17;

/// The limbs of 2^1090, an upper bound of all numbers here.
const LIMBS: usize = 36;

/// A natural number.
#[derive(Clone, Copy)]
struct Natural {
    /// Least significant first.
    limbs: [u32; LIMBS],
    /// The number of limbs that may be nonzero.
    used: usize,
}

impl Natural {
    const fn of(number: u64) -> Natural {
        let mut limbs = [0; LIMBS];
        limbs[0] = number as u32;
        limbs[1] = (number >> 32) as u32;
        Natural { limbs, used: 2 }
    }

    const fn times(&mut self, factor: u32) {
        let (mut carry, mut at) = (0, 0);
        while at < self.used {
            let product = self.limbs[at] as u64 * factor as u64 + carry;
            self.limbs[at] = product as u32;
            carry = product >> 32;
            at += 1;
        }
        if carry > 0 {
            self.limbs[self.used] = carry as u32;
            self.used += 1;
        }
    }

    /// Multiplies by a power of two.
    const fn shifted(mut self, power: u32) -> Natural {
        let mut left = power;
        while left > 0 {
            let step = if left < 31 { left } else { 31 };
            self.times(1 << step);
            left -= step;
        }
        self
    }

    const fn plus(mut self, other: &Natural) -> Natural {
        let used = if self.used > other.used { self.used } else { other.used };
        let (mut carry, mut at) = (0, 0);
        while at < used {
            let sum = self.limbs[at] as u64 + other.limbs[at] as u64 + carry;
            self.limbs[at] = sum as u32;
            carry = sum >> 32;
            at += 1;
        }
        self.used = used;
        if carry > 0 {
            self.limbs[used] = carry as u32;
            self.used += 1;
        }
        self
    }

    /// Subtracts another number, which must not be larger.
    const fn minus(&mut self, other: &Natural) {
        let (mut borrowed, mut at) = (false, 0);
        while at < self.used {
            let (difference, first) = self.limbs[at].overflowing_sub(other.limbs[at]);
            let (difference, second) = difference.overflowing_sub(borrowed as u32);
            self.limbs[at] = difference;
            borrowed = first || second;
            at += 1;
        }
    }

    /// Whether this is less than another number, or, with `or_equal`, equal to it.
    const fn is_below(&self, other: &Natural, or_equal: bool) -> bool {
        let mut at = if self.used > other.used { self.used } else { other.used };
        while at > 0 {
            at -= 1;
            if self.limbs[at] != other.limbs[at] {
                return self.limbs[at] < other.limbs[at];
            }
        }
        or_equal
    }
}

/// Writes `mantissa` × 2^`power`. `is_first` is for the first float of its binade: the next smaller float is half as far away
/// as the next larger one.
pub(super) const fn write(word: &mut Word, mantissa: u64, power: i32, is_first: bool) {
    // The value is `value / unit`; half the distances to its neighbours are `above / unit` and `below / unit`.
    let scale = if is_first { 2 } else { 1 };
    let up = if power > 0 { power.unsigned_abs() } else { 0 };
    let down = if power < 0 { power.unsigned_abs() } else { 0 };
    let mut value = Natural::of(mantissa).shifted(up + scale);
    let mut unit = Natural::of(1).shifted(down + scale);
    let mut below = Natural::of(1).shifted(up);
    let mut above = Natural::of(1).shifted(up + scale - 1);
    // The midpoint of two floats is read as the one with an even mantissa.
    let is_even = mantissa.is_multiple_of(2);
    // The position of the point, before the first digit.
    let mut point = 0;
    while unit.is_below(&value.plus(&above), is_even) {
        unit.times(10);
        point += 1;
    }
    loop {
        let (mut next, mut next_above) = (value, above);
        next.times(10);
        next_above.times(10);
        if unit.is_below(&next.plus(&next_above), is_even) {
            break;
        }
        value = next;
        above = next_above;
        below.times(10);
        point -= 1;
    }
    let (mut digits, mut count) = ([0; DIGITS], 0);
    loop {
        value.times(10);
        above.times(10);
        below.times(10);
        let mut digit = 0;
        while unit.is_below(&value, true) {
            value.minus(&unit);
            digit += 1;
        }
        let is_low = value.is_below(&below, is_even);
        let is_high = unit.is_below(&value.plus(&above), is_even);
        // Whether the next greater digit is nearer.
        let is_past = !value.shifted(1).is_below(&unit, false);
        let is_last = is_low || is_high;
        digits[count] = digit + (is_last && (!is_low || (is_high && is_past))) as u8;
        count += 1;
        if is_last {
            break;
        }
    }
    lay_out(word, &digits, count, point);
}

/// Writes the digits, with the point after the first `point` of them.
const fn lay_out(word: &mut Word, digits: &[u8; DIGITS], count: usize, point: i32) {
    let is_long = point > 16 || point < -3;
    let whole = if is_long { 1 } else { point };
    let mut at = if whole < 0 { whole } else { 0 };
    if whole <= 0 {
        word.text("0.");
    }
    while at < whole || at < count as i32 {
        if at == whole && at > 0 {
            word.byte(b'.');
        }
        let is_digit = at >= 0 && at < count as i32;
        word.byte(b'0' + if is_digit { digits[at as usize] } else { 0 });
        at += 1;
    }
    if is_long {
        word.byte(b'e');
        if point < 1 {
            word.byte(b'-');
        }
        word.decimal((point - 1).unsigned_abs() as u64);
    } else if count as i32 <= whole {
        word.text(".0");
    }
}

//! Sums that are exact but for one rounding, on the host, and numbers for which other sums would not be.

/// The sum, rounded once: by Shewchuk's expansions, whose parts do not overlap. Infinities of one sign make it infinite, those of
/// both and NaN make it NaN.
pub fn of_f64(terms: impl IntoIterator<Item = f64>) -> f64 {
    let (mut parts, mut special): (Vec<f64>, f64) = (Vec::new(), 0.0);
    for mut term in terms {
        if !term.is_finite() {
            special += term;
            continue;
        }
        let mut kept = 0;
        for at in 0..parts.len() {
            let (high, low) = two_sum(term, parts[at]);
            if low != 0.0 {
                parts[kept] = low;
                kept += 1;
            }
            term = high;
        }
        parts.truncate(kept);
        parts.push(term);
    }
    if special != 0.0 {
        return special;
    }
    // The greatest part has the sum but for the last bit, which the next two decide if they are a tie.
    let mut rest = 0.0;
    let mut sum = parts.pop().unwrap_or_default();
    while let Some(part) = parts.pop() {
        (sum, rest) = two_sum(sum, part);
        if rest != 0.0 {
            break;
        }
    }
    if parts.last().is_some_and(|next| *next != 0.0 && (*next < 0.0) == (rest < 0.0)) {
        let (rounded, twice) = (sum + 2.0 * rest, 2.0 * rest);
        if rounded - sum == twice {
            sum = rounded;
        }
    }
    sum
}

/// The same for floats: the sum is compared with the middle of two floats, which a double can hold.
pub fn of_f32(terms: &[f64]) -> f32 {
    let near = of_f64(terms.iter().copied()) as f32;
    if !near.is_finite() {
        return near;
    }
    let is_past = |other: f32, is_up: bool| {
        let middle = (f64::from(near) + f64::from(other)) / 2.0;
        let rest = of_f64(terms.iter().copied().chain([-middle]));
        let is_odd = near.to_bits() & 1 == 1;
        if is_up {
            rest > 0.0 || (rest == 0.0 && is_odd)
        } else {
            rest < 0.0 || (rest == 0.0 && is_odd)
        }
    };
    match (near.next_up(), near.next_down()) {
        (up, _) if up.is_finite() && is_past(up, true) => up,
        (_, down) if down.is_finite() && is_past(down, false) => down,
        _ => near,
    }
}

/// A sum and its rounding error.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let of_b = sum - a;
    (sum, (a - (sum - of_b)) + (b - of_b))
}

/// n numbers of both signs and of magnitudes from 2^`least` to 2^`most`. Many of them cancel.
pub fn numbers(n: usize, [least, most]: [i32; 2]) -> Vec<f64> {
    let mut state = 7_u64;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    let mut all: Vec<f64> = Vec::new();
    for at in 0..n {
        let (mantissa, exponent) = (next() as f64 / (1_u64 << 31) as f64, next());
        let number =
            (1.0 + mantissa) * 2_f64.powi(least + (exponent % (most - least) as u64) as i32);
        let sign = if next() % 2 == 0 { 1.0 } else { -1.0 };
        all.push(if at % 3 == 2 { -all[at - 1] } else { sign * number });
    }
    all
}

/// The same, which a float can hold.
pub fn floats(n: usize, magnitudes: [i32; 2]) -> Vec<f32> {
    numbers(n, magnitudes).into_iter().map(|number| number as f32).collect()
}

//! Numbers: how they are read, and how reports show them.

use std::fmt;

use crate::problem::{LARGEST, Problem, quoted};

/// A number with as many digits as single precision tells apart, very small and large ones with an exponent.
#[derive(Clone, Copy, Debug)]
pub struct Digits(pub f64);

impl fmt::Display for Digits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.0 as f32;
        match value.abs() {
            1e-5..1e16 => write!(f, "{value}"),
            _ if self.0 == 0.0 => f.write_str("0"),
            _ if value.is_normal() => write!(f, "{value:e}"),
            // Outside the range of single precision.
            _ => write!(f, "{:.6e}", self.0),
        }
    }
}

/// The number in `text`, ignoring spaces around it.
///
/// # Errors
///
/// It is no number, or one that the kernels cannot take.
pub fn number(text: &str) -> std::result::Result<f64, Problem> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Problem::EmptyCell);
    }
    let Ok(value) = text.parse::<f64>() else {
        let has_commas = text.contains(',') && text.replace(',', ".").parse::<f64>().is_ok();
        return Err(match has_commas {
            true => Problem::DecimalComma(quoted(text)),
            false if has_thousands(text) => Problem::Thousands(quoted(text)),
            false => Problem::NotANumber(quoted(text)),
        });
    };
    if value.is_nan() || value.abs() > LARGEST {
        return Err(Problem::OutOfRange(quoted(text)));
    }
    let digits = text.split(['e', 'E']).next().unwrap_or_default();
    if value as f32 == 0.0 && digits.contains(|digit: char| ('1'..='9').contains(&digit)) {
        return Err(Problem::TooSmall(quoted(text)));
    }
    Ok(value)
}

/// Whether a text is a number with a separator between groups of three digits.
fn has_thousands(text: &str) -> bool {
    const SEPARATORS: [char; 8] = [' ', '\u{a0}', '\u{202f}', '\u{2009}', '\'', '’', '_', ','];
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    SEPARATORS.into_iter().any(|separator| {
        let mut groups = text.trim_start_matches(['+', '-']).split(separator);
        let first = groups.next().unwrap_or_default();
        let (Some(last), true) = (groups.next_back(), (1..=3).contains(&first.len())) else {
            return false;
        };
        let (last, decimals) = last.split_once(['.', ',']).unwrap_or((last, ""));
        is_digits(first)
            && is_digits(decimals)
            && groups.chain([last]).all(|group| group.len() == 3 && is_digits(group))
    })
}

/// A number that a file has in binary, if the kernels can take it.
///
/// # Errors
///
/// It is no number, or too large in size, or would become zero in single precision.
pub(crate) fn checked(value: f64) -> std::result::Result<f64, Problem> {
    if value.is_nan() || value.abs() > LARGEST {
        return Err(Problem::OutOfRange(value.to_string()));
    }
    if value != 0.0 && value as f32 == 0.0 {
        return Err(Problem::TooSmall(format!("{value:e}")));
    }
    Ok(value)
}

/// The whole number in `text`, up to `largest`: as 30720, 3e4 or 1.5e6.
///
/// # Errors
///
/// It is no such number, exactly.
pub(crate) fn whole(text: &str, largest: u64) -> std::result::Result<u64, String> {
    let refused =
        |what: &str| Err(format!("it has to be a whole number from 0 to {largest}{what}"));
    let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (before, behind) = digits.split_once('.').unwrap_or((digits, ""));
    let is_signed = before.starts_with('-');
    let before = before.strip_prefix(['+', '-']).unwrap_or(before);
    let digits = format!("{before}{behind}");
    let Ok(exponent) = exponent.parse::<i64>() else { return refused(", as 30720 or 3e4") };
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return refused(", as 30720 or 3e4");
    }
    // Only digits that are not zero count.
    let kept = digits.trim_end_matches('0');
    let zeros = exponent
        .saturating_sub(behind.len() as i64)
        .saturating_add((digits.len() - kept.len()) as i64);
    let kept = kept.trim_start_matches('0');
    if kept.is_empty() {
        return Ok(0);
    }
    if is_signed {
        return refused("");
    }
    let Ok(zeros) = u32::try_from(zeros) else {
        return refused(if zeros < 0 { ", without a fraction" } else { "" });
    };
    let power = 10_u64.checked_pow(zeros);
    let value = power.and_then(|power| kept.parse::<u64>().ok()?.checked_mul(power));
    match value {
        Some(value) if value <= largest => Ok(value),
        _ => refused(""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_show_digits_that_mean_something() {
        for (value, text) in [
            (0.0, "0"),
            (5.0, "5"),
            (60.283_2, "60.2832"),
            (1.7e-27, "1.7e-27"),
            (-1e-9, "-1e-9"),
            (0.000_12, "0.00012"),
            (1e15, "1000000000000000"),
            (2e30, "2e30"),
            (-1.234_567_8e-300, "-1.234568e-300"),
            (1e44, "1.000000e44"),
        ] {
            assert_eq!(Digits(value).to_string(), text);
        }
    }

    #[test]
    fn numbers_are_read_as_people_write_them() {
        for (text, value) in
            [("5.1", 5.1), (" -3 ", -3.0), ("+.5", 0.5), ("1e15", 1e15), ("2.5E-3", 2.5e-3)]
        {
            assert_eq!(number(text), Ok(value), "{text}");
        }
    }

    #[test]
    fn what_is_no_usable_number_is_told_apart() {
        assert_eq!(number("  "), Err(Problem::EmptyCell));
        for text in ["setosa", "a,1", "0x10", "1 2"] {
            assert_eq!(number(text), Err(Problem::NotANumber(text.into())));
        }
        for text in ["5,1", "-0,5e3"] {
            assert_eq!(number(text), Err(Problem::DecimalComma(text.into())));
        }
        for text in
            ["1\u{a0}000", "-12\u{202f}345,5", "1 000 000.5", "1'000", "1,234,567", "999_999"]
        {
            assert_eq!(number(text), Err(Problem::Thousands(text.into())), "{text}");
        }
        for text in
            ["1 00", "1 0000", "1000 000", " 1 000 a", "1-000", "1 000 000m", "192.168.100.200"]
        {
            assert_eq!(number(text), Err(Problem::NotANumber(text.trim().into())), "{text}");
        }
        for text in ["1e-50", "-0.01e-60", "1e-400"] {
            assert_eq!(number(text), Err(Problem::TooSmall(text.into())));
        }
        for text in ["0", "-0.0", "0e9", "0.00e-99"] {
            assert_eq!(number(text), Ok(0.0));
        }
        for text in ["NaN", "inf", "-Infinity", "1.1e15", "-1e400"] {
            assert_eq!(number(text), Err(Problem::OutOfRange(text.into())));
        }
    }

    #[test]
    fn whole_numbers_are_exact_or_refused() {
        for (text, number) in [
            ("0", 0),
            ("30720", 30_720),
            ("+7", 7),
            ("1e5", 100_000),
            ("1E+5", 100_000),
            ("1.5e3", 1500),
            ("1.50e1", 15),
            ("12000e-3", 12),
            ("0.001e3", 1),
            ("5.", 5),
            ("-0", 0),
            ("0e99999", 0),
            ("0.0e-9", 0),
            ("16777216", 16_777_216),
            ("1.6777216e7", 16_777_216),
        ] {
            assert_eq!(whole(text, 1 << 24), Ok(number), "{text}");
        }
        for text in [
            "",
            "e",
            "e5",
            "1e",
            "1e1.5",
            ".",
            "-",
            "-1",
            "1.5",
            "1e-1",
            "1.55e1",
            "1_000",
            "0x10",
            "inf",
            "nan",
            "1e8",
            "16777217",
            "1e19",
            "1e99999999999999999999",
            "2e20",
            "٣",
            "100000000000000000000001",
        ] {
            let error = whole(text, 1 << 24).unwrap_err();
            let start = "it has to be a whole number from 0 to 16777216";
            assert!(error.starts_with(start), "{text}: {error}");
        }
        assert_eq!(whole("18446744073709551615", u64::MAX), Ok(u64::MAX));
        assert!(whole("18446744073709551616", u64::MAX).is_err());
    }
}

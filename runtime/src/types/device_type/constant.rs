//! Rust constants as lines of a kernel source. rustc writes them when it evaluates constants, so the source has the values
//! themselves.
//!
//! Floats are hexadecimal, which is exact in every compiler, followed by a comment with Rust's notation. Infinities and NaNs
//! are macros: C++ has no literals for them, and NVRTC no constant expressions.

use super::decimal;
use super::word::Word;

/// A constant, as C++ defines it.
#[derive(Debug)]
pub struct Constant {
    name: &'static str,
    /// Its type in C++.
    cuda: &'static str,
    value: Word,
    /// The value in Rust's notation, if the C++ is not readable.
    shown: Word,
    /// Whether the value is a constant expression in C++.
    is_constexpr: bool,
}

/// The layout of a float's bits.
struct Layout {
    /// The bits of the fraction.
    fraction: u32,
    /// The bits of the exponent.
    exponent: u32,
    /// The suffix of a literal.
    suffix: &'static str,
    /// The function that converts bits to a float: the code before and after the bits.
    bit_casts: (&'static str, &'static str),
}

const FLOAT: Layout =
    Layout { fraction: 23, exponent: 8, suffix: "f", bit_casts: ("__int_as_float(0x", ")") };
const DOUBLE: Layout = Layout {
    fraction: 52,
    exponent: 11,
    suffix: "",
    bit_casts: ("__longlong_as_double(0x", "ll)"),
};

impl Constant {
    const fn float(name: &'static str, cuda: &'static str, bits: u64, layout: &Layout) -> Constant {
        let Layout { fraction, exponent, suffix, bit_casts } = *layout;
        let (mut value, mut shown) = (Word::new(), Word::new());
        let highest = (1 << exponent) - 1;
        let power = (bits >> fraction) & highest;
        let is_negative = (bits >> (fraction + exponent)) & 1 == 1;
        let part = bits & ((1 << fraction) - 1);
        let is_constexpr = power != highest;
        if !is_constexpr {
            value.text(bit_casts.0);
            value.hexadecimal(bits, (1 + exponent + fraction) / 4);
            value.text(bit_casts.1);
            shown.text(match (part, is_negative) {
                (0, false) => "inf",
                (0, true) => "-inf",
                _ => "NaN",
            });
            return Constant { name, cuda, value, shown, is_constexpr };
        }
        if is_negative {
            value.byte(b'-');
            shown.byte(b'-');
        }
        // A subnormal number has no leading one, and the exponent of the smallest normal number.
        let leading = (power > 0) as u64;
        let bias = (highest / 2) as i64;
        let exponent = if power > 0 { power as i64 - bias } else { 1 - bias };
        if power == 0 && part == 0 {
            value.text("0.0");
            shown.text("0.0");
        } else {
            value.text("0x");
            value.byte(b'0' + leading as u8);
            hexadecimal_fraction(&mut value, part, fraction);
            value.byte(b'p');
            value.byte(if exponent < 0 { b'-' } else { b'+' });
            value.decimal(exponent.unsigned_abs());
            let mantissa = leading << fraction | part;
            let (power_of_two, is_first) =
                (exponent as i32 - fraction as i32, part == 0 && power > 1);
            decimal::write(&mut shown, mantissa, power_of_two, is_first);
        }
        value.text(suffix);
        Constant { name, cuda, value, shown, is_constexpr }
    }

    const fn unsigned(name: &'static str, cuda: &'static str, number: u64, suffix: &str) -> Self {
        let mut value = Word::new();
        value.decimal(number);
        value.text(suffix);
        Constant { name, cuda, value, shown: Word::new(), is_constexpr: true }
    }

    const fn signed(name: &'static str, cuda: &'static str, number: i64, suffix: &str) -> Self {
        let mut value = Word::new();
        // The smallest value of a type has no literal, since the minus sign is applied to a literal that is too large.
        let is_least = number == i64::MIN || (suffix.is_empty() && number == i32::MIN as i64);
        if number < 0 {
            value.byte(b'-');
        }
        value.decimal(number.unsigned_abs() - is_least as u64);
        value.text(suffix);
        if is_least {
            value.text(" - 1");
        }
        Constant { name, cuda, value, shown: Word::new(), is_constexpr: true }
    }

    /// An `f32`.
    pub const fn f32(name: &'static str, value: f32) -> Constant {
        Self::float(name, "float", value.to_bits() as u64, &FLOAT)
    }

    /// An `f64`.
    pub const fn f64(name: &'static str, value: f64) -> Constant {
        Self::float(name, "double", value.to_bits(), &DOUBLE)
    }

    /// A `bool`.
    pub const fn bool(name: &'static str, value: bool) -> Constant {
        let mut word = Word::new();
        word.text(if value { "true" } else { "false" });
        Constant { name, cuda: "bool", value: word, shown: Word::new(), is_constexpr: true }
    }

    /// The same constant, for a name that a constant inside a generated function hides.
    ///
    /// # Panics
    ///
    /// If the value is a macro in C++, which nothing can hide: at compile time, since the macro calls this in a constant.
    pub const fn hidden(self) -> Constant {
        assert!(
            self.is_constexpr,
            "an infinity or a NaN is a macro in C++, and the generated source already defines a constant of this name: choose another name, such as `CUTOFF`"
        );
        self
    }

    /// The definition's line, as pieces.
    pub(super) const fn pieces(&self) -> [&[u8]; 8] {
        let shown = self.shown.as_bytes();
        let comment: &[u8] = if shown.is_empty() { b"" } else { b" // " };
        let (name, value) = (self.name.as_bytes(), self.value.as_bytes());
        match self.is_constexpr {
            true => [
                b"static __device__ constexpr ",
                self.cuda.as_bytes(),
                b" ",
                name,
                b" = ",
                value,
                if shown.is_empty() { b";" } else { b"; // " },
                shown,
            ],
            false => [b"#define ", name, b" ", value, comment, shown, b"", b""],
        }
    }
}

/// Writes the fraction's digits without trailing zeros, after a point if there are any.
const fn hexadecimal_fraction(value: &mut Word, part: u64, bits: u32) {
    // The digits are whole, although a float's fraction has 23 bits.
    let count = bits.div_ceil(4);
    let digits = part << (4 * count - bits);
    let zeros = if digits == 0 { count } else { digits.trailing_zeros() / 4 };
    if zeros < count {
        value.byte(b'.');
        value.hexadecimal(digits >> (4 * zeros), count - zeros);
    }
}

macro_rules! integers {
    ($($number:ident as $wide:ident: $write:ident, $cuda:literal, $suffix:literal;)+) => {
        impl Constant {$(
            #[doc = concat!("A number of the type `", stringify!($number), "`.")]
            pub const fn $number(name: &'static str, value: $number) -> Constant {
                Self::$write(name, $cuda, value as $wide, $suffix)
            }
        )+}
    };
}

integers! {
    i8 as i64: signed, "signed char", "";
    i16 as i64: signed, "short", "";
    i32 as i64: signed, "int", "";
    i64 as i64: signed, "long long", "ll";
    isize as i64: signed, "long long", "ll";
    u8 as u64: unsigned, "unsigned char", "";
    u16 as u64: unsigned, "unsigned short", "";
    u32 as u64: unsigned, "unsigned int", "u";
    u64 as u64: unsigned, "unsigned long long", "ull";
    usize as u64: unsigned, "unsigned long long", "ull";
}

#[cfg(test)]
mod tests {
    use super::Constant;

    fn line(constant: &Constant) -> String {
        constant.pieces().iter().map(|piece| String::from_utf8_lossy(piece)).collect()
    }

    /// The value of a hexadecimal literal whose digits all fit a double.
    fn value(literal: &str) -> f64 {
        let (sign, literal) = match literal.strip_prefix('-') {
            Some(rest) => (-1.0, rest),
            None => (1.0, literal),
        };
        let Some(literal) = literal.strip_prefix("0x") else {
            return sign * literal.parse::<f64>().unwrap();
        };
        let (digits, power) = literal.split_once('p').unwrap();
        let (one, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let whole = u64::from_str_radix(&format!("{one}{fraction}"), 16).unwrap();
        let power = power.parse::<i32>().unwrap() - 4 * fraction.len() as i32;
        // In two steps, the first of which is exact, so only bits below the smallest double are rounded.
        let half = power / 2;
        sign * whole as f64 * 2.0_f64.powi(half) * 2.0_f64.powi(power - half)
    }

    /// The literal, and the comment after it.
    fn literal(line: &str) -> (String, String) {
        let (_, rest) = line.split_once(" = ").unwrap();
        let (literal, shown) = rest.split_once("; // ").unwrap();
        (literal.to_owned(), shown.to_owned())
    }

    #[test]
    fn numbers_are_cpp_literals() {
        for (constant, text) in [
            (Constant::f32("R", 12.0), "constexpr float R = 0x1.8p+3f; // 12.0"),
            (Constant::f32("R", -0.1), "constexpr float R = -0x1.99999ap-4f; // -0.1"),
            (Constant::f32("R", -0.0), "constexpr float R = -0.0f; // -0.0"),
            (Constant::f32("R", 1e-45), "constexpr float R = 0x0.000002p-126f; // 1e-45"),
            (Constant::f64("R", 1.0), "constexpr double R = 0x1p+0; // 1.0"),
            (Constant::bool("R", true), "constexpr bool R = true;"),
            (Constant::i8("R", -128), "constexpr signed char R = -128;"),
            (Constant::i32("R", i32::MIN), "constexpr int R = -2147483647 - 1;"),
            (Constant::i64("R", i64::MIN), "constexpr long long R = -9223372036854775807ll - 1;"),
            (Constant::isize("R", -7), "constexpr long long R = -7ll;"),
            (Constant::u8("R", 255), "constexpr unsigned char R = 255;"),
            (Constant::u32("R", u32::MAX), "constexpr unsigned int R = 4294967295u;"),
            (Constant::usize("R", 16), "constexpr unsigned long long R = 16ull;"),
        ] {
            assert_eq!(line(&constant), format!("static __device__ {text}"));
        }
        for (constant, text) in [
            (Constant::f32("R", f32::INFINITY), "__int_as_float(0x7f800000) // inf"),
            (Constant::f32("R", f32::from_bits(0xff81_2345)), "__int_as_float(0xff812345) // NaN"),
            (
                Constant::f64("R", f64::NEG_INFINITY),
                "__longlong_as_double(0xfff0000000000000ll) // -inf",
            ),
        ] {
            assert_eq!(line(&constant), format!("#define R {text}"));
        }
    }

    /// Every exponent with many fractions, including the smallest and the largest.
    #[test]
    fn float_literals_are_exact() {
        let mut random = 1_u64;
        for power in 0..2047 {
            for fraction in 0..20 {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let part = match fraction {
                    0 => 0,
                    1 => u64::MAX,
                    2 => 1,
                    _ => random >> 7,
                };
                let double = f64::from_bits(power << 52 | part & ((1 << 52) - 1));
                let (text, shown) = literal(&line(&Constant::f64("R", double)));
                assert_eq!(value(&text).to_bits(), double.to_bits(), "{text}");
                assert_eq!(shown, format!("{double:?}"));
                let bits = (power as u32 % 255) << 23 | part as u32 & ((1 << 23) - 1);
                let float = -f32::from_bits(bits);
                let (text, shown) = literal(&line(&Constant::f32("R", float)));
                let text = text.strip_suffix('f').unwrap();
                assert_eq!((value(text) as f32).to_bits(), float.to_bits(), "{text}");
                assert_eq!(shown, format!("{float:?}"));
            }
        }
    }
}

//! Number literals.

/// Whether the literal has a point or an exponent; in hexadecimal, `e` and `f` are digits.
fn is_fraction(number: &str) -> bool {
    let is_hexadecimal = number.starts_with("0x") || number.starts_with("0X");
    let exponents = if is_hexadecimal { ['p', 'P'] } else { ['e', 'E'] };
    number.contains('.') || number.contains(exponents)
}

/// Whether it is a float.
pub(super) fn is_float(number: &str) -> bool {
    is_fraction(number) && number.ends_with(['f', 'F'])
}

/// The float literal for this double; `None` if it is not a double.
pub(super) fn float_form(number: &str) -> Option<String> {
    let is_double = is_fraction(number) && !is_float(number);
    is_double.then(|| format!("{}f", number.trim_end_matches(['l', 'L'])))
}

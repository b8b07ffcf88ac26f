//! Numbers in files of atoms.

/// A finite number, which may be followed by its uncertainty, as 30.00(2).
pub(crate) fn finite(text: &str) -> Option<f64> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = match text.split_once('(') {
        Some((number, uncertainty)) => {
            uncertainty.strip_suffix(')').filter(|text| digits(text)).map(|_| number)?
        }
        None => text,
    };
    number.parse().ok().filter(|number: &f64| number.is_finite())
}

//! The encoding of inputs.

use crate::text::line_at;
use crate::{Place, Problem, Result};

/// The text of a file without its byte-order mark, if it is UTF-8 as far as its first bytes can tell.
///
/// # Errors
///
/// It is UTF-16, or has zero bytes, which no text has.
pub fn plain<'a>(file: &str, bytes: &'a [u8]) -> Result<&'a [u8]> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err(Problem::Utf16.at(Place::file(file)));
    }
    match bytes.iter().position(|byte| *byte == 0) {
        Some(at) => Err(Problem::ZeroByte.at(Place::file(file).line(line_at(bytes, at)))),
        None => Ok(bytes),
    }
}

/// The same as text.
///
/// # Errors
///
/// It is not UTF-8.
pub(crate) fn utf8<'a>(file: &str, bytes: &'a [u8]) -> Result<&'a str> {
    let bytes = plain(file, bytes)?;
    str::from_utf8(bytes).map_err(|error| {
        let line = line_at(bytes, error.valid_up_to());
        Problem::NotText.at(Place::file(file).line(line))
    })
}

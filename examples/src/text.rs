//! The text of a file.

use std::fs;
use std::path::Path;

use crate::Result;

/// The text of a file, with `\n` after each line. It is UTF-8, UTF-16 with a byte order mark, or else Latin-1.
pub fn read_text(path: &Path) -> Result<String> {
    let error = |problem: String| format!("{}: {problem}", path.display());
    decoded(fs::read(path).map_err(|problem| error(problem.to_string()))?)
        .map_err(|problem| error(problem).into())
}

fn decoded(bytes: Vec<u8>) -> std::result::Result<String, String> {
    let wide = |word: fn([u8; 2]) -> u16| {
        let words: Vec<u16> = bytes.as_chunks().0.iter().map(|two| word(*two)).collect();
        String::from_utf16_lossy(&words)
    };
    let text = match bytes.as_slice() {
        [0xff, 0xfe, ..] => wide(u16::from_le_bytes),
        [0xfe, 0xff, ..] => wide(u16::from_be_bytes),
        _ => String::from_utf8(bytes).unwrap_or_else(|error| {
            error.as_bytes().iter().map(|byte| char::from(*byte)).collect()
        }),
    };
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n").replace('\r', "\n");
    let Some(at) = text.find('\0') else { return Ok(text) };
    let (line, column) = place(&text, at);
    let problem = "a zero byte, so this is not text: unpack it, or save it as text";
    Err(format!("line {line}, column {column}: {problem}"))
}

/// The line and the column of a byte of a text, from 1.
pub(crate) fn place(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let line = before.rfind('\n').map_or(before, |end| &before[end + 1..]);
    (before.matches('\n').count() + 1, line.chars().count() + 1)
}

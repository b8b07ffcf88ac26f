//! Text of inputs: its lines, and how messages show it.

use std::path::Path;

/// The lines of a text, counted from 1, whether LF, CR LF or CR ends them.
pub fn lines(text: &[u8]) -> impl Iterator<Item = (u64, &[u8])> {
    let mut rest = Some(text);
    let lines = std::iter::from_fn(move || {
        let text = rest?;
        let Some(end) = text.iter().position(|byte| is_line_end(*byte)) else {
            rest = None;
            return Some(text);
        };
        let behind = if text[end..].starts_with(b"\r\n") { end + 2 } else { end + 1 };
        rest = text.get(behind..);
        Some(&text[..end])
    });
    (1..).zip(lines)
}

/// The line that a byte of the text is in.
pub(crate) fn line_at(text: &[u8], byte: usize) -> u64 {
    1 + (0..byte.min(text.len())).filter(|at| ends_line(text, *at)).count() as u64
}

/// Whether this byte is the last one of a line ending.
pub(crate) fn ends_line(text: &[u8], at: usize) -> bool {
    match text.get(at) {
        Some(b'\n') => true,
        Some(b'\r') => text.get(at + 1) != Some(&b'\n'),
        _ => false,
    }
}

pub(crate) fn is_line_end(byte: u8) -> bool {
    byte == b'\n' || byte == b'\r'
}

/// Text that is safe to show on a terminal: characters that control it, are invisible, or change the direction of
/// writing are escaped.
pub fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        let unseen = matches!(letter, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}');
        match letter {
            _ if unseen => shown.extend(letter.escape_unicode()),
            _ if letter.is_control() => shown.extend(letter.escape_default()),
            _ => shown.push(letter),
        }
    }
    shown
}

/// [`escaped`], but with the text's line ends kept.
pub fn escaped_lines(text: &str) -> String {
    text.split('\n').map(escaped).collect::<Vec<String>>().join("\n")
}

/// A file's name that is safe to show on a terminal.
pub fn shown(path: &Path) -> String {
    escaped(&path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_three_ways() {
        let all = |text: &'static str| {
            let lines = lines(text.as_bytes());
            lines.map(|(line, text)| (line, str::from_utf8(text).unwrap())).collect::<Vec<_>>()
        };
        let expected = [(1, "a"), (2, ""), (3, "b"), (4, "")];
        for text in ["a\n\nb\n", "a\r\rb\r", "a\r\n\r\nb\r\n", "a\n\r\nb\r"] {
            assert_eq!(all(text), expected, "{text:?}");
            let b = text.find('b').unwrap();
            assert_eq!(line_at(text.as_bytes(), b), 3, "{text:?}");
            assert_eq!(line_at(text.as_bytes(), text.len()), 4, "{text:?}");
        }
        assert_eq!(all(""), [(1, "")]);
        assert_eq!(all("a"), [(1, "a")]);
    }

    #[test]
    fn what_controls_a_terminal_is_escaped_and_the_rest_is_not() {
        for text in ["a b", "it's \"é\" \\ 日本", "e\u{301}"] {
            assert_eq!(escaped(text), text);
        }
        assert_eq!(escaped("\x1b[31m\n\t\r"), r"\u{1b}[31m\n\t\r");
        assert_eq!(escaped("\u{9b}31m\u{7f}"), r"\u{9b}31m\u{7f}");
        assert_eq!(escaped("a\u{202e}b\u{feff}"), r"a\u{202e}b\u{feff}");
        assert_eq!(escaped_lines("a\nb\x07\n"), "a\nb\\u{7}\n");
    }
}

//! What separates the cells of a table.

use std::fmt;
use std::str::FromStr;

/// What separates the cells of a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Delimiter {
    /// `,`
    #[default]
    Comma,
    /// `;`
    Semicolon,
    /// A tab.
    Tab,
    /// `|`, which is only taken where it is asked for.
    Bar,
}

impl Delimiter {
    /// Those that are found without being named.
    pub(crate) const DETECTED: [Delimiter; 3] =
        [Delimiter::Comma, Delimiter::Semicolon, Delimiter::Tab];

    /// The byte of a file.
    pub(crate) fn byte(self) -> u8 {
        match self {
            Delimiter::Comma => b',',
            Delimiter::Semicolon => b';',
            Delimiter::Tab => b'\t',
            Delimiter::Bar => b'|',
        }
    }

    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Delimiter::Comma => "comma",
            Delimiter::Semicolon => "semicolon",
            Delimiter::Tab => "tab",
            Delimiter::Bar => "bar",
        }
    }
}

impl fmt::Display for Delimiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Delimiter {
    type Err = String;

    /// By the character, or its name.
    fn from_str(text: &str) -> Result<Delimiter, String> {
        match text {
            "," | "comma" => Ok(Delimiter::Comma),
            ";" | "semicolon" => Ok(Delimiter::Semicolon),
            "\t" | "\\t" | "tab" => Ok(Delimiter::Tab),
            "|" | "bar" => Ok(Delimiter::Bar),
            _ => {
                Err("write comma, semicolon, tab or bar, or the character itself in quotes".into())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delimiter_is_named_or_written() {
        for delimiter in [Delimiter::Comma, Delimiter::Semicolon, Delimiter::Tab, Delimiter::Bar] {
            assert_eq!(delimiter.name().parse(), Ok(delimiter));
            assert_eq!(char::from(delimiter.byte()).to_string().parse(), Ok(delimiter));
        }
        assert_eq!("\\t".parse(), Ok(Delimiter::Tab));
        for text in ["", "x", ",,", " "] {
            assert!(text.parse::<Delimiter>().unwrap_err().starts_with("write comma"), "{text:?}");
        }
    }
}

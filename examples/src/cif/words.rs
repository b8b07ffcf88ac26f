//! The words of a CIF file.

use crate::{Column, Place, Problem, Result};

/// A word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word<'a> {
    /// `loop_`
    Loop,
    /// `data_…`, `save_…`, `global_` or `stop_`.
    Block,
    /// The name of an item, with its underscore.
    Name(&'a str),
    /// A value, without its quotes.
    Value(&'a str),
}

/// Takes a text apart into its words.
pub(super) struct Words<'a> {
    file: &'a str,
    text: &'a str,
    /// The byte where the next word is looked for.
    at: usize,
    line: u64,
    line_start: usize,
}

impl<'a> Words<'a> {
    pub(super) fn new(file: &'a str, text: &'a str) -> Words<'a> {
        Words { file, text, at: 0, line: 1, line_start: 0 }
    }

    /// The next word, and the line that it begins on.
    ///
    /// # Errors
    ///
    /// A quote or a text is not closed.
    pub(super) fn next_word(&mut self) -> Result<Option<(Word<'a>, u64)>> {
        self.skip_space();
        let (line, rest) = (self.line, &self.text[self.at..]);
        let word = match rest.bytes().next() {
            None => return Ok(None),
            Some(b';') if self.at == self.line_start => Word::Value(self.text_field()?),
            Some(quote @ (b'\'' | b'"')) => Word::Value(self.quoted(quote)?),
            Some(_) => {
                let end = rest.bytes().position(|byte| byte.is_ascii_whitespace());
                let word = &rest[..end.unwrap_or(rest.len())];
                self.at += word.len();
                bare(word)
            }
        };
        Ok(Some((word, line)))
    }

    /// Goes on to the next word, past comments.
    fn skip_space(&mut self) {
        while let Some(&byte) = self.text.as_bytes().get(self.at) {
            match byte {
                b'#' => self.at = self.line_end(),
                _ if byte.is_ascii_whitespace() => self.pass(),
                _ => return,
            }
        }
    }

    /// Goes past a byte, and counts lines.
    fn pass(&mut self) {
        let bytes = self.text.as_bytes();
        let is_end = match bytes.get(self.at) {
            Some(b'\n') => true,
            Some(b'\r') => bytes.get(self.at + 1) != Some(&b'\n'),
            _ => false,
        };
        self.at += 1;
        if is_end {
            self.line += 1;
            self.line_start = self.at;
        }
    }

    /// Where this line ends.
    fn line_end(&self) -> usize {
        let rest = self.text[self.at..].bytes();
        self.at + rest.take_while(|byte| !matches!(byte, b'\n' | b'\r')).count()
    }

    /// A value in quotes, which end before a space: others belong to it.
    fn quoted(&mut self, quote: u8) -> Result<&'a str> {
        let (start, end) = (self.at + 1, self.line_end());
        let bytes = self.text.as_bytes();
        let closes = |at: &usize| {
            bytes[*at] == quote && bytes.get(at + 1).is_none_or(u8::is_ascii_whitespace)
        };
        match (start..end).find(closes) {
            Some(close) => {
                self.at = close + 1;
                Ok(&self.text[start..close])
            }
            None => {
                let before = self.text[self.line_start..self.at].chars().count();
                let place = Place::file(self.file).line(self.line);
                Err(Problem::CifUnclosedQuote.at(place.column(Column::Character(before + 1))))
            }
        }
    }

    /// A value of several lines, between lines that begin with a semicolon.
    fn text_field(&mut self) -> Result<&'a str> {
        let (first_line, start) = (self.line, self.at + 1);
        let bytes = self.text.as_bytes();
        self.pass();
        loop {
            match bytes.get(self.at) {
                None => {
                    let place = Place::file(self.file).line(first_line);
                    return Err(Problem::CifUnclosedText.at(place));
                }
                Some(b';') if self.at == self.line_start => {
                    let text = &self.text[start..self.at];
                    self.at += 1;
                    // The line end before the semicolon belongs to the delimiter.
                    let text = text.strip_suffix('\n').unwrap_or(text);
                    return Ok(text.strip_suffix('\r').unwrap_or(text));
                }
                Some(_) => self.pass(),
            }
        }
    }
}

/// A word without quotes. Keywords may be in any case.
fn bare(word: &str) -> Word<'_> {
    let begins = |keyword: &str| {
        word.get(..keyword.len()).is_some_and(|start| start.eq_ignore_ascii_case(keyword))
    };
    let is = |keyword: &str| word.eq_ignore_ascii_case(keyword);
    match word {
        _ if word.starts_with('_') => Word::Name(word),
        _ if is("loop_") => Word::Loop,
        _ if begins("data_") || begins("save_") || is("global_") || is("stop_") => Word::Block,
        _ => Word::Value(word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> std::result::Result<Vec<(Word<'_>, u64)>, String> {
        let mut words = Words::new("m.cif", text);
        let mut found = Vec::new();
        while let Some(word) = words.next_word().map_err(|error| error.to_string())? {
            found.push(word);
        }
        Ok(found)
    }

    #[test]
    fn words_are_told_apart() {
        let value = Word::Value;
        for (text, expected) in [
            ("", vec![]),
            (" # all of it\n", vec![]),
            ("data_1ABC\nLOOP_", vec![(Word::Block, 1), (Word::Loop, 2)]),
            ("_a.b 1", vec![(Word::Name("_a.b"), 1), (value("1"), 1)]),
            (
                "'_a b' \"it's\" 'it's' '' ",
                vec![(value("_a b"), 1), (value("it's"), 1), (value("it's"), 1), (value(""), 1)],
            ),
            (
                "O5'\r\n\"O5'\"\rC#1 # c\n",
                vec![(value("O5'"), 1), (value("O5'"), 2), (value("C#1"), 3)],
            ),
            (
                "a\n;one\ntwo ;\n;\nb ;c",
                vec![(value("a"), 1), (value("one\ntwo ;"), 2), (value("b"), 5), (value(";c"), 5)],
            ),
            (";C\r\n;\n;C\r;\r;;\n\n;", vec![(value("C"), 1), (value("C"), 3), (value(";\n"), 5)]),
        ] {
            assert_eq!(words(text), Ok(expected), "{text:?}");
        }
    }

    #[test]
    fn what_is_not_closed_is_told_with_its_place() {
        let error = words("a\n  é 'b\n'c'").unwrap_err();
        assert!(error.starts_with("m.cif, line 2, character 5: the quote"), "{error}");
        let error = words("a\n;b\n c\n").unwrap_err();
        assert!(error.starts_with("m.cif, line 2: the text"), "{error}");
    }
}

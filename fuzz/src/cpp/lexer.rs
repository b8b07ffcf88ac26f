//! Phases 1 to 3: characters, joined lines, comments and tokens.

use super::Reading;

/// The tokens of one line: up to an end of line that no comment, raw string or backslash hides.
pub(super) type Line = Vec<String>;

/// The parenthesis that begins a macro's parameters.
pub(super) const PARAMETERS: &str = "(parameters";

/// A character after lines are joined, and where it was in the text.
#[derive(Clone, Copy)]
struct Unit {
    c: char,
    at: usize,
}

/// Phases 1 and 2.
fn joined(text: &str, reading: Reading) -> Vec<Unit> {
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let c = |place: usize| chars.get(place).map(|each| each.1);
    let ends_line = |place: usize| match (c(place), c(place + 1)) {
        (Some('\n'), _) => 1,
        (Some('\r'), Some('\n')) => 2,
        (Some('\r'), _) if reading.returns_end_lines => 1,
        _ => 0,
    };
    let mut units = Vec::new();
    let mut place = 0;
    while let Some(&(at, character)) = chars.get(place) {
        if character == '\\' {
            let mut after = place + 1;
            while reading.spaced_splices
                && matches!(c(after), Some(' ' | '\t' | '\x0b' | '\x0c' | '\0'))
            {
                after += 1;
            }
            let end = ends_line(after);
            if end > 0 {
                place = after + end;
                continue;
            }
        }
        let end = ends_line(place);
        let shown = match character {
            _ if end > 0 => '\n',
            '\r' | '\0' => ' ',
            other => other,
        };
        units.push(Unit { c: shown, at });
        place += end.max(1);
    }
    units
}

pub(super) fn begins_word(c: char) -> bool {
    c.is_alphabetic() || c == '_' || c == '$' || (!c.is_ascii() && c.is_alphanumeric())
}

fn continues_word(c: char) -> bool {
    begins_word(c) || c.is_numeric()
}

/// Phase 3: the lines as tokens, or what is not closed.
pub(super) fn lines(text: &str, reading: Reading) -> Result<Vec<Line>, &'static str> {
    let mut lexer =
        Lexer { text, reading, units: joined(text, reading), place: 0, line: Line::new() };
    let mut lines = Vec::new();
    while let Some(c) = lexer.peek(0) {
        if c == '\n' {
            lexer.place += 1;
            lines.push(std::mem::take(&mut lexer.line));
        } else if let Some(token) = lexer.token(c)? {
            lexer.line.push(token);
        }
    }
    lines.push(lexer.line);
    Ok(lines)
}

struct Lexer<'a> {
    text: &'a str,
    reading: Reading,
    units: Vec<Unit>,
    place: usize,
    line: Line,
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.units.get(self.place + ahead).map(|unit| unit.c)
    }

    fn sees(&self, what: &str) -> bool {
        what.chars().enumerate().all(|(ahead, c)| self.peek(ahead) == Some(c))
    }

    fn take(&mut self, length: usize) -> String {
        let until = (self.place + length).min(self.units.len());
        let taken = self.units[self.place..until].iter().map(|unit| unit.c).collect();
        self.place = until;
        taken
    }

    fn take_while(&mut self, matches: impl Fn(&Self, usize, char) -> bool) -> String {
        let mut length = 0;
        while self.peek(length).is_some_and(|c| matches(self, length, c)) {
            length += 1;
        }
        self.take(length)
    }

    fn is_directive(&self) -> bool {
        matches!(self.line.first().map(String::as_str), Some("#" | "%:"))
    }

    /// Whether a file's name comes next, with quotation marks of its own.
    fn expects_file(&self) -> bool {
        let words: Vec<&str> = self.line.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["#" | "%:", "include" | "include_next" | "import" | "embed"] => true,
            ["#" | "%:", .., name, "("] | ["#" | "%:", .., name] => {
                ["__has_include", "__has_include_next", "__has_embed"].contains(name)
            }
            _ => false,
        }
    }

    /// The next token; `None` for what counts as a space.
    fn token(&mut self, first: char) -> Result<Option<String>, &'static str> {
        if self.sees("//") {
            self.take_while(|_, _, c| c != '\n');
            return Ok(None);
        }
        if self.sees("/*") {
            self.take(2);
            while !self.sees("*/") {
                if self.peek(0).is_none() {
                    return Err("comment");
                }
                self.place += 1;
            }
            self.take(2);
            return Ok(None);
        }
        if first.is_whitespace() {
            self.place += 1;
            return Ok(None);
        }
        if self.expects_file() {
            let close = if first == '<' { '>' } else { '"' };
            let mut rest = self.units[self.place..].iter().skip(1).map(|unit| unit.c);
            let until = rest.position(|c| c == close || c == '\n');
            if let (true, Some(length)) = ("<\"".contains(first), until)
                && self.peek(length + 1) == Some(close)
            {
                return Ok(Some(self.take(length + 2)));
            }
        }
        let is_number = first.is_ascii_digit()
            || (first == '.' && self.peek(1).is_some_and(|c| c.is_ascii_digit()));
        if is_number {
            return Ok(Some(self.take_while(|lexer, length, c| {
                let before = length.checked_sub(1).and_then(|before| lexer.peek(before));
                let separates = c == '\'' && lexer.peek(length + 1).is_some_and(continues_word);
                let signs = "+-".contains(c) && before.is_some_and(|c| "eEpP".contains(c));
                continues_word(c) || c == '.' || separates || signs
            })));
        }
        if begins_word(first) {
            let word = self.take_while(|_, _, c| continues_word(c));
            if ["R", "LR", "uR", "UR", "u8R"].contains(&word.as_str()) && self.peek(0) == Some('"')
            {
                self.raw()?;
                return Ok(Some("\"\"".into()));
            }
            return Ok(Some(word));
        }
        if first == '"' || first == '\'' {
            return self.quoted(first).map(Some);
        }
        // A macro takes arguments only if its name and the parenthesis touch.
        let defines = matches!(self.line.as_slice(), [_, define, _] if define == "define");
        if first == '('
            && self.is_directive()
            && defines
            && continues_word(self.units[self.place - 1].c)
        {
            self.place += 1;
            return Ok(Some(PARAMETERS.into()));
        }
        for sign in ["%:%:", "##", "<%", "%>", "%:"] {
            if self.sees(sign) {
                return Ok(Some(self.take(sign.len())));
            }
        }
        Ok(Some(self.take(1)))
    }

    fn quoted(&mut self, quote: char) -> Result<String, &'static str> {
        let mut length = 1;
        loop {
            match self.peek(length) {
                None | Some('\n') => return Err("literal"),
                Some('\\') if self.peek(length + 1) != Some('\n') => length += 2,
                Some(c) => {
                    length += 1;
                    if c == quote {
                        return Ok(self.take(length));
                    }
                }
            }
        }
    }

    /// A raw string after its prefix, where the text is as it was before its lines were joined.
    fn raw(&mut self) -> Result<(), &'static str> {
        let start = self.units[self.place].at + 1;
        let rest = &self.text[start..];
        let open = rest.find('(').ok_or("raw string")?;
        let delimiter = &rest[..open];
        let odd = |c: char| c.is_whitespace() || c.is_control() || matches!(c, ')' | '\\');
        if delimiter.len() > 16 || delimiter.contains(odd) {
            return Err("raw string");
        }
        let close = format!("){delimiter}\"");
        let length = rest[open..].find(&close).ok_or("raw string")?;
        let mut until = start + open + length + close.len();
        if self.reading.directives_end_raws && self.is_directive() {
            until = rest.find('\n').map_or(until, |line| until.min(start + line));
        }
        while self.units.get(self.place).is_some_and(|unit| unit.at < until) {
            self.place += 1;
        }
        Ok(())
    }
}

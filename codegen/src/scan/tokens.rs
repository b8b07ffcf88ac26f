//! The tokens of C++, as far as compilers agree on them.
//!
//! Where they do not, or where a token stands in two halves, the text is refused instead of being
//! understood: nobody who means no harm writes so.

use super::splice::{Splice, is_space, splice, splits_its_end};

/// A token of a body.
#[derive(Clone, Copy)]
pub(super) enum Token<'text> {
    Name(&'text str),
    /// A name after `.` or `->`.
    Member(&'text str),
    /// An opening brace or parenthesis.
    Open(char),
    /// A closing one.
    Close(char),
    Number(&'text str),
    /// A character of punctuation.
    Sign(char),
    /// A string or a character, with its quotation marks.
    Literal(&'text str),
    /// The `#` of a directive.
    Directive,
    /// The end of a directive's line.
    EndOfDirective,
    /// What is not closed.
    Unterminated(&'static str),
    /// What compilers read differently, or what is not to be seen, and what to write instead.
    Ambiguous(&'static str),
}

const JOINED: &str =
    "the `\\` at the end of this line makes one word of its two ends: put a space before it";
const SPACED: &str = "spaces follow the `\\` at the end of this line, which then goes on for some compilers and ends for others: remove one or the other";
const LAST: &str =
    "the body's last line ends in `\\`, and would go on in the kernel's own text: remove it";
const SPLIT: &str = "a comment's end stands on two lines, joined by `\\`: write `*/` on one";
const RAW_LINES: &str = "a raw string over several lines ends with the first one for some compilers where it is in a directive: write it outside";
const FILE: &str = "compilers read comments and quotation marks in a file's name differently: rename the file, or write comments on another line";
const PASTE: &str = "`##` makes tokens that nobody sees in the body, braces and barriers among them: write them out";
const ADJACENT: &str = "what follows right after this may belong to it or not: put a space between";
const STRAY: &str = "this character is no part of C++ outside comments and strings: remove it";

/// Directives and operators that a file's name follows.
const FILES: &[&str] = &[
    "include",
    "include_next",
    "import",
    "embed",
    "__has_include",
    "__has_include_next",
    "__has_embed",
];

/// The tokens of a text, each with its line.
pub(super) struct Tokens<'text> {
    text: &'text str,
    /// How much of it is read, in bytes.
    at: usize,
    line: usize,
    /// Whether the last token was `.` or `->`, so that a name now is a member's.
    accessed: bool,
    /// Whether no token stands before on this line, so that a `#` begins a directive.
    is_first: bool,
    in_directive: bool,
    /// A second thing to say of the last token.
    then: Option<Token<'text>>,
}

impl<'text> Tokens<'text> {
    pub(super) fn new(text: &'text str) -> Self {
        let (accessed, in_directive) = (false, false);
        Tokens { text, at: 0, line: 1, accessed, is_first: true, in_directive, then: None }
    }

    fn rest(&self) -> &'text str {
        &self.text[self.at..]
    }

    /// Takes `length` bytes off the front.
    fn take(&mut self, length: usize) -> &'text str {
        let taken = &self.rest()[..length];
        self.line += taken.matches('\n').count();
        self.at += length;
        taken
    }

    fn take_while(&mut self, matches: impl Fn(char) -> bool) -> &'text str {
        let rest = self.rest();
        self.take(rest.find(|c| !matches(c)).unwrap_or(rest.len()))
    }

    /// Takes everything up to and with `end`; nothing where it is missing.
    fn take_past(&mut self, end: &str) -> Option<&'text str> {
        let length = self.rest().find(end)? + end.len();
        Some(self.take(length))
    }

    /// Passes over spaces, ends of lines and comments. Gives what is wrong with them, or that a
    /// directive has ended.
    fn pass(&mut self) -> Option<(usize, Token<'text>)> {
        loop {
            let (line, rest) = (self.line, self.rest());
            if rest.starts_with('\n') {
                self.take(1);
                self.is_first = true;
                if std::mem::take(&mut self.in_directive) {
                    return Some((line, Token::EndOfDirective));
                }
            } else if rest.starts_with(is_space) {
                self.take_while(is_space);
            } else if rest.starts_with("//") {
                if let Some(wrong) = self.pass_line_comment() {
                    return Some((line, wrong));
                }
            } else if rest.starts_with("/*") {
                self.take(2);
                let Some(comment) = self.take_past("*/") else {
                    self.take(self.rest().len());
                    return Some((line, Token::Unterminated("comment")));
                };
                if splits_its_end(comment) {
                    return Some((line, Token::Ambiguous(SPLIT)));
                }
            } else if let Some(splice) = splice(rest) {
                if let Some(wrong) = self.pass_splices(splice) {
                    return Some((line, wrong));
                }
            } else {
                return None;
            }
        }
    }

    /// Passes over a comment up to the end of its line, which is left.
    fn pass_line_comment(&mut self) -> Option<Token<'text>> {
        loop {
            let rest = self.rest();
            self.take(rest.find(['\n', '\\']).unwrap_or(rest.len()));
            match splice(self.rest()) {
                Some(Splice { length, .. }) if length == self.rest().len() => {
                    self.take(length);
                    return Some(Token::Ambiguous(LAST));
                }
                Some(Splice { length, is_spaced: false }) => {
                    self.take(length);
                }
                Some(Splice { length, is_spaced: true }) => {
                    self.take(length);
                    return Some(Token::Ambiguous(SPACED));
                }
                None if self.rest().starts_with('\\') => {
                    self.take(1);
                }
                None => return None,
            }
        }
    }

    /// Passes over ends of lines after backslashes, between two tokens.
    fn pass_splices(&mut self, first: Splice) -> Option<Token<'text>> {
        let before = self.text[..self.at].chars().next_back();
        let mut is_spaced = first.is_spaced;
        self.take(first.length);
        while let Some(next) = splice(self.rest()) {
            is_spaced |= next.is_spaced;
            self.take(next.length);
        }
        // With these no other character makes one token.
        let separates = |c: char| c.is_whitespace() || ";,(){}".contains(c);
        match self.rest().chars().next() {
            None => Some(Token::Ambiguous(LAST)),
            _ if is_spaced => Some(Token::Ambiguous(SPACED)),
            Some(after) if !separates(after) && before.is_some_and(|before| !separates(before)) => {
                Some(Token::Ambiguous(JOINED))
            }
            Some(_) => None,
        }
    }

    /// Takes a string or character literal with its quotation marks.
    fn take_quoted(&mut self, quote: char) -> Option<&'text str> {
        let rest = self.rest();
        let mut escaped = false;
        for (at, c) in rest.char_indices().skip(1) {
            match c {
                '\n' if !escaped => break,
                // An escape goes on over the two characters that end a line.
                '\r' if escaped => {}
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                _ if c == quote => return Some(self.take(at + 1)),
                _ => {}
            }
        }
        self.take(rest.find('\n').unwrap_or(rest.len()));
        None
    }

    /// Takes the rest of a raw string, `"delimiter(…)delimiter"`, after its prefix `R`.
    fn take_raw(&mut self) -> Option<&'text str> {
        let rest = self.rest();
        let (delimiter, _) = rest[1..].split_once('(')?;
        let odd = |c: char| !c.is_ascii_graphic() || c == ')' || c == '\\';
        if delimiter.len() > 16 || delimiter.contains(odd) {
            return None;
        }
        self.take_past(&format!("){delimiter}\""))
    }

    fn token(&mut self, first: char) -> Token<'text> {
        let rest = self.rest();
        let accessed = std::mem::take(&mut self.accessed);
        let is_first = std::mem::take(&mut self.is_first);
        if first.is_ascii_digit() {
            let number = self.take(number(rest));
            // Neither of them begins a token here: after joined lines, or for other letters, the number
            // goes on.
            let goes_on = |c: char| c == '\'' || c == '\\' || !c.is_ascii();
            if self.rest().starts_with(goes_on) && splice(self.rest()).is_none() {
                self.then = Some(Token::Ambiguous(ADJACENT));
            }
            return Token::Number(number);
        }
        if is_name(first) && !first.is_numeric() {
            let name = self.take_while(is_name);
            if ["R", "LR", "uR", "UR", "u8R"].contains(&name) && self.rest().starts_with('"') {
                return match self.take_raw() {
                    Some(raw) if self.in_directive && raw.contains('\n') => {
                        Token::Ambiguous(RAW_LINES)
                    }
                    Some(raw) => Token::Literal(raw),
                    None => {
                        self.take(self.rest().len());
                        Token::Unterminated("raw string")
                    }
                };
            }
            // Whether such a letter belongs to the prefix of a string, compilers decide by their tables.
            if !name.is_ascii() && self.rest().starts_with(['"', '\'']) {
                self.then = Some(Token::Ambiguous(ADJACENT));
            }
            if self.in_directive && FILES.contains(&name) && is_odd_file(self.rest()) {
                self.then = Some(Token::Ambiguous(FILE));
            }
            return if accessed { Token::Member(name) } else { Token::Name(name) };
        }
        for access in [".", "->"] {
            if rest.starts_with(access) {
                self.take(access.len());
                self.accessed = true;
                return Token::Sign('.');
            }
        }
        for paste in ["##", "%:%:"] {
            if rest.starts_with(paste) {
                self.take(paste.len());
                return Token::Ambiguous(PASTE);
            }
        }
        // Digraphs are other spellings.
        for (spelling, token) in [
            ("<%", Token::Open('{')),
            ("%>", Token::Close('{')),
            ("%:", Token::Sign('#')),
            ("{", Token::Open('{')),
            ("}", Token::Close('{')),
            ("(", Token::Open('(')),
            (")", Token::Close('(')),
            ("#", Token::Sign('#')),
        ] {
            if rest.starts_with(spelling) {
                self.take(spelling.len());
                if is_first && matches!(token, Token::Sign('#')) {
                    self.in_directive = true;
                    return Token::Directive;
                }
                return token;
            }
        }
        if first == '"' || first == '\'' {
            let what = if first == '"' { "string" } else { "character" };
            return self.take_quoted(first).map_or(Token::Unterminated(what), Token::Literal);
        }
        self.take(first.len_utf8());
        if first.is_ascii_graphic() { Token::Sign(first) } else { Token::Ambiguous(STRAY) }
    }
}

impl<'text> Iterator for Tokens<'text> {
    type Item = (usize, Token<'text>);

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(token) = self.then.take() {
            return Some((self.line, token));
        }
        if let Some(passed) = self.pass() {
            return Some(passed);
        }
        let line = self.line;
        if let Some(first) = self.rest().chars().next() {
            return Some((line, self.token(first)));
        }
        std::mem::take(&mut self.in_directive).then_some((line, Token::EndOfDirective))
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// How long the number is that the text begins with: with digit separators and exponents, which must
/// not be mistaken for names or for the start of a character literal.
fn number(text: &str) -> usize {
    let mut before = '0';
    for (at, c) in text.char_indices() {
        let next = text.as_bytes().get(at + 1);
        let separates =
            c == '\'' && next.is_some_and(|next| next.is_ascii_alphanumeric() || *next == b'_');
        let signs = matches!(c, '+' | '-') && matches!(before, 'e' | 'E' | 'p' | 'P');
        if !(c.is_ascii() && is_name(c) || c == '.' || separates || signs) {
            return at;
        }
        before = c;
    }
    text.len()
}

/// Whether the name of a file that the text begins with has characters that compilers read
/// differently there.
fn is_odd_file(text: &str) -> bool {
    let line = text.lines().next().unwrap_or_default();
    let name = line.rfind(['>', '"']).map_or("", |end| &line[..end]);
    line.contains('\\') || ["'", "/*", "//"].iter().any(|odd| name.contains(odd))
}

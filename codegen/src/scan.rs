//! Reads a body as C++ tokens, as far as needed to know that it stays inside its function.
//!
//! Comments, strings and characters are passed over; braces are counted; names are collected.

mod counting;

use std::collections::BTreeSet;

pub(crate) use counting::only_counts;

/// What is wrong, and on which line of the text, counted from 1.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    /// The line.
    pub(crate) line: usize,
    /// What is wrong, and what to write instead.
    pub(crate) message: String,
}

/// The names in `text`: identifiers and keywords outside comments and strings, but for those of
/// members, as the `i` of `p.i`.
pub(crate) fn names(text: &str) -> BTreeSet<&str> {
    Tokens::new(text)
        .filter_map(|(_, token)| match token {
            Token::Name(name) => Some(name),
            _ => None,
        })
        .collect()
}

/// How long the body is, in tokens; `None` where it includes a file or defines a macro, and so may be
/// longer than it looks.
pub(crate) fn length(text: &str) -> Option<usize> {
    let names = names(text);
    (!names.contains("include") && !names.contains("define")).then(|| Tokens::new(text).count())
}

/// Everything that keeps `text` from being the body of a pair function.
pub(crate) fn check(text: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut empty = true;
    let mut defined: Vec<(usize, &str)> = Vec::new();
    let mut directive = Directive::None;
    for (line, token) in Tokens::new(text) {
        empty = false;
        directive = directive.next(&token);
        if let (Directive::Defines | Directive::Ends, Token::Name(name)) = (&directive, &token) {
            match directive {
                Directive::Defines => defined.push((line, name)),
                _ => defined.retain(|(_, other)| other != name),
            }
            directive = Directive::None;
        }
        let mut problem = |message: String| problems.push(Problem { line, message });
        match token {
            Token::Open => open.push(line),
            Token::Close => {
                if open.pop().is_none() {
                    problem("this `}` closes the function around the body: remove it, or open it first".into());
                }
            }
            Token::Name("__shared__") => problem(
                "a pair has no shared memory of its own, and the kernel stages `#[each]` elements there already: remove `__shared__`".into(),
            ),
            Token::Name(name) if name.starts_with("__sync") || name.starts_with("__barrier_sync") => problem(format!(
                "`{name}` would wait for threads that have no pair, and a pair body has no barrier: remove it",
            )),
            Token::Name(name) if name.starts_with("__") && name.ends_with("_sync") => {
                problem(format!(
                    "`{name}` would wait for lanes that have no pair, and a pair body has no warp functions: remove it",
                ));
            }
            Token::Name(name) if name.starts_with("td_") => problem(format!(
                "`{name}`: names that start with `td_` are the generated kernel's own: choose another name",
            )),
            Token::Unterminated(what) => problem(format!("this {what} is not closed: write its end")),
            Token::Name(_) | Token::Member | Token::Number(_) | Token::Sign(_) | Token::Literal => {}
        }
    }
    if empty {
        problems.push(Problem {
            line: 1,
            message: "the body is empty: write what happens to one pair".into(),
        });
    }
    if let Some(line) = open.pop() {
        problems.push(Problem { line, message: "this `{` is not closed: write its `}`".into() });
    }
    for (line, name) in defined {
        let message = format!(
            "the macro `{name}` would go on into the kernel's own text: write `#undef {name}` at the end of the body"
        );
        problems.push(Problem { line, message });
    }
    problems
}

/// Where in a directive about a macro the text is.
enum Directive {
    None,
    Hash,
    /// After `define` or `undef`: the next name is the macro's.
    Define,
    Undef,
    /// At the macro's name.
    Defines,
    Ends,
}

impl Directive {
    fn next(self, token: &Token<'_>) -> Directive {
        match (self, token) {
            (Directive::Define, Token::Name(_)) => Directive::Defines,
            (Directive::Undef, Token::Name(_)) => Directive::Ends,
            (Directive::Hash, Token::Name("define")) => Directive::Define,
            (Directive::Hash, Token::Name("undef")) => Directive::Undef,
            (_, Token::Sign('#')) => Directive::Hash,
            _ => Directive::None,
        }
    }
}

enum Token<'text> {
    Name(&'text str),
    /// A name after `.` or `->`.
    Member,
    Open,
    Close,
    Number(&'text str),
    /// A character of punctuation.
    Sign(char),
    /// A string or a character.
    Literal,
    Unterminated(&'static str),
}

/// The tokens of a text, each with its line.
struct Tokens<'text> {
    rest: &'text str,
    line: usize,
    /// Whether the last token was `.` or `->`, so that a name now is a member's.
    accessed: bool,
}

impl<'text> Tokens<'text> {
    fn new(text: &'text str) -> Self {
        Tokens { rest: text, line: 1, accessed: false }
    }

    /// Takes `length` bytes off the front.
    fn take(&mut self, length: usize) -> &'text str {
        let (taken, rest) = self.rest.split_at(length);
        self.line += taken.matches('\n').count();
        self.rest = rest;
        taken
    }

    /// Takes everything up to and with `end`; false where it is missing.
    fn take_past(&mut self, end: &str) -> bool {
        let found = self.rest.find(end);
        self.take(found.map_or(self.rest.len(), |at| at + end.len()));
        found.is_some()
    }

    /// Takes a string or character literal after its opening `quote`; false where it is not closed.
    fn take_quoted(&mut self, quote: char) -> bool {
        let mut escaped = false;
        for (at, c) in self.rest.char_indices() {
            match c {
                '\n' if !escaped => {
                    self.take(at);
                    return false;
                }
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                _ if c == quote => {
                    self.take(at + 1);
                    return true;
                }
                _ => {}
            }
        }
        self.take(self.rest.len());
        false
    }

    /// Takes the rest of a raw string, `R"delimiter(…)delimiter"`, after its prefix `R"`.
    fn take_raw(&mut self) -> bool {
        let Some(open) = self.rest.find('(') else {
            return false;
        };
        let end = format!("){}\"", &self.rest[..open]);
        self.take_past(&end)
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

impl<'text> Iterator for Tokens<'text> {
    type Item = (usize, Token<'text>);

    fn next(&mut self) -> Option<Self::Item> {
        let token = loop {
            let space = self.rest.len() - self.rest.trim_start().len();
            self.take(space);
            let line = self.line;
            if self.rest.starts_with("//") {
                // A backslash at the end of the line continues the comment on the next one.
                while self.take_line().ends_with('\\') {}
                continue;
            }
            if self.rest.starts_with("/*") {
                self.take(2);
                if !self.take_past("*/") {
                    break (line, Token::Unterminated("comment"));
                }
                continue;
            }
            let first = self.rest.chars().next()?;
            let accessed = std::mem::take(&mut self.accessed);
            let token = match self.token(first) {
                Token::Name(_) if accessed => Token::Member,
                token => token,
            };
            break (line, token);
        };
        Some(token)
    }
}

impl<'text> Tokens<'text> {
    /// Takes the rest of the line and its end; gives it without the end.
    fn take_line(&mut self) -> &'text str {
        let length = self.rest.find('\n').map_or(self.rest.len(), |at| at + 1);
        self.take(length).trim_end_matches(['\n', '\r'])
    }

    fn token(&mut self, first: char) -> Token<'text> {
        if first.is_ascii_digit() {
            // With digit separators and exponents, which must not be mistaken for names or for the
            // start of a character literal.
            let length = self
                .rest
                .char_indices()
                .find(|&(at, c)| {
                    let separator = c == '\'' && self.rest[at + 1..].starts_with(is_name);
                    !(is_name(c) || c == '.' || separator)
                })
                .map_or(self.rest.len(), |(at, _)| at);
            return Token::Number(self.take(length));
        }
        if is_name(first) {
            let length = self.rest.find(|c| !is_name(c)).unwrap_or(self.rest.len());
            let name = self.take(length);
            if name.ends_with('R')
                && ["R", "LR", "uR", "UR", "u8R"].contains(&name)
                && self.rest.starts_with('"')
            {
                self.take(1);
                return if self.take_raw() {
                    Token::Literal
                } else {
                    Token::Unterminated("raw string")
                };
            }
            return Token::Name(name);
        }
        for access in [".", "->"] {
            if self.rest.starts_with(access) {
                self.take(access.len());
                self.accessed = true;
                return Token::Sign('.');
            }
        }
        // The digraphs <% and %> are other spellings of braces.
        for (spelling, token) in
            [("<%", Token::Open), ("%>", Token::Close), ("{", Token::Open), ("}", Token::Close)]
        {
            if self.rest.starts_with(spelling) {
                self.take(spelling.len());
                return token;
            }
        }
        self.take(first.len_utf8());
        match first {
            '"' if !self.take_quoted('"') => Token::Unterminated("string"),
            '\'' if !self.take_quoted('\'') => Token::Unterminated("character"),
            '"' | '\'' => Token::Literal,
            _ => Token::Sign(first),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(text: &str) -> Vec<String> {
        check(text)
            .into_iter()
            .map(|problem| format!("{}: {}", problem.line, problem.message))
            .collect()
    }

    #[test]
    fn ordinary_bodies_pass() {
        for text in [
            "float d = p.i - p.j; distance = d;",
            "if (i > 3) { return; }\n// a } in a comment\n/* { */ x = '}'; s = \"}\\\"}\";",
            "x = 1'000'000; y = 0x1.8p3f; c = '\\''; d = R\"(})\"; e = R\"a(})\" })a\";",
            "// continued \\\n } still a comment\nx = 1;",
            "#pragma unroll\nfor (;;) <% break; %>",
            "#define SQUARE(x) ((x) * (x))\ny = SQUARE(x);\n#undef SQUARE",
        ] {
            assert_eq!(messages(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn bodies_that_leave_their_function_are_refused() {
        for (text, line) in [
            ("x = 1;\n}\n{", 2),
            ("x = 1; %>", 1),
            ("\n\n{", 3),
            ("/* never closed", 1),
            ("x = \"never closed\n\";", 1),
            ("x = R\"a(never closed)b\"", 1),
            ("x = '", 1),
            ("x = 1;\n#define row 2", 2),
            ("# define A\n#undef B", 1),
        ] {
            assert_eq!(check(text).first().map(|problem| problem.line), Some(line), "{text}");
        }
    }

    #[test]
    fn empty_bodies_barriers_and_shared_memory_are_refused() {
        assert!(messages("  \n// nothing\n")[0].contains("empty"));
        assert!(messages("x = 1;\n__syncthreads();")[0].starts_with("2: `__syncthreads`"));
        assert!(messages("x = __shfl_sync(~0u, x, 0);")[0].contains("lanes"));
        assert!(messages("__shared__ float x;")[0].contains("shared memory"));
        assert!(messages("td_row(1);")[0].contains("td_"));
    }

    #[test]
    fn lengths_are_of_what_is_written() {
        assert_eq!(length("x = p.i; // comment"), Some(6));
        assert_eq!(length("#include \"pair.cuh\""), None);
    }

    #[test]
    fn names_are_those_outside_comments_and_strings() {
        let names = names("float x = p.i + q -> j; // j\nconst char *s = \"n\"; y = 1e5f;");
        assert_eq!(
            names.into_iter().collect::<Vec<_>>(),
            ["char", "const", "float", "p", "q", "s", "x", "y"]
        );
    }
}

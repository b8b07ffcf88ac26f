//! The tokens of C++, as far as the rules and the counting need them.

/// A token of a body.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Token {
    Name(String),
    /// A name after `.` or `->`.
    Member(String),
    /// A brace or parenthesis that opens.
    Open(char),
    /// A closing bracket, by the character that opens it.
    Close(char),
    Number(String),
    /// A character of punctuation; `.` for `->` too.
    Sign(char),
    /// A string or a character, with its quotation marks.
    Literal(String),
    /// The `#` of a directive.
    Directive,
    /// The end of a directive's line.
    EndOfDirective,
    /// A comment, string or character without its end.
    Unclosed(&'static str),
}

/// The tokens, each after its line, of a source with plain ends of lines, which begins on line `line`.
pub(super) fn read(text: &str, mut line: usize) -> Vec<(usize, Token)> {
    let (mut rest, mut in_directive) = (text, false);
    let mut found: Vec<(usize, Token)> = Vec::new();
    while let Some(first) = rest.chars().next() {
        if first == '\n' && std::mem::take(&mut in_directive) {
            found.push((line, Token::EndOfDirective));
        }
        let (length, token) = next(rest, first);
        let begins_line = found.last().is_none_or(|last| last.0 < line);
        let token = match (token, found.last().map(|last| &last.1)) {
            (Some(Token::Sign('#')), _) if begins_line && !in_directive => {
                in_directive = true;
                Some(Token::Directive)
            }
            (Some(Token::Name(name)), Some(Token::Sign('.'))) => Some(Token::Member(name)),
            (token, _) => token,
        };
        found.extend(token.map(|token| (line, token)));
        line += rest[..length].matches('\n').count();
        rest = &rest[length..];
    }
    if in_directive {
        found.push((line, Token::EndOfDirective));
    }
    found
}

/// The indices of the tokens outside directives.
pub(super) fn without_directives(tokens: &[Token]) -> Vec<usize> {
    let mut in_directive = false;
    let is_outside = |(at, token): (usize, &Token)| {
        in_directive |= *token == Token::Directive;
        let is_outside = !in_directive;
        in_directive &= *token != Token::EndOfDirective;
        is_outside.then_some(at)
    };
    tokens.iter().enumerate().filter_map(is_outside).collect()
}

/// The length of the first part of `text`, and its token; spaces and comments have none.
fn next(text: &str, first: char) -> (usize, Option<Token>) {
    if first.is_whitespace() {
        return (first.len_utf8(), None);
    }
    // A backslash at the end of a line continues the line.
    if text.starts_with("\\\n") {
        return (2, None);
    }
    if text.starts_with("//") {
        let mut ends = text.match_indices('\n').map(|(at, _)| at);
        let end = ends.find(|&at| !text[..at].ends_with('\\'));
        return (end.unwrap_or(text.len()), None);
    }
    if let Some(comment) = text.strip_prefix("/*") {
        let unclosed = (text.len(), Some(Token::Unclosed("comment")));
        return comment.find("*/").map_or(unclosed, |length| (length + 4, None));
    }
    if let Some(token) = digraph(text) {
        return (2, Some(token));
    }
    if first.is_ascii_digit() {
        let length = number(text);
        return (length, Some(Token::Number(text[..length].to_owned())));
    }
    let name = &text[..text.find(|c| !is_in_name(c)).unwrap_or(text.len())];
    let (length, what, most) = match first {
        '"' => (quoted(text, first), "string", text.find('\n')),
        '\'' => (quoted(text, first), "character", text.find('\n')),
        _ if ["R", "LR", "uR", "UR", "u8R"].contains(&name)
            && text[name.len()..].starts_with('"') =>
        {
            (raw(text), "raw string", None)
        }
        _ if !name.is_empty() => return (name.len(), Some(Token::Name(name.to_owned()))),
        '-' if text.starts_with("->") => return (2, Some(Token::Sign('.'))),
        '{' | '(' => return (1, Some(Token::Open(first))),
        '}' => return (1, Some(Token::Close('{'))),
        ')' => return (1, Some(Token::Close('('))),
        _ => return (first.len_utf8(), Some(Token::Sign(first))),
    };
    match length {
        Some(length) => (length, Some(Token::Literal(text[..length].to_owned()))),
        None => (most.unwrap_or(text.len()), Some(Token::Unclosed(what))),
    }
}

/// The token for which the first two characters are an alternative spelling.
fn digraph(text: &str) -> Option<Token> {
    // In `<::name` the first character is a `<`.
    if let Some(after) = text.strip_prefix("<::")
        && !after.starts_with([':', '>'])
    {
        return None;
    }
    Some(match text.get(..2)? {
        "<%" => Token::Open('{'),
        "%>" => Token::Close('{'),
        "<:" => Token::Sign('['),
        ":>" => Token::Sign(']'),
        "%:" => Token::Sign('#'),
        _ => return None,
    })
}

fn is_in_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// The length of the number at the start of `text`. Digit separators and exponents are part of it.
fn number(text: &str) -> usize {
    let mut before = '0';
    for (at, c) in text.char_indices() {
        let separates = c == '\'' && text[at + 1..].starts_with(is_in_name);
        let signs = matches!(c, '+' | '-') && matches!(before, 'e' | 'E' | 'p' | 'P');
        if !(is_in_name(c) || c == '.' || separates || signs) {
            return at;
        }
        before = c;
    }
    text.len()
}

/// The length of the string or character at the start of `text`, if it ends on its line.
fn quoted(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => return None,
            _ if c == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// The length of the raw string, `R"delimiter(…)delimiter"`, at the start of `text`.
fn raw(text: &str) -> Option<usize> {
    let (delimiter, _) = text.split_once('"')?.1.split_once('(')?;
    let end = format!("){delimiter}\"");
    Some(text.find(&end)? + end.len())
}

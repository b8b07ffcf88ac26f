//! Finds the messages in the sources.

use std::path::{Path, PathBuf};
use std::{fs, io};

use proc_macro2::{Delimiter, LexError, Literal, TokenStream, TokenTree};

use crate::outputs::parts;

/// The macros whose arguments are messages, in sources in which only constants can panic.
const PANICS: &[&str] = &[
    "assert", "assert_eq", "assert_ne", "compile_error", "debug_assert", "panic", "todo",
    "unimplemented", "unreachable",
];

/// Which literals of a source are messages.
#[derive(Clone, Copy, PartialEq)]
pub enum Source {
    /// Literals that have words.
    Messages,
    /// Literals that quote something between backticks.
    Cuda,
    /// Literals in panics, and in `on_unimplemented`.
    Runtime,
}

/// A literal that a user can see.
#[derive(Debug)]
pub struct Message {
    /// The line of the source.
    pub line: usize,
    /// The message, with holes where values are inserted.
    pub text: String,
}

/// The files below `folder`, without modules of tests.
///
/// # Errors
///
/// A folder cannot be read.
pub fn files(folder: &Path, extension: &str) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_tests = path.file_stem().is_some_and(|stem| stem == "tests");
        if path.is_dir() && !is_tests {
            found.extend(files(&path, extension)?);
        } else if !is_tests && path.extension().is_some_and(|own| own == extension) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// The messages of a source.
///
/// # Errors
///
/// The text is not Rust.
pub fn messages(text: &str, source: Source) -> Result<Vec<Message>, LexError> {
    let mut found = Vec::new();
    collect(text.parse()?, source != Source::Runtime, &mut found);
    // A mistake in the crates, which no case provokes.
    found.retain(|Message { text, .. }| !text.starts_with("internal error of td-kernel"));
    found.retain(|Message { text, .. }| match source {
        Source::Cuda => text.contains('`'),
        Source::Messages | Source::Runtime => {
            let words = parts(text).concat();
            words.contains(char::is_whitespace) && words.contains(char::is_alphabetic)
        }
    });
    Ok(found)
}

/// Adds the literals of `tokens`: all, or only those in panics and `on_unimplemented`.
fn collect(tokens: TokenStream, all: bool, found: &mut Vec<Message>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while at < tokens.len() {
        match &tokens[at..] {
            [TokenTree::Punct(hash), rest @ ..] if hash.as_char() == '#' => {
                let inner =
                    matches!(rest, [TokenTree::Punct(bang), ..] if bang.as_char() == '!') as usize;
                if let Some(TokenTree::Group(attribute)) = rest.get(inner)
                    && attribute.delimiter() == Delimiter::Bracket
                {
                    let words = attribute.stream().to_string().replace(' ', "");
                    if words.starts_with("diagnostic::on_unimplemented") {
                        collect(attribute.stream(), true, found);
                    }
                    at += 1 + inner;
                    if words == "cfg(test)" || words.starts_with("cfg(all(test,") {
                        at += item(&tokens[at + 1..]);
                    }
                }
            }
            [TokenTree::Ident(name), TokenTree::Punct(bang), TokenTree::Group(group), ..]
                if bang.as_char() == '!' && PANICS.iter().any(|known| name == known) =>
            {
                collect(group.stream(), true, found);
                at += 2;
            }
            // As above.
            [TokenTree::Ident(name), TokenTree::Group(_), ..] if name == "Internal" => at += 1,
            [TokenTree::Group(group), ..] => collect(group.stream(), all, found),
            [TokenTree::Literal(literal), ..] if all => found.extend(message(literal)),
            _ => {}
        }
        at += 1;
    }
}

/// The number of tokens of the item that `tokens` begin with.
fn item(tokens: &[TokenTree]) -> usize {
    let ends = |token: &TokenTree| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Punct(sign) => sign.as_char() == ';',
        _ => false,
    };
    tokens.iter().position(ends).map_or(tokens.len(), |last| last + 1)
}

fn message(literal: &Literal) -> Option<Message> {
    let text = syn::parse_str::<syn::LitStr>(&literal.to_string()).ok()?.value();
    Some(Message { line: literal.span().start().line, text })
}

//! Finds accidental doubles in a prelude's functions, as in bodies. Their types are explicit: those of the parameters and of
//! the result.

use std::ops::Range;

use super::reader::{Finding, Reader};
use super::types::{Declared, declared};
use super::value::Type;
use super::{all, locals};
use crate::scan::tokens::Token;

/// Words that can precede a function's type.
const BEFORE: &[&str] =
    &["__device__", "__forceinline__", "__host__", "__inline__", "__noinline__"];

/// The accidental doubles in the functions of a prelude, in order. `is_macro` decides which names may have any meaning.
pub(in crate::scan) fn found_in_functions(
    text: &str,
    tokens: &[Token],
    places: &[(usize, Range<usize>)],
    is_macro: &dyn Fn(&str) -> bool,
) -> Vec<Finding> {
    let has_macro = |tokens: &[Token]| {
        tokens.iter().any(|token| matches!(token, Token::Name(name) if is_macro(name)))
    };
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match function(tokens, at) {
            Some(Function { returns, all: range, body }) => {
                if !has_macro(&tokens[range.clone()]) {
                    let locals = locals(&tokens[range.clone()], &|_| None);
                    let mut reader =
                        Reader::new(text, &tokens[body.clone()], &places[body], &|_| None, locals);
                    reader.returns = returns;
                    found.extend(all(reader));
                }
                at = range.end;
            }
            None => at = next(tokens, at),
        }
    }
    found
}

/// A function's definition.
struct Function {
    /// Its return type, if all `return`s in its body are its own.
    returns: Option<Type>,
    /// From its parameters to its end.
    all: Range<usize>,
    /// From its brace to its end.
    body: Range<usize>,
}

/// The function whose definition begins here.
fn function(tokens: &[Token], start: usize) -> Option<Function> {
    let is_before = |token: &&Token| matches!(token, Token::Name(word) if BEFORE.contains(&word.as_str()) || word == "inline" || word == "static");
    let at = start + tokens[start..].iter().take_while(is_before).count();
    let nothing = Declared { of: Type::Unknown, tokens: 1 };
    let Declared { of, tokens: count } = match tokens.get(at) {
        Some(Token::Name(word)) if word == "void" => nothing,
        _ => declared(&tokens[at..])?,
    };
    let [Token::Name(_), Token::Open('('), ..] = tokens.get(at + count..)? else { return None };
    let parameters = at + count + 1;
    let brace = closed(tokens, parameters)?;
    if tokens.get(brace) != Some(&Token::Open('{')) {
        return None;
    }
    let end = closed(tokens, brace)?;
    // A `[` that cannot be an index begins a lambda.
    let is_lambda = |pair: &[Token]| {
        pair[1] == Token::Sign('[')
            && !matches!(
                pair[0],
                Token::Name(_) | Token::Member(_) | Token::Close(_) | Token::Sign(']')
            )
    };
    let has_lambda = tokens[brace..end].windows(2).any(is_lambda);
    let returns = (!has_lambda && of != Type::Unknown).then_some(of);
    Some(Function { returns, all: parameters..end, body: brace..end })
}

/// The index after the bracket that closes the one at `open`.
fn closed(tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0;
    let close = tokens[open..].iter().position(|token| {
        match token {
            Token::Open(_) => depth += 1,
            Token::Close(_) => depth -= 1,
            _ => {}
        }
        depth == 0
    })?;
    Some(open + close + 1)
}

/// The index after a directive, or after a declaration that is not a function.
fn next(tokens: &[Token], start: usize) -> usize {
    let mut at = start;
    while let Some(token) = tokens.get(at) {
        match token {
            Token::Open(bracket) => match closed(tokens, at) {
                // The end of a definition or of a type. A following `;` is skipped.
                Some(end) if *bracket == '{' => return end,
                Some(end) => at = end,
                None => return tokens.len(),
            },
            Token::Directive => {
                let end = tokens[at..].iter().position(|token| *token == Token::EndOfDirective);
                return end.map_or(tokens.len(), |end| at + end + 1);
            }
            Token::Sign(';') => return at + 1,
            _ => at += 1,
        }
    }
    at
}

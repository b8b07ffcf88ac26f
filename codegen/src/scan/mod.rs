//! Reads a body as C++ tokens, once: for mistakes of its author, and for facts that the kernel around it depends on.
//!
//! The author is trusted: a body is `unsafe` code, and can do whatever C++ can. So this is no defence. It finds
//! mistakes that would be silent or hard to understand when the kernel is compiled, as far as a look at the tokens
//! shows them: macros are not expanded, and files that the body includes are not read.

mod counting;
mod doubles;
mod lists;
mod rules;
#[cfg(test)]
mod tests;
mod tokens;
mod uses;

use std::collections::BTreeSet;
use std::ops::Range;

pub(crate) use doubles::{Finding, Number, Type, Variable};
pub(crate) use lists::Listed;
pub(crate) use rules::Problem;
use tokens::{Placed, Token};
pub(crate) use uses::Use;

/// What is known of a body.
pub(crate) struct Scan {
    /// Everything that keeps the text from being the body of a pair function.
    pub(crate) problems: Vec<Problem>,
    /// The names in it: identifiers and keywords outside comments and strings, without those of members, such as the
    /// `i` of `p.i`.
    pub(crate) names: BTreeSet<String>,
    /// How long it is, in tokens; `None` where it includes a file or defines a macro, and so may be longer than
    /// it looks.
    pub(crate) length: Option<usize>,
    /// The text, with plain ends of lines.
    text: String,
    tokens: Vec<Token>,
    /// The line of each token, and its bytes in the text.
    places: Vec<(usize, Range<usize>)>,
}

/// Reads a body, whose text begins on this line of its file.
pub(crate) fn read(text: &str, line: usize) -> Scan {
    let text = tokens::with_plain_ends(text);
    let placed = tokens::read(&text, line).into_iter();
    let (places, tokens): (Vec<_>, Vec<Token>) =
        placed.map(|Placed { line, bytes, token }| ((line, bytes), token)).unzip();
    let lines = places.iter().map(|(line, _)| *line);
    let problems = rules::problems(&lines.zip(&tokens).collect::<Vec<_>>(), line);
    let names = named(&tokens);
    let is_all = !names.contains("include") && !names.contains("define");
    let written = tokens.iter().filter(|token| !matches!(token, Token::EndOfDirective)).count();
    Scan { problems, names, length: is_all.then_some(written), text, tokens, places }
}

/// The names among these tokens.
fn named(tokens: &[Token]) -> BTreeSet<String> {
    let name = |token: &Token| match token {
        Token::Name(name) => Some(name.clone()),
        _ => None,
    };
    tokens.iter().filter_map(name).collect()
}

impl Scan {
    /// Whether the body defines this name as a macro.
    pub(crate) fn defines(&self, name: &str) -> bool {
        self.tokens.windows(3).any(|tokens| match tokens {
            [Token::Directive, Token::Name(word), Token::Name(defined)] => {
                word == "define" && defined == name
            }
            _ => false,
        })
    }

    /// How many terms the body adds to `name` or takes off it, at most, for one pair; `None` where it does anything else
    /// with `name`, or may repeat an addition.
    pub(crate) fn additions(&self, name: &str) -> Option<u32> {
        counting::added(&self.tokens, name, |_, _| true)
    }

    /// Whether no numbers stand in the body, and nothing is called but these functions.
    pub(crate) fn is_plain(&self, functions: &[&str]) -> bool {
        self.tokens.iter().enumerate().all(|(at, token)| match token {
            Token::Number(_) => false,
            Token::Open('(') => {
                let before = at.checked_sub(1).and_then(|before| self.tokens.get(before));
                !matches!(before, Some(Token::Name(name)) if !functions.contains(&name.as_str()))
            }
            _ => true,
        })
    }

    /// Whether the body does nothing with `name` but add whole numbers below 256 to it, each at most once: nothing in
    /// the body can repeat or hide an addition.
    pub(crate) fn only_counts(&self, name: &str) -> bool {
        let is_small = |sign: char, term: &[Token]| match term {
            [Token::Number(number)] => sign == '+' && number.parse::<u8>().is_ok(),
            _ => false,
        };
        counting::added(&self.tokens, name, is_small).is_some()
    }

    /// The line of the body's first use of `name` of this kind, where `name` is certainly not the body's own there.
    pub(crate) fn uses(&self, name: &str, kind: Use) -> Option<usize> {
        Some(self.places[uses::first(&self.tokens, name, kind)?].0)
    }

    /// The line of each `name.push(…)`, and how many arguments it has.
    pub(crate) fn pushes(&self, name: &str) -> Vec<(usize, usize)> {
        let push = |at: usize| match &self.tokens[at..] {
            [
                Token::Name(found),
                Token::Sign('.'),
                Token::Member(member),
                Token::Open('('),
                rest @ ..,
            ] if found == name && member == "push" => {
                Some((self.places[at].0, lists::arguments(rest)?))
            }
            _ => None,
        };
        (0..self.tokens.len()).filter_map(push).collect()
    }

    /// How many expressions the text is.
    pub(crate) fn listed(&self) -> Listed {
        lists::listed(&self.tokens)
    }

    /// Where the body computes in double precision by accident, given what its names stand for.
    pub(crate) fn doubles(&self, variable: &dyn Fn(&str) -> Option<Variable>) -> Vec<Finding> {
        doubles::found(&self.text, &self.tokens, &self.places, variable)
    }
}

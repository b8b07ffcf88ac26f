//! How a body uses a sum: whether it only counts, so that a thread can count in 32 bits for a while, and how often it adds to
//! the sum, so that a thread can add up a few floats first.

use super::Token;

/// Words that repeat a statement, or may hide a repetition.
pub(super) const REPEATING: &[&str] =
    &["for", "while", "do", "goto", "define", "include", "auto", "struct", "class", "union"];

/// The number of additions to `name` and subtractions from it, if each is its own statement that runs at most once, and
/// `allows` accepts its sign and its term.
pub(super) fn added(
    tokens: &[Token],
    name: &str,
    allows: impl Fn(char, &[Token]) -> bool,
) -> Option<u32> {
    let mut additions = 0;
    for (at, token) in tokens.iter().enumerate() {
        let Token::Name(found) = token else { continue };
        if found == name {
            let (sign, term) = term(tokens, at)?;
            if !allows(sign, term) {
                return None;
            }
            additions += 1;
        } else if REPEATING.contains(&found.as_str()) {
            return None;
        }
    }
    Some(additions)
}

/// The term that a statement adds to the name at `at` or subtracts from it, after its sign. Inside another expression the sum's
/// value could be used, or have another type.
fn term(tokens: &[Token], at: usize) -> Option<(char, &[Token])> {
    let stands_alone = match &tokens[..at] {
        [] | [.., Token::Open('{') | Token::Close('{') | Token::Sign(';')] => true,
        [.., Token::Name(name)] => name == "else",
        [before @ .., Token::Close('(')] => is_condition(before),
        _ => false,
    };
    let [Token::Sign(sign @ ('+' | '-')), Token::Sign('='), rest @ ..] = tokens.get(at + 1..)?
    else {
        return None;
    };
    let end = rest.iter().position(|token| *token == Token::Sign(';'))?;
    stands_alone.then_some((*sign, &rest[..end]))
}

/// How often the innermost statement of these tokens' `for` loops runs, by the largest number in the head of each loop: 1
/// without loops, and for loops without a number.
pub(super) fn repetitions(tokens: &[Token]) -> u64 {
    let (mut most, mut rest) = (1, tokens);
    while let [first, after @ ..] = rest {
        rest = after;
        if !matches!(first, Token::Name(name) if name == "for") {
            continue;
        }
        let (head, after) = after.split_at(end(after, &Token::Close('(')));
        let number = |token: &Token| match token {
            Token::Number(number) => number.trim_end_matches(['u', 'U', 'l', 'L']).parse().ok(),
            _ => None,
        };
        let times: u64 = head.iter().filter_map(number).max().unwrap_or(1).max(1);
        let statement = match after {
            [Token::Open('{'), ..] => end(after, &Token::Close('{')),
            _ => end(after, &Token::Sign(';')),
        };
        let (body, after) = after.split_at(statement);
        most = most.max(times.saturating_mul(repetitions(body)));
        rest = after;
    }
    most
}

/// The number of tokens up to and including the first `last` outside of brackets.
fn end(tokens: &[Token], last: &Token) -> usize {
    let mut open = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Open(_) => open += 1,
            Token::Close(_) => open = open.saturating_sub(1),
            _ => {}
        }
        if open == 0 && token == last {
            return at + 1;
        }
    }
    tokens.len()
}

/// Words that can precede a value. All others are types or declare.
pub(super) const BEFORE_VALUES: &[&str] = &["case", "else", "return"];

/// Words with a condition in parentheses before a statement.
const CONDITIONAL: &[&str] = &["for", "if", "while"];

/// Whether the tokens before a closing parenthesis end in the condition of an `if` or of a loop.
pub(super) fn is_condition(before: &[Token]) -> bool {
    let mut closed = 0_usize;
    for (at, token) in before.iter().enumerate().rev() {
        match token {
            Token::Close('(') => closed += 1,
            Token::Open('(') if closed == 0 => {
                return matches!(&before[..at], [.., Token::Name(name)] if CONDITIONAL.contains(&name.as_str()));
            }
            Token::Open('(') => closed -= 1,
            _ => {}
        }
    }
    false
}

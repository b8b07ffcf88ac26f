//! Compound assignments, `++`, `--` and assignments of what is computed from the old value, to memory that many pairs may write
//! to at the same time.

use std::collections::BTreeSet;

use super::Token;
use super::counting::{BEFORE_VALUES, is_condition};

/// The operator that changes memory of this name between these tokens, in a slot that not every pair has for itself.
///
/// A slot is taken for the pair's own where its index comes from both `i` and `j`.
pub(super) fn shared(name: &str, before: &[Token], after: &[Token]) -> Option<String> {
    let (index, rest) = match after {
        [Token::Sign('['), rest @ ..] => indexed(rest)?,
        // `*name += …`
        _ if matches!(before, [.., Token::Sign('*')]) => (&after[..0], after),
        _ => return None,
    };
    let slot = &after[..after.len() - rest.len()];
    let operator = compound(rest)
        .or_else(|| postfix(rest))
        .or_else(|| prefix(before))
        .or_else(|| is_from_itself(name, slot, rest).then(|| "=".into()))?;
    let names = origins(index, before);
    let is_of_pair = ["i", "j"].iter().all(|end| names.contains(*end));
    (!is_of_pair).then_some(operator)
}

/// The tokens of the index, from those after its `[`, and the tokens after its `]` and after members and further
/// indices.
fn indexed(tokens: &[Token]) -> Option<(&[Token], &[Token])> {
    let (index, mut after) = bracketed(tokens)?;
    loop {
        after = match after {
            [Token::Sign('.'), Token::Member(_), rest @ ..] => rest,
            [Token::Sign('['), rest @ ..] => bracketed(rest)?.1,
            _ => return Some((index, after)),
        };
    }
}

/// The tokens before the `]` that ends an index, and those after it.
fn bracketed(tokens: &[Token]) -> Option<(&[Token], &[Token])> {
    let mut open = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Sign('[') => open += 1,
            Token::Sign(']') if open == 0 => return Some((&tokens[..at], &tokens[at + 1..])),
            Token::Sign(']') => open -= 1,
            _ => {}
        }
    }
    None
}

/// The compound assignment that these tokens begin with.
fn compound(tokens: &[Token]) -> Option<String> {
    match tokens {
        [Token::Sign(sign), Token::Sign('='), ..] if "+-*/%&|^".contains(*sign) => {
            Some(format!("{sign}="))
        }
        [Token::Sign(sign @ ('<' | '>')), Token::Sign(other), Token::Sign('='), ..]
            if sign == other =>
        {
            Some(format!("{sign}{sign}="))
        }
        _ => None,
    }
}

/// The `++` or `--` that these tokens begin with. In `a + +b` an operand follows.
fn postfix(tokens: &[Token]) -> Option<String> {
    let [Token::Sign(sign @ ('+' | '-')), Token::Sign(other), after @ ..] = tokens else {
        return None;
    };
    let is_operand = matches!(
        after.first(),
        Some(Token::Name(_) | Token::Number(_) | Token::Literal(_) | Token::Open('('))
    );
    (sign == other && !is_operand).then(|| format!("{sign}{sign}"))
}

/// The `++` or `--` that these tokens end with. In `a + +b` an operand comes before.
fn prefix(tokens: &[Token]) -> Option<String> {
    let [before @ .., Token::Sign(sign @ ('+' | '-')), Token::Sign(other)] = tokens else {
        return None;
    };
    let is_operand = match before {
        [.., Token::Name(word)] => !BEFORE_VALUES.contains(&word.as_str()),
        [before @ .., Token::Close('(')] => !is_condition(before),
        [.., Token::Number(_) | Token::Member(_) | Token::Literal(_) | Token::Sign(']')] => true,
        _ => false,
    };
    (sign == other && !is_operand).then(|| format!("{sign}{sign}"))
}

/// Whether these tokens, which follow the name and its slot, assign a value that is computed from the same slot. (`*name = …` may
/// be a declaration.)
fn is_from_itself(name: &str, slot: &[Token], rest: &[Token]) -> bool {
    let [Token::Sign('='), value @ ..] = rest else { return false };
    let end = value.iter().position(|token| *token == Token::Sign(';'));
    let value = &value[..end.unwrap_or(value.len())];
    let is_slot = |at: usize| {
        matches!(&value[at], Token::Name(found) if found == name)
            && value[at + 1..].starts_with(slot)
    };
    // In `name[…] == …` a second sign follows.
    value.first() != Some(&Token::Sign('=')) && !slot.is_empty() && (0..value.len()).any(is_slot)
}

/// The names in an index, and those in what was assigned to them before.
fn origins<'a>(index: &'a [Token], before: &'a [Token]) -> BTreeSet<&'a str> {
    let mut names = BTreeSet::new();
    let mut left: Vec<_> = named(index).collect();
    while let Some(name) = left.pop() {
        if !names.insert(name) {
            continue;
        }
        for (at, token) in before.iter().enumerate() {
            if !matches!(token, Token::Name(found) if found == name) {
                continue;
            }
            let rest = &before[at + 1..];
            let end = rest.iter().position(|token| *token == Token::Sign(';'));
            let rest = &rest[..end.unwrap_or(rest.len())];
            // What follows `=`, `+=` and the like, up to the end of the statement.
            if matches!(rest, [Token::Sign('='), ..]) || compound(rest).is_some() {
                left.extend(named(rest));
            }
        }
    }
    names
}

fn named(tokens: &[Token]) -> impl Iterator<Item = &str> {
    tokens.iter().filter_map(|token| match token {
        Token::Name(name) => Some(name.as_str()),
        _ => None,
    })
}

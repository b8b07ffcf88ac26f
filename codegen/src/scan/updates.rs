//! Updates of memory that many pairs may write at the same time: compound assignments, `++`, `--` and assignments computed from
//! the old value.

use std::collections::BTreeSet;

use super::counting::{BEFORE_VALUES, is_condition};
use super::{Token, named};

/// The operator that changes memory of this name between these tokens, in a slot that several pairs may share.
pub(super) fn shared(name: &str, before: &[Token], after: &[Token]) -> Option<String> {
    let (index, mut rest, mut before) = match (before, after) {
        (_, [Token::Sign('['), after @ ..]) => {
            let (index, rest) = indexed(after)?;
            (index, rest, before)
        }
        // `*(name + b) += …`
        ([before @ .., Token::Sign('*'), Token::Open('(')], _) => {
            let (index, rest) = enclosed(after)?;
            (index, rest, before)
        }
        // `*name += …`
        ([before @ .., Token::Sign('*')], _) => (&after[..0], after, before),
        _ => return None,
    };
    let slot = &after[..after.len() - rest.len()];
    // `(name[b])++`
    while let ([outer @ .., Token::Open('(')], [Token::Close('('), inner @ ..]) = (before, rest) {
        (before, rest) = (outer, inner);
    }
    let operator = compound(rest)
        .or_else(|| postfix(rest))
        .or_else(|| prefix(before))
        .or_else(|| is_from_itself(name, slot, before, rest).then(|| "=".into()))?;
    (!numbers_pairs(index, before)).then_some(operator)
}

/// Whether each pair has its own index, as with `i * n + j` and `i * (i - 1) / 2 + j`: it depends on `i` and `j`, one of them
/// is multiplied, and nothing maps several numbers to one. Results of functions are trusted.
fn numbers_pairs(index: &[Token], before: &[Token]) -> bool {
    let parts = origins(index, before);
    let has = |name: &str| {
        let is_name = |token: &Token| matches!(token, Token::Name(found) if found == name);
        parts.iter().any(|part| part.iter().any(is_name))
    };
    let is_spread = parts.iter().any(|part| part.windows(2).any(spreads));
    let is_folded = parts.iter().any(|part| part.windows(2).any(folds));
    has("i") && has("j") && is_spread && !is_folded
}

/// Whether these two tokens begin a product, a shift to the left or a call.
fn spreads(tokens: &[Token]) -> bool {
    match tokens {
        [Token::Sign('*'), _] | [Token::Sign('<'), Token::Sign('<')] => true,
        [Token::Name(name), Token::Open('(')] => !BEFORE_VALUES.contains(&name.as_str()),
        _ => false,
    }
}

/// Whether these two tokens map several numbers to one: a remainder, or a division by another number than 2.
fn folds(tokens: &[Token]) -> bool {
    match tokens {
        [Token::Sign('%'), _] => true,
        [Token::Sign('/'), Token::Number(number)] => {
            number.trim_end_matches(['u', 'U', 'l', 'L']) != "2"
        }
        [Token::Sign('/'), _] => true,
        _ => false,
    }
}

/// The tokens of the index, from those after its `[`, and the tokens after its `]` and after members and further indices.
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

/// The tokens before the parenthesis that closes an open one, and those after it.
fn enclosed(tokens: &[Token]) -> Option<(&[Token], &[Token])> {
    let mut open = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Open('(') => open += 1,
            Token::Close('(') if open == 0 => return Some((&tokens[..at], &tokens[at + 1..])),
            Token::Close('(') => open -= 1,
            _ => {}
        }
    }
    None
}

/// The compound assignment at the start of these tokens.
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

/// The `++` or `--` at the start of these tokens. In `a + +b` an operand follows.
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

/// The `++` or `--` at the end of these tokens. In `a + +b` an operand comes before.
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

/// Whether these tokens, which follow the name and its slot, assign a value computed from the same slot, or one that is
/// assigned only `if` the slot's old value allows it: `if (d < name[b]) name[b] = d;`. (`*name = …` may be a declaration.)
fn is_from_itself(name: &str, slot: &[Token], before: &[Token], rest: &[Token]) -> bool {
    let [Token::Sign('='), value @ ..] = rest else { return false };
    // In `name[…] == …` a second sign follows.
    if slot.is_empty() || value.first() == Some(&Token::Sign('=')) {
        return false;
    }
    let end = value.iter().position(|token| *token == Token::Sign(';'));
    let value = &value[..end.unwrap_or(value.len())];
    let reads = |tokens: &[Token]| {
        tokens.iter().enumerate().any(|(at, token)| {
            matches!(token, Token::Name(found) if found == name)
                && tokens[at + 1..].starts_with(slot)
        })
    };
    // Pairs that all write the same constant lose nothing.
    let is_constant = matches!(value, [Token::Number(_)]);
    reads(value) || !is_constant && condition(before).is_some_and(reads)
}

/// The condition of the `if` whose statement, or block's first statement, follows these tokens.
fn condition(before: &[Token]) -> Option<&[Token]> {
    let [before @ .., Token::Close('(')] =
        before.strip_suffix(&[Token::Open('{')]).unwrap_or(before)
    else {
        return None;
    };
    let starts = (0..before.len()).rev().filter(|at| before[*at] == Token::Open('('));
    let start = starts.into_iter().find(|at| enclosed(&before[at + 1..]).is_none())?;
    let is_if = matches!(&before[..start], [.., Token::Name(word)] if word == "if");
    is_if.then_some(&before[start + 1..])
}

/// The index, and the earlier assignments to its variables.
fn origins<'a>(index: &'a [Token], before: &'a [Token]) -> Vec<&'a [Token]> {
    let mut parts = vec![index];
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
            let is_declared = matches!(before[..at], [.., Token::Name(_)])
                && matches!(rest, [Token::Open('(' | '{'), ..]);
            // What follows `=`, `+=` and the like, up to the end of the statement.
            let value = match rest {
                [Token::Sign('='), value @ ..] => value,
                [Token::Sign(_), Token::Sign('='), value @ ..] if compound(rest).is_some() => value,
                _ if is_declared || compound(rest).is_some() => rest,
                _ => continue,
            };
            parts.push(value);
            left.extend(named(value));
        }
    }
    parts
}

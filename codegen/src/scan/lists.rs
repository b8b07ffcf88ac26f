//! Expressions side by side.

use super::Token;

/// What a text of expressions is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Listed {
    /// One expression without brackets.
    One,
    /// One expression with brackets: a call may be in it.
    Call,
    /// So many expressions, separated by commas, which C++ takes for several variables, or of which it takes the last.
    Several(usize),
    /// So many expressions in braces.
    InBraces(usize),
}

/// Counts the expressions that these tokens are.
pub(super) fn listed(tokens: &[Token]) -> Listed {
    // The brackets that are open: whether each is that of a call, or else which it is.
    let mut open: Vec<Option<char>> = Vec::new();
    let (mut outside, mut inside) = (0, 0);
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Open(bracket) => {
                let before = at.checked_sub(1).map(|before| &tokens[before]);
                let is_call =
                    matches!(before, Some(Token::Name(_) | Token::Member(_) | Token::Sign('>')));
                open.push((!is_call).then_some(*bracket));
            }
            Token::Close(_) => {
                open.pop();
            }
            Token::Sign(',') => match open[..] {
                [] | [.., Some('(')] => outside += 1,
                [Some('{')] => inside += 1,
                _ => {}
            },
            _ => {}
        }
    }
    match tokens {
        _ if outside > 0 => Listed::Several(outside + 1),
        [Token::Open('{'), Token::Close(_)] => Listed::InBraces(0),
        [Token::Open('{'), ..] => Listed::InBraces(inside + 1),
        _ if tokens.iter().any(|token| matches!(token, Token::Open(_))) => Listed::Call,
        _ => Listed::One,
    }
}

/// How many arguments a call has, from the tokens after its opening parenthesis. `None` where that is not clear: what is
/// between angle brackets may be arguments of a template.
pub(super) fn arguments(tokens: &[Token]) -> Option<usize> {
    let (mut open, mut commas) = (0_usize, 0);
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Open(_) => open += 1,
            Token::Close(_) if open == 0 => return Some(if at == 0 { 0 } else { commas + 1 }),
            Token::Close(_) => open -= 1,
            Token::Sign(',') if open == 0 => commas += 1,
            Token::Sign('<') | Token::Directive => return None,
            _ => {}
        }
    }
    None
}

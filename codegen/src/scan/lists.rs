//! Lists of expressions.

use super::Token;

/// The form of a list of expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Listed {
    /// One expression without brackets.
    One,
    /// One expression with brackets, which may contain a call.
    Call,
    /// This many expressions, separated by commas: C++ reads them as several variables, or takes the last one.
    Several(usize),
    /// This many expressions in braces.
    InBraces(usize),
}

/// Counts the expressions in these tokens.
pub(super) fn listed(tokens: &[Token]) -> Listed {
    // The open brackets: `None` for a call's, otherwise the bracket.
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

/// The number of arguments of a call, from the tokens after its opening parenthesis. `None` if it is ambiguous: tokens between
/// angle brackets may be template arguments.
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

//! Binary operators.

use crate::scan::tokens::Token;

/// A binary operator.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Logical,
    Bits,
    Comparison,
    Shift,
    Sum,
    Product,
    Remainder,
}

impl Operator {
    /// The operator at the start of these tokens, and its number of signs.
    pub(super) fn of(tokens: &[Token]) -> Option<(Operator, usize)> {
        let sign = |ahead: usize| match tokens.get(ahead) {
            Some(Token::Sign(sign)) => *sign,
            _ => ' ',
        };
        let (first, second, third) = (sign(0), sign(1), sign(2));
        Some(match (first, second) {
            ('+' | '-' | '*' | '/' | '%' | '^' | '&' | '|', '=') => return None,
            ('<', '<') | ('>', '>') if third == '=' => return None,
            ('=', '=') | ('!', '=') | ('<' | '>', '=') => (Operator::Comparison, 2),
            ('&', '&') | ('|', '|') => (Operator::Logical, 2),
            ('<', '<') | ('>', '>') => (Operator::Shift, 2),
            ('*' | '/', _) => (Operator::Product, 1),
            ('%', _) => (Operator::Remainder, 1),
            ('+' | '-', _) => (Operator::Sum, 1),
            ('<' | '>', _) => (Operator::Comparison, 1),
            ('^' | '&' | '|', _) => (Operator::Bits, 1),
            _ => return None,
        })
    }

    /// Its precedence: higher binds tighter. The difference between `&&` and `||`, and so on, does not matter here.
    pub(super) fn binds(self) -> u8 {
        match self {
            Operator::Logical => 0,
            Operator::Bits => 1,
            Operator::Comparison => 2,
            Operator::Shift => 3,
            Operator::Sum => 4,
            Operator::Product | Operator::Remainder => 5,
        }
    }
}

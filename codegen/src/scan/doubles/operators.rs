//! Operators between two values.

use crate::scan::tokens::Token;

/// An operator between two values.
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
    /// The operator that these tokens begin with, and how many signs it has.
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

    /// The more, the closer. Whether `&&` or `||`, and so on, makes no difference here.
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

//! Types in a body.

use super::value::{Number, Type};
use crate::scan::tokens::Token;
use crate::standard;

/// An explicit type.
pub(super) struct Declared {
    pub(super) of: Type,
    /// Its number of tokens.
    pub(super) tokens: usize,
}

/// Words beside a type.
const QUALIFIERS: &[&str] =
    &["const", "constexpr", "volatile", "static", "register", "__restrict__", "inline"];

/// Words for integers.
const INTEGERS: &[&str] = &[
    "bool", "char", "int", "long", "ptrdiff_t", "short", "signed", "size_t", "uchar", "uint",
    "unsigned", "ushort",
];

/// The type at the start of these tokens.
pub(super) fn declared(tokens: &[Token]) -> Option<Declared> {
    let (mut of, mut count) = (None, 0);
    for token in tokens {
        let Token::Name(word) = token else { break };
        if !QUALIFIERS.contains(&word.as_str()) {
            match word_type(word) {
                // `long double` is CUDA's double.
                Some(next) if of.is_none() || is_number(&next) => of = Some(next),
                _ => break,
            }
        }
        count += 1;
    }
    Some(Declared { of: of?, tokens: count })
}

fn is_number(of: &Type) -> bool {
    matches!(of, Type::Number(_))
}

/// The type of a word.
fn word_type(word: &str) -> Option<Type> {
    Some(match word {
        "float" => Type::Number(Number::Float),
        "double" => Type::Number(Number::Double),
        "auto" => Type::Unknown,
        _ if INTEGERS.contains(&word) || standard::is_type(word) => Type::Number(Number::Integer),
        _ => {
            let stem = word.strip_suffix(['1', '2', '3', '4'])?;
            match stem {
                "float" => Type::Vector(Number::Float),
                "double" => Type::Vector(Number::Double),
                "char" | "uchar" | "short" | "ushort" | "int" | "uint" | "longlong"
                | "ulonglong" => Type::Vector(Number::Integer),
                _ => return None,
            }
        }
    })
}

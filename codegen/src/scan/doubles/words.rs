//! The words that the look at doubles knows.

use std::collections::HashMap;

use super::Meaning;
use crate::cuda_type::is_vector;
use crate::scan::tokens::Token;
use crate::standard;

/// Words that make a whole body unclear.
const UNCLEAR: &[&str] = &[
    "asm", "class", "define", "enum", "operator", "struct", "template", "typedef", "union", "using",
];

/// Words that do not matter.
const NEUTRAL: &[&str] = &[
    "__device__", "__forceinline__", "__host__", "__restrict__", "break", "const", "constexpr",
    "continue", "do", "else", "false", "for", "if", "inline", "register", "return", "static",
    "static_cast", "true", "volatile", "while",
];

/// Words for integers, beside C's types.
const INTEGERS: &[&str] = &["bool", "char", "int", "long", "short", "signed", "size_t", "unsigned"];

/// Functions that return a float for floats and a double for doubles, by their names without the `f` of the form for floats.
const SHARED: &[&str] = &[
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "copysign", "cos",
    "cosh", "cospi", "erf", "erfc", "erfcinv", "erfcx", "erfinv", "exp", "exp10", "exp2", "expm1",
    "fabs", "fdim", "floor", "fma", "fmax", "fmin", "fmod", "hypot", "ldexp", "lgamma", "log",
    "log10", "log1p", "log2", "nearbyint", "normcdf", "pow", "rcbrt", "remainder", "rint", "round",
    "rsqrt", "sin", "sinh", "sinpi", "sqrt", "tan", "tanh", "tgamma", "trunc",
];

/// Functions that exist only for doubles by these names.
const OF_DOUBLES: &[&str] = &["norm3d", "norm4d", "rhypot", "rnorm3d", "rnorm4d"];

/// The types of a function's arguments and result.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Function {
    OfFloats,
    OfDoubles,
    /// Floats, or doubles if one argument is a double.
    Shared,
}

/// The function of this name, if known.
pub(super) fn function(name: &str) -> Option<Function> {
    let is_rounded = name.starts_with("__f") && name.contains("_r");
    match name {
        "abs" | "max" | "min" => Some(Function::Shared),
        _ if SHARED.contains(&name) => Some(Function::Shared),
        _ if OF_DOUBLES.contains(&name) => Some(Function::OfDoubles),
        // `__fma_rn` is for doubles, and `__float2int_rn` returns an integer.
        _ if name.starts_with("__fma_") || name.starts_with("__float2") => None,
        _ if is_rounded || name.starts_with("make_float") => Some(Function::OfFloats),
        _ => {
            let base = name.trim_start_matches("__").strip_suffix('f')?;
            let is_known = SHARED.contains(&base) || OF_DOUBLES.contains(&base);
            is_known.then_some(Function::OfFloats)
        }
    }
}

/// Whether a body names doubles, which are then intended, or declares more than variables.
pub(super) fn has_unclear(tokens: &[Token]) -> bool {
    let is_unclear = |(at, token): (usize, &Token)| match token {
        Token::Name(word) => {
            UNCLEAR.contains(&word.as_str()) || word.contains("double") || word.starts_with("DBL_")
        }
        // Of a lambda.
        Token::Sign('[') => !matches!(
            at.checked_sub(1).map(|before| &tokens[before]),
            Some(Token::Name(_) | Token::Member(_) | Token::Close(_) | Token::Sign(']'))
        ),
        _ => false,
    };
    tokens.iter().enumerate().any(is_unclear)
}

pub(super) fn is_neutral(word: &str) -> bool {
    NEUTRAL.contains(&word)
}

/// Whether the number is a double: it has a point or an exponent, and no `f`.
pub(super) fn is_double(number: &str) -> bool {
    let is_hexadecimal = number.starts_with("0x") || number.starts_with("0X");
    let exponents = if is_hexadecimal { ['p', 'P'] } else { ['e', 'E'] };
    (number.contains('.') || number.contains(exponents)) && !number.ends_with(['f', 'F'])
}

/// The meaning of a variable of the type with this word.
pub(super) fn type_of(word: &str) -> Option<Meaning> {
    match word {
        "float" => Some(Meaning::Float),
        _ if is_vector(word) && word.starts_with("float") => Some(Meaning::Vector),
        _ if is_vector(word) || INTEGERS.contains(&word) || standard::is_type(word) => {
            Some(Meaning::Other)
        }
        _ => None,
    }
}

/// The meanings of the names that a body declares. A name with several meanings, or of an unknown type, has none.
pub(super) fn declared(
    tokens: &[Token],
    parameter: &dyn Fn(&str) -> Option<Meaning>,
) -> HashMap<String, Option<Meaning>> {
    let mut found: HashMap<String, Option<Meaning>> = HashMap::new();
    for (at, token) in tokens.iter().enumerate() {
        let Token::Name(of) = token else { continue };
        let rest = &tokens[at + 1..];
        let marks = rest.iter().take_while(|token| matches!(token, Token::Sign('*' | '&'))).count();
        let Some(Token::Name(name)) = rest.get(marks) else { continue };
        // `a * b` may be a product.
        let is_value =
            found.contains_key(of) || parameter(of).is_some() || standard::is_constant(of);
        if is_value || is_neutral(of) || is_neutral(name) || type_of(name).is_some() {
            continue;
        }
        let earlier = found.get(name).cloned().or_else(|| parameter(name).map(Some));
        let of = type_of(of);
        let is_clear = earlier.is_none_or(|earlier| earlier == of);
        found.insert(name.clone(), of.filter(|_| is_clear));
    }
    found
}

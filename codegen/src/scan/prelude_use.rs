//! The effects of a prelude on the bodies after it: a name in a body may expand to more tokens.

use std::collections::BTreeSet;

use super::counting::repetitions;
use super::{Definition, Scan, Token, named};

/// The maximum number of tokens counted with functions written out. A recursive function has more.
const MOST: usize = 1000;

/// What a body may use of the prelude before it.
#[derive(Default)]
pub(super) struct PreludeUse {
    /// Whether a macro of the prelude, or of a file that it includes, may be used in the body.
    pub(super) has_macros: bool,
    /// Whether a function, an operator or anything else of the prelude may be used.
    pub(super) is_used: bool,
    /// Whether the prelude includes a file.
    pub(super) includes: bool,
    /// The names in the expansions of its macros.
    pub(super) names: BTreeSet<String>,
    /// How often the innermost loop body runs in a function that the body uses.
    pub(super) repetitions: u64,
    /// The number of the body's tokens with the prelude's functions written out.
    pub(super) length: Option<usize>,
}

/// What a body with these tokens may use of a prelude.
pub(super) fn of(prelude: &Scan, tokens: &[Token]) -> PreludeUse {
    let includes = prelude.includes();
    let own: BTreeSet<_> = named(tokens).collect();
    let mut used = prelude.definitions.iter().filter(|each| own.contains(each.name.as_str()));
    let has_macros = includes || used.clone().any(|each| each.is_macro);
    // Operators are used without their name.
    let has_operators = prelude.definitions.iter().any(|each| each.name == OPERATOR);
    let macro_names = prelude.definitions.iter().filter(|each| each.is_macro && has_macros);
    let macro_names = macro_names.flat_map(|each| named(&prelude.tokens[each.tokens.clone()]));
    let loops = used.clone().map(|each| repetitions(&prelude.tokens[each.tokens.clone()]));
    let mut left = MOST;
    let is_counted = !includes && count(prelude, tokens, &mut left);
    PreludeUse {
        has_macros,
        is_used: includes || has_operators || used.next().is_some(),
        includes,
        names: macro_names.map(str::to_owned).collect(),
        repetitions: loops.max().unwrap_or(1),
        length: is_counted.then_some(MOST - left),
    }
}

/// The name of every operator.
const OPERATOR: &str = "operator";

/// Subtracts the tokens from `left`, counting what they use of the prelude instead of its names. Returns whether `left` was
/// enough.
fn count(prelude: &Scan, tokens: &[Token], left: &mut usize) -> bool {
    let operators = prelude.definitions.iter().filter(|each| each.name == OPERATOR);
    let longest = operators.map(|each| each.tokens.len()).max().unwrap_or(0);
    tokens.iter().all(|token| {
        let own = match token {
            Token::EndOfDirective => 0,
            Token::Sign(sign) if "+-*/".contains(*sign) => 1 + longest,
            _ => 1,
        };
        let Some(rest) = left.checked_sub(own) else { return false };
        *left = rest;
        let Token::Name(name) = token else { return true };
        let is_meant = |each: &&Definition| each.name == *name && *name != OPERATOR;
        let mut used = prelude.definitions.iter().filter(is_meant);
        used.all(|each| count(prelude, &prelude.tokens[each.tokens.clone()], left))
    })
}

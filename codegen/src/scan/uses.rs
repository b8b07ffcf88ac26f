//! Finds uses of a name in a body that are not a local variable of that name. A use counts only if no token before it can have
//! declared the name. All other cases are left to the compiler.

use super::Token;
use super::counting::{BEFORE_VALUES, is_condition};
use super::updates;

/// A kind of use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// `name.i` or `name.j`.
    Ends,
    /// Any use as a variable.
    Variable,
    /// An operation on a result: `name = …`, `name += …`, `name.push(…)`.
    Result,
    /// A number in a sum, a product or the like, or with a member. A name of a function has neither.
    Number,
    /// Memory with an index: `name[…]`.
    Indexed,
    /// Memory that is read and written at once, in a slot that other pairs may write to: `name[…] += …`.
    Updated,
}

/// Words after which the tokens do not show who declares a name.
const DECLARING: &[&str] =
    &["class", "enum", "goto", "namespace", "struct", "template", "typedef", "union", "using"];

/// The directives that choose between branches.
const BRANCHES: &[&str] = &["elif", "else", "endif", "if", "ifdef", "ifndef"];

/// CUDA's own variables, which every body can use.
const BUILT_IN: &[&str] = &["blockDim", "blockIdx", "gridDim", "threadIdx", "warpSize"];

/// The index of the first use of this kind, if it comes before everything that may declare the name.
pub(super) fn first(tokens: &[Token], name: &str, kind: Use) -> Option<usize> {
    let is_unclear = tokens.iter().enumerate().any(|(at, token)| match token {
        Token::Name(word) => DECLARING.contains(&word.as_str()),
        // A macro or a file may declare anything, and a branch may not be compiled. But a branch that races is wrong.
        Token::Directive => {
            let is_branch = kind == Use::Updated && is_name(tokens.get(at + 1), BRANCHES);
            !is_branch && !is_name(tokens.get(at + 1), &["pragma"])
        }
        _ => false,
    });
    if is_unclear || BUILT_IN.contains(&name) {
        return None;
    }
    let mut in_directive = false;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Directive => in_directive = true,
            Token::EndOfDirective => in_directive = false,
            Token::Name(found) if found == name => {
                let (before, after) = (&tokens[..at], &tokens[at + 1..]);
                if kind == Use::Updated && in_directive {
                    continue;
                }
                let is_value = is_value(before, after)
                    || kind == Use::Updated && is_memory_in_parentheses(before, after);
                if in_directive || !is_value {
                    return None;
                }
                if is_used(kind, name, before, after) {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// Whether a name between these tokens is a value that was declared earlier.
fn is_value(before: &[Token], after: &[Token]) -> bool {
    // A name of a namespace or a type.
    if matches!(before, [.., Token::Sign(':'), Token::Sign(':')]) {
        return false;
    }
    match after.first() {
        // A call; and a label, except after `case` and `?`.
        Some(Token::Open('(')) => return false,
        // No declarator continues like this.
        Some(Token::Sign(
            '.' | '+' | '-' | '*' | '/' | '%' | '<' | '>' | '?' | '|' | '^' | '&',
        )) => {
            return true;
        }
        _ => {}
    }
    // There are no arrays of references, so `&name[…]` is an address. (`&name [[…]]` has an attribute.)
    if is_indexed(after) && matches!(before, [.., Token::Sign('&')]) {
        return true;
    }
    let is_label = matches!(after.first(), Some(Token::Sign(':')));
    match before {
        []
        | [.., Token::Sign(';') | Token::Open('{') | Token::Close('{') | Token::EndOfDirective] => {
            !is_label
        }
        [.., Token::Name(word)] => BEFORE_VALUES.contains(&word.as_str()),
        // Not `auto [i, j]`, nor what a lambda captures.
        [.., Token::Name(word), Token::Sign('[')] => {
            word != "auto" && !BEFORE_VALUES.contains(&word.as_str())
        }
        [.., Token::Sign(sign)] => "+-/%=<!~|^?".contains(*sign),
        [before @ .., Token::Close('(')] => is_condition(before),
        _ => false,
    }
}

/// Whether this name is memory that an expression in parentheses reads or writes: `if (name[…] < 3)`, `f(x, name[…])`,
/// `(*name)++`. The body could also declare it like this, as `int (name[3]);`, but nobody writes that.
fn is_memory_in_parentheses(before: &[Token], after: &[Token]) -> bool {
    match before {
        [.., Token::Open('(')] => is_indexed(after),
        [before @ .., Token::Sign(',')] => is_indexed(after) && is_open(before),
        // A pointer to a function is called.
        [.., Token::Open('('), Token::Sign('*')] => {
            matches!(after, [Token::Close('('), next, ..] if *next != Token::Open('('))
        }
        _ => false,
    }
}

/// Whether a parenthesis of this statement is open after these tokens.
fn is_open(before: &[Token]) -> bool {
    let mut closed = 0_usize;
    for token in before.iter().rev() {
        match token {
            Token::Close('(') => closed += 1,
            Token::Open('(') if closed == 0 => return true,
            Token::Open('(') => closed -= 1,
            Token::Sign(';') | Token::Open('{') => return false,
            _ => {}
        }
    }
    false
}

/// Whether the value of this name, between these tokens, is used in this way.
fn is_used(kind: Use, name: &str, before: &[Token], after: &[Token]) -> bool {
    let member = match after {
        [Token::Sign('.'), Token::Member(member), ..] => Some(member.as_str()),
        _ => None,
    };
    let is_sign = |token: Option<&Token>, signs: &str| matches!(token, Some(Token::Sign(sign)) if signs.contains(*sign));
    match kind {
        Use::Ends => matches!(member, Some("i" | "j")),
        Use::Variable => true,
        Use::Result => {
            let is_assigned = is_sign(after.first(), "=") && !is_sign(after.get(1), "=");
            let is_added = is_sign(after.first(), "+-*/") && is_sign(after.get(1), "=");
            member.is_some() || is_assigned || is_added
        }
        Use::Indexed => is_indexed(after),
        Use::Updated => updates::shared(name, before, after).is_some(),
        Use::Number => {
            member.is_some() || is_sign(after.first(), "+-*/%") || is_sign(before.last(), "+-/%")
        }
    }
}

/// Whether an index follows.
fn is_indexed(after: &[Token]) -> bool {
    matches!(after, [Token::Sign('['), second, ..] if *second != Token::Sign('['))
}

fn is_name(token: Option<&Token>, names: &[&str]) -> bool {
    matches!(token, Some(Token::Name(found)) if names.contains(&found.as_str()))
}

//! Finds accidental double precision: a double constant beside a float, as in `0.5 * x`, and functions such as `rhypot`.
//!
//! This is a plain look at the words of each statement. It does not follow types: it skips a statement with a word that may be
//! a double or unknown, and a body that names `double`. So it misses some accidents, to avoid false warnings.

#[cfg(test)]
mod tests;
mod words;

use std::collections::BTreeSet;

use self::words::{Function, declared, function, has_unclear, is_double, is_neutral, type_of};
use super::tokens::Token;
use crate::standard;

/// What a name stands for. A double, or anything unknown, has no meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// A float, or several.
    Float,
    /// A vector of floats.
    Vector,
    /// A user's struct: only rustc knows its fields.
    Struct(String),
    /// An integer, or an output whose own operators take the value.
    Other,
}

/// An accidental double.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) line: usize,
    /// The source there.
    pub(crate) from: String,
    /// The form for floats.
    pub(crate) to: String,
    /// The fields, each after its struct's name, that must be floats for this to be a finding.
    pub(crate) fields: BTreeSet<(String, String)>,
}

/// The accidental doubles in a body, given the meanings of its parameters, and whether it returns a float.
pub(super) fn found(
    tokens: &[Token],
    lines: &[usize],
    returns_float: bool,
    parameter: &dyn Fn(&str) -> Option<Meaning>,
) -> Vec<Finding> {
    if has_unclear(tokens) {
        return Vec::new();
    }
    let locals = declared(tokens, parameter);
    let meaning = |name: &str| match locals.get(name) {
        Some(local) => local.clone(),
        None => parameter(name),
    };
    let (mut all, mut start) = (Vec::new(), 0);
    for at in 0..=tokens.len() {
        if at == tokens.len() || ends_statement(&tokens[start..], at - start) {
            let statement = Statement { tokens: &tokens[start..at], meaning: &meaning };
            if let Some(fields) = statement.fields(returns_float) {
                let found = statement.doubles().into_iter();
                all.extend(found.map(|(at, from, to)| Finding {
                    line: lines[start + at],
                    from,
                    to,
                    fields: fields.clone(),
                }));
            }
            start = at + 1;
        }
    }
    all
}

/// The accidental doubles in the functions of a prelude. A macro, for which `is_macro` holds, may mean anything.
pub(super) fn found_in_functions(
    tokens: &[Token],
    lines: &[usize],
    is_macro: &dyn Fn(&str) -> bool,
) -> Vec<Finding> {
    let (mut all, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Open(_) => depth += 1,
            Token::Close(_) => depth = depth.saturating_sub(1),
            _ => {}
        }
        let ends = matches!(token, Token::Sign(';') | Token::EndOfDirective | Token::Close('{'));
        if ends && depth == 0 {
            let own = &tokens[start..=at];
            let head = own.split(|token| *token == Token::Open('(')).next();
            let returns_float = matches!(head, Some([.., Token::Name(of), _]) if of == "float");
            if !own.iter().any(|token| matches!(token, Token::Name(name) if is_macro(name))) {
                all.extend(found(own, &lines[start..=at], returns_float, &|_| None));
            }
            start = at + 1;
        }
    }
    all
}

/// Whether the token at `at` ends the statement that begins these tokens. Braces of a list of values do not.
fn ends_statement(tokens: &[Token], at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| &tokens[before]);
    match tokens[at] {
        Token::Sign(';') | Token::EndOfDirective => true,
        Token::Open('{') => match before {
            Some(Token::Name(word)) => matches!(word.as_str(), "do" | "else"),
            Some(token) => *token == Token::Close('('),
            None => true,
        },
        Token::Close('{') => before.is_none(),
        _ => false,
    }
}

/// The tokens of a statement.
struct Statement<'a> {
    tokens: &'a [Token],
    meaning: &'a dyn Fn(&str) -> Option<Meaning>,
}

impl Statement<'_> {
    /// The fields in it; `None` if it has a word that may be a double or unknown.
    fn fields(&self, returns_float: bool) -> Option<BTreeSet<(String, String)>> {
        let mut fields = BTreeSet::new();
        for (at, token) in self.tokens.iter().enumerate() {
            let Token::Name(word) = token else { continue };
            let is_called = self.tokens.get(at + 1) == Some(&Token::Open('('));
            let is_known = match word.as_str() {
                "return" => returns_float || at + 1 == self.tokens.len(),
                "HUGE_VAL" => false,
                _ if is_neutral(word) || type_of(word).is_some() => true,
                _ if is_called => function(word).is_some(),
                _ if standard::is_constant(word) => true,
                _ => match ((self.meaning)(word), &self.members(at)[..]) {
                    (Some(Meaning::Float), []) | (Some(Meaning::Other), _) => true,
                    (Some(Meaning::Vector), ["x" | "y" | "z" | "w"]) => true,
                    (Some(Meaning::Struct(of)), [field]) => {
                        fields.insert((of, (*field).to_owned()));
                        true
                    }
                    _ => false,
                },
            };
            if !is_known {
                return None;
            }
        }
        Some(fields)
    }

    /// The members of the variable at `at`, without the end of a pair.
    fn members(&self, at: usize) -> Vec<&str> {
        let (mut members, mut depth) = (Vec::new(), 0_usize);
        for token in &self.tokens[at + 1..] {
            match token {
                Token::Sign('[') => depth += 1,
                Token::Sign(']') if depth > 0 => depth -= 1,
                Token::Member(member) if depth == 0 => members.push(member.as_str()),
                Token::Sign('.') => {}
                _ if depth == 0 => break,
                _ => {}
            }
        }
        let is_end = matches!(members.first(), Some(&("i" | "j")));
        members.split_off(usize::from(is_end))
    }

    /// The accidental doubles: the token, the source there, and the form for floats.
    fn doubles(&self) -> Vec<(usize, String, String)> {
        let double = |at: usize| match &self.tokens[at] {
            Token::Number(number) => {
                let is_after_point = at > 0 && self.tokens[at - 1] == Token::Sign('.');
                let (from, first) = match is_after_point {
                    true => (format!(".{number}"), at - 1),
                    false => (number.clone(), at),
                };
                let to = format!("{}f", from.trim_end_matches(['l', 'L']));
                (is_double(&from) && self.meets_float(first, at)).then_some((at, from, to))
            }
            Token::Name(name) => {
                let is_constant = name.starts_with("M_") && standard::is_constant(name);
                if is_constant && self.meets_float(at, at) {
                    return Some((at, name.clone(), format!("(float){name}")));
                }
                let is_call = self.is_function(at, Function::OfDoubles);
                (is_call && self.is_float(at)).then(|| (at, name.clone(), format!("{name}f")))
            }
            _ => None,
        };
        (0..self.tokens.len()).filter_map(double).collect()
    }

    fn sign(&self, at: Option<usize>) -> char {
        match at.and_then(|at| self.tokens.get(at)) {
            Some(Token::Sign(sign)) => *sign,
            _ => ' ',
        }
    }

    /// Whether a float beside the constant in these tokens is converted to its type.
    fn meets_float(&self, first: usize, last: usize) -> bool {
        // A cast.
        if first > 0 && self.tokens[first - 1] == Token::Close('(') {
            return false;
        }
        // On its right. `<=` and the like have one more sign.
        let (sign, equal) = (self.sign(Some(last + 1)), self.sign(Some(last + 2)) == '=');
        let is_operation = "+-*/<>".contains(sign) || (equal && "=!".contains(sign));
        if is_operation && self.is_float(last + 2 + usize::from(equal)) {
            return true;
        }
        let Some(at) = first.checked_sub(1) else { return false };
        if self.sign(Some(at)) == ',' {
            // `pow(x, 2.0)`
            let name = self.opened(last + 1).and_then(|open| open.checked_sub(1));
            return name.is_some_and(|name| {
                self.is_function(name, Function::Shared) && self.is_float(name)
            });
        }
        let equal = self.sign(Some(at)) == '=';
        let at = at.checked_sub(usize::from(equal));
        let sign = self.sign(at);
        let is_operation = "+-*/<>".contains(sign) || (equal && "=!".contains(sign));
        let is_update = equal && "+-*/".contains(sign);
        let operand = at.and_then(|at| at.checked_sub(1)).filter(|_| is_operation);
        operand.is_some_and(|operand| self.is_float_before(operand, is_update))
    }

    fn is_function(&self, at: usize, of: Function) -> bool {
        matches!(&self.tokens[at], Token::Name(name) if function(name) == Some(of))
    }

    /// The index of the bracket that the one at `at` closes.
    fn opened(&self, at: usize) -> Option<usize> {
        let mut depth = 0;
        (0..=at).rev().find(|at| {
            match self.tokens.get(*at) {
                Some(Token::Close(_) | Token::Sign(']')) => depth += 1,
                Some(Token::Open(_) | Token::Sign('[')) => depth -= 1,
                _ => {}
            }
            depth == 0
        })
    }

    /// Whether the operand that begins here is a float, by its first variable. A constant is converted by the compiler.
    fn is_float(&self, start: usize) -> bool {
        let mut is_converted = false;
        for token in self.tokens.iter().skip(start) {
            match token {
                Token::Open('(') | Token::Number(_) | Token::Sign('.' | '+' | '-' | '*' | '/') => {}
                Token::Close('(') if is_converted => {}
                Token::Name(name) if name == "float" => is_converted = true,
                Token::Name(name) => match function(name) {
                    Some(Function::OfFloats) => is_converted = true,
                    Some(_) => {}
                    None if standard::is_constant(name) => {}
                    None => {
                        return match (self.meaning)(name) {
                            Some(Meaning::Other) => is_converted,
                            of => of.is_some(),
                        };
                    }
                },
                _ => return false,
            }
        }
        false
    }

    /// Whether the operand that ends here is a float.
    fn is_float_before(&self, end: usize, is_updated: bool) -> bool {
        let mut at = end;
        let is_cast = |at: usize| at > 0 && self.tokens[at - 1] == Token::Close('(');
        loop {
            match &self.tokens[at] {
                Token::Member(_) if at > 1 => at -= 2,
                Token::Sign(']') => match self.opened(at) {
                    Some(open) if open > 0 => at = open - 1,
                    _ => return false,
                },
                // What is updated is no cast, but may follow a condition.
                Token::Name(_) => return self.is_float(at) && (is_updated || !is_cast(at)),
                Token::Close('(') => {
                    let Some(open) = self.opened(at) else { return false };
                    return match open.checked_sub(1).map(|before| &self.tokens[before]) {
                        Some(Token::Name(name)) if function(name).is_some() || name == "float" => {
                            self.is_float(open - 1)
                        }
                        Some(Token::Sign(sign)) => *sign != '>' && self.is_float(open),
                        Some(Token::Open('(')) | None => self.is_float(open),
                        _ => false,
                    };
                }
                _ => return false,
            }
        }
    }
}

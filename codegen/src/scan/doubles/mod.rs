//! Finds accidental double precision in a body: `0.5 * x` of a float `x`, or `pow(x, 2.0)`.
//!
//! The scan follows the C++ types of a body's expressions, from its parameters, locals and constants. A double is accidental if
//! only constants and functions made it one, and it is converted to a float or combined with one. It is intended if a double
//! parameter or variable, or a cast to double, takes part, or if it goes to a double. Anything unknown (other functions,
//! macros, templates) may have any type, and is not reported.

mod calls;
mod functions;
mod numbers;
mod operators;
mod prelude;
mod reader;
#[cfg(test)]
mod tests;
mod types;
mod value;

use std::collections::HashMap;
use std::ops::Range;

pub(super) use self::prelude::found_in_functions;
pub(crate) use self::reader::Finding;
use self::reader::{Read, Reader, Unclear};
use self::types::{Declared, declared};
pub(crate) use self::value::{Number, Type, Variable};
use super::tokens::Token;

/// The accidental doubles of a body, in order.
pub(super) fn found(
    text: &str,
    tokens: &[Token],
    places: &[(usize, Range<usize>)],
    variable: &dyn Fn(&str) -> Option<Variable>,
) -> Vec<Finding> {
    all(Reader::new(text, tokens, places, variable, locals(tokens, variable)))
}

/// Reads all tokens and returns the findings.
fn all(mut reader: Reader<'_>) -> Vec<Finding> {
    let tokens = reader.tokens;
    while reader.at < tokens.len() {
        if statement(&mut reader).is_err() {
            skip(&mut reader);
        }
    }
    let mut findings = reader.findings;
    findings.sort_by_key(|finding| finding.doubled.line);
    findings.dedup();
    findings
}

/// A name with several meanings.
fn mixed() -> Variable {
    Variable { is_indexed: true, ..Variable::of(Type::Unknown) }
}

/// Skips to the end of a statement.
fn skip(reader: &mut Reader<'_>) {
    while let Some(token) = reader.token(0) {
        if matches!(
            token,
            Token::Sign(';') | Token::Open('{') | Token::Close('{') | Token::Directive
        ) {
            break;
        }
        reader.at += 1;
    }
}

/// The local variables whose declarations have an explicit type. A name with several types, or of a macro, has an unknown type.
fn locals(
    tokens: &[Token],
    variable: &dyn Fn(&str) -> Option<Variable>,
) -> HashMap<String, Variable> {
    let mut found: HashMap<String, Variable> = HashMap::new();
    let add = |found: &mut HashMap<String, Variable>, name: &str, local: Variable| {
        let earlier = found.get(name).cloned().or_else(|| variable(name));
        let is_clear = earlier.is_none_or(|earlier| earlier == local);
        let local = if is_clear { local } else { mixed() };
        found.insert(name.to_owned(), local);
    };
    let mut at = 0;
    while at < tokens.len() {
        if let [Token::Directive, Token::Name(word), Token::Name(name), ..] = &tokens[at..]
            && word == "define"
        {
            add(&mut found, name, mixed());
        }
        let Some(Declared { of, tokens: count }) = declared(&tokens[at..]) else {
            at += 1;
            continue;
        };
        at += count;
        let is_mark = |token: &&Token| matches!(token, Token::Sign('*' | '&'));
        let marks = tokens[at..].iter().take_while(is_mark).count();
        let is_pointer = tokens[at..at + marks].contains(&Token::Sign('*'));
        if let Some(Token::Name(name)) = tokens.get(at + marks) {
            let is_array = tokens.get(at + marks + 1) == Some(&Token::Sign('['));
            // A function, or a variable with a value in parentheses.
            let is_indexed = is_pointer || is_array;
            let is_auto = of == Type::Unknown;
            let local = Variable { is_indexed, ..Variable::of(of) };
            // A second `auto` may be of another type.
            let is_second = is_auto && found.contains_key(name);
            add(&mut found, name, if is_second { mixed() } else { local });
        }
    }
    found
}

/// Reads a statement, or a part of one: the tokens before a brace, or in the parentheses of an `if`.
fn statement(reader: &mut Reader<'_>) -> Read<()> {
    let Some(token) = reader.token(0) else { return Ok(()) };
    match token {
        Token::Directive => {
            while reader.token(0).is_some_and(|token| *token != Token::EndOfDirective) {
                reader.at += 1;
            }
            reader.at += 1;
            Ok(())
        }
        Token::Sign(_) | Token::Open('{') | Token::Close(_) | Token::EndOfDirective
            if !matches!(token, Token::Sign('+' | '-' | '*' | '.' | '!' | '~' | '&')) =>
        {
            reader.at += 1;
            Ok(())
        }
        Token::Name(word) => match word.as_str() {
            "if" | "while" | "switch" => {
                reader.at += 1;
                // `if constexpr`
                if matches!(reader.token(0), Some(Token::Name(_))) {
                    reader.at += 1;
                }
                condition(reader)
            }
            "for" => {
                reader.at += 2;
                Ok(())
            }
            "else" | "do" | "break" | "continue" => {
                reader.at += 1;
                Ok(())
            }
            "return" if reader.returns.is_some() && !reader.is_sign(1, ';') => {
                reader.at += 1;
                let value = reader.expression()?;
                let to = reader.returns.clone();
                reader.settle(value, to.as_ref());
                Ok(())
            }
            // The result of a lambda may become a double.
            "return" | "case" | "goto" | "struct" | "template" | "typedef" | "using" | "class"
            | "union" | "enum" | "namespace" | "asm" => {
                reader.at += 1;
                Err(Unclear)
            }
            _ => match declared(&reader.tokens[reader.at..]) {
                Some(declared) if !is_cast(reader, &declared) => declaration(reader, declared),
                _ => expression(reader),
            },
        },
        _ => expression(reader),
    }
}

fn is_cast(reader: &Reader<'_>, Declared { tokens, .. }: &Declared) -> bool {
    reader.token(*tokens) == Some(&Token::Open('('))
}

fn condition(reader: &mut Reader<'_>) -> Read<()> {
    if reader.token(0) != Some(&Token::Open('(')) {
        return Err(Unclear);
    }
    reader.at += 1;
    match declared(&reader.tokens[reader.at..]) {
        Some(declared) if !is_cast(reader, &declared) => declaration(reader, declared)?,
        _ => expression(reader)?,
    }
    if reader.token(0) != Some(&Token::Close('(')) {
        return Err(Unclear);
    }
    reader.at += 1;
    Ok(())
}

fn expression(reader: &mut Reader<'_>) -> Read<()> {
    let start = reader.at;
    let value = reader.expression();
    if reader.at == start {
        reader.at += 1;
    }
    reader.settle(value?, None);
    Ok(())
}

/// `float a = …, b[2] = { … }`
fn declaration(reader: &mut Reader<'_>, Declared { of, tokens }: Declared) -> Read<()> {
    let is_auto =
        reader.tokens[reader.at..reader.at + tokens].contains(&Token::Name("auto".into()));
    reader.at += tokens;
    let mut is_first = true;
    loop {
        let mut is_indexed = false;
        while let Some(Token::Sign(sign @ ('*' | '&'))) = reader.token(0) {
            is_indexed |= *sign == '*';
            reader.at += 1;
        }
        let Some(Token::Name(name)) = reader.token(0) else { return Err(Unclear) };
        reader.at += 1;
        while reader.is_sign(0, '[') {
            is_indexed = true;
            reader.at += 1;
            let index = reader.expression()?;
            reader.settle(index, None);
            if !reader.takes(']') {
                return Err(Unclear);
            }
        }
        if !is_first {
            let earlier = reader.locals.get(name).cloned().or_else(|| (reader.variable)(name));
            let local = Variable { is_indexed, ..Variable::of(of.clone()) };
            let local = match earlier {
                Some(earlier) if earlier != local => mixed(),
                _ => local,
            };
            reader.locals.insert(name.clone(), local);
        }
        initial(reader, name, &of, is_auto)?;
        is_first = false;
        if !reader.takes(',') {
            return Ok(());
        }
    }
}

/// Reads a variable's initial value.
fn initial(reader: &mut Reader<'_>, name: &str, of: &Type, is_auto: bool) -> Read<()> {
    let to = if is_auto { None } else { Some(of) };
    match reader.token(0) {
        Some(Token::Sign('=')) if reader.token(1) == Some(&Token::Open('{')) => {
            reader.at += 1;
            braces(reader, to)
        }
        Some(Token::Sign('=')) => {
            reader.at += 1;
            let value = reader.assignment()?;
            // With `auto` the variable has its value's type, as far as it is known.
            let is_new = reader.locals.get(name) == Some(&Variable::of(Type::Unknown));
            if is_auto && is_new && value.doubled.is_empty() && value.fields.is_empty() {
                reader.locals.insert(name.to_owned(), value.variable.clone());
            }
            reader.settle(value, to);
            Ok(())
        }
        Some(Token::Open('(')) => {
            reader.at += 1;
            reader.arguments(to)
        }
        Some(Token::Open('{')) => braces(reader, to),
        _ => Ok(()),
    }
}

/// `{ a, b, { c } }`
fn braces(reader: &mut Reader<'_>, to: Option<&Type>) -> Read<()> {
    let mut depth = 0;
    loop {
        match reader.token(0) {
            Some(Token::Open('{')) => {
                depth += 1;
                reader.at += 1;
            }
            Some(Token::Close('{')) => {
                depth -= 1;
                reader.at += 1;
                if depth == 0 {
                    return Ok(());
                }
            }
            Some(Token::Sign(',')) => reader.at += 1,
            _ => {
                let value = reader.assignment()?;
                reader.settle(value, to);
            }
        }
    }
}

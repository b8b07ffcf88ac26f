//! Reads expressions to find their types. It skips what it cannot read, and reports nothing there.

use std::collections::HashMap;
use std::ops::Range;

use super::numbers::{float_form, is_float};
use super::operators::Operator;
use super::types::{Declared, declared};
use super::value::{Doubled, FieldName, Number, Type, Value, Variable};
use crate::scan::tokens::Token;
use crate::standard;

/// The maximum nesting of brackets and signs.
const DEPTH: usize = 60;

/// Tokens that cannot be read: the rest of the statement is skipped.
#[derive(Debug)]
pub(super) struct Unclear;

pub(super) type Read<T = Value> = Result<T, Unclear>;

/// An accidental double in a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) doubled: Doubled,
    /// The fields that must be floats for this to be a finding.
    pub(crate) fields: Vec<FieldName>,
}

/// The position in a body, and the facts so far.
pub(super) struct Reader<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: &'a [Token],
    pub(super) places: &'a [(usize, Range<usize>)],
    pub(super) at: usize,
    pub(super) variable: &'a dyn Fn(&str) -> Option<Variable>,
    pub(super) locals: HashMap<String, Variable>,
    /// The type of a `return` value, if known.
    pub(super) returns: Option<Type>,
    pub(super) findings: Vec<Finding>,
    depth: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(
        text: &'a str,
        tokens: &'a [Token],
        places: &'a [(usize, Range<usize>)],
        variable: &'a dyn Fn(&str) -> Option<Variable>,
        locals: HashMap<String, Variable>,
    ) -> Reader<'a> {
        let (returns, findings) = (None, Vec::new());
        Reader { text, tokens, places, at: 0, variable, locals, returns, findings, depth: 0 }
    }

    pub(super) fn token(&self, ahead: usize) -> Option<&'a Token> {
        self.tokens.get(self.at + ahead)
    }

    pub(super) fn is_sign(&self, ahead: usize, sign: char) -> bool {
        self.token(ahead) == Some(&Token::Sign(sign))
    }

    /// Skips a sign, if it is next.
    pub(super) fn takes(&mut self, sign: char) -> bool {
        let is_there = self.is_sign(0, sign);
        self.at += usize::from(is_there);
        is_there
    }

    pub(super) fn expect(&mut self, token: &Token) -> Read<()> {
        if self.token(0) != Some(token) {
            return Err(Unclear);
        }
        self.at += 1;
        Ok(())
    }

    /// Records that a value is converted to this type; `None` if only its value counts, as in a condition.
    pub(super) fn settle(&mut self, value: Value, to: Option<&Type>) {
        let is_reported = match to {
            // A constant is converted at compile time.
            Some(Type::Number(Number::Float | Number::Half) | Type::Field) => !value.is_constant,
            Some(Type::Number(Number::Integer)) | None => value.has_floats,
            _ => false,
        };
        if is_reported {
            let of = |doubled| Finding { doubled, fields: value.fields.clone() };
            self.findings.extend(value.doubled.into_iter().map(of));
        }
    }

    /// Reads an expression with commas outside of brackets, or an assignment.
    pub(super) fn expression(&mut self) -> Read {
        let mut value = self.assignment()?;
        while self.takes(',') {
            self.settle(value, None);
            value = self.assignment()?;
        }
        Ok(value)
    }

    /// Reads an expression without commas outside of brackets.
    pub(super) fn assignment(&mut self) -> Read {
        self.deeper(|reader| {
            let target = reader.choice()?;
            let signs = match (reader.token(0), reader.token(1), reader.token(2)) {
                (Some(Token::Sign('=')), second, _) if second != Some(&Token::Sign('=')) => 0,
                (Some(Token::Sign('+' | '-' | '*' | '/')), Some(Token::Sign('=')), _) => 1,
                (Some(Token::Sign('%' | '&' | '|' | '^')), Some(Token::Sign('=')), _) => 1,
                (
                    Some(Token::Sign('<' | '>')),
                    Some(Token::Sign('<' | '>')),
                    Some(Token::Sign('=')),
                ) => 2,
                _ => return Ok(target),
            };
            reader.at += signs + 1;
            let value = reader.assignment()?;
            // A sum's operator takes the value; for a number, both operands are combined.
            let value = match signs {
                1 if !target.variable.is_sum && !is_half(&target) => {
                    Value { is_constant: false, ..target.clone().meet(value) }
                }
                _ => value,
            };
            let value = Value { fields: [value.fields, target.fields.clone()].concat(), ..value };
            reader.settle(value, Some(target.ty()));
            Ok(target)
        })
    }

    /// Reads `a ? b : c`, or an expression without a question mark.
    fn choice(&mut self) -> Read {
        let condition = self.binary(0)?;
        if !self.takes('?') {
            return Ok(condition);
        }
        self.settle(condition, None);
        let first = self.expression()?;
        self.expect(&Token::Sign(':'))?;
        Ok(first.meet(self.assignment()?))
    }

    /// Reads operators whose precedence is at least `least`.
    fn binary(&mut self, least: u8) -> Read {
        let mut left = self.unary()?;
        while let Some((operator, signs)) =
            Operator::of(&self.tokens[self.at..]).filter(|(each, _)| each.binds() >= least)
        {
            self.at += signs;
            let right = self.deeper(|reader| reader.binary(operator.binds() + 1))?;
            left = match operator {
                Operator::Product | Operator::Sum => left.meet(right),
                Operator::Comparison => {
                    let both = left.meet(right);
                    self.settle(both, None);
                    Value::number(Number::Integer)
                }
                Operator::Logical | Operator::Bits | Operator::Shift | Operator::Remainder => {
                    self.settle(left, None);
                    self.settle(right, None);
                    Value::number(Number::Integer)
                }
            };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Read {
        self.deeper(|reader| match reader.token(0) {
            Some(Token::Sign(sign @ ('+' | '-'))) => {
                reader.at += 1;
                // `++x`
                reader.takes(*sign);
                reader.unary()
            }
            Some(Token::Sign('!' | '~')) => {
                reader.at += 1;
                let value = reader.unary()?;
                reader.settle(value, None);
                Ok(Value::number(Number::Integer))
            }
            Some(Token::Sign('*')) => {
                reader.at += 1;
                Ok(reader.unary()?.element())
            }
            Some(Token::Sign('&')) => {
                reader.at += 1;
                reader.unary()?;
                Ok(Value::unknown())
            }
            _ => {
                let value = reader.primary()?;
                reader.postfix(value)
            }
        })
    }

    /// Reads the suffixes of a value: members, indices, `++`.
    fn postfix(&mut self, mut value: Value) -> Read {
        loop {
            match (self.token(0), self.token(1)) {
                (Some(Token::Sign('.')), Some(Token::Member(name))) => {
                    self.at += 2;
                    value = if self.token(0) == Some(&Token::Open('(')) {
                        self.at += 1;
                        let to = value.variable.of.clone();
                        self.arguments(Some(&to))?;
                        Value::unknown()
                    } else {
                        value.member(name)
                    };
                }
                (Some(Token::Sign('[')), _) => {
                    self.at += 1;
                    let index = self.expression()?;
                    self.settle(index, None);
                    self.expect(&Token::Sign(']'))?;
                    value = value.element();
                }
                (Some(Token::Sign(sign @ ('+' | '-'))), second)
                    if second == Some(&Token::Sign(*sign)) && !self.begins_value(2) =>
                {
                    self.at += 2;
                }
                _ => return Ok(value),
            }
        }
    }

    fn begins_value(&self, ahead: usize) -> bool {
        matches!(self.token(ahead), Some(Token::Name(_) | Token::Number(_) | Token::Open('(')))
    }

    fn primary(&mut self) -> Read {
        let start = self.at;
        match self.token(0) {
            Some(Token::Number(_)) => {
                self.at += 1;
                Ok(self.number(start))
            }
            // `.5`
            Some(Token::Sign('.')) if matches!(self.token(1), Some(Token::Number(_))) => {
                self.at += 2;
                Ok(self.number(start))
            }
            Some(Token::Literal(text)) if text.starts_with('\'') => {
                self.at += 1;
                Ok(Value::constant(Number::Integer))
            }
            Some(Token::Literal(_)) => {
                self.at += 1;
                Ok(Value::unknown())
            }
            Some(Token::Open('(')) => self.brackets(),
            Some(Token::Name(name)) => self.name(name),
            _ => Err(Unclear),
        }
    }

    /// `(a)` or `(float)a`.
    fn brackets(&mut self) -> Read {
        self.at += 1;
        if let Some(Declared { of, tokens }) = declared(&self.tokens[self.at..]) {
            let is_pointer = matches!(self.token(tokens), Some(Token::Sign('*' | '&')));
            self.at += tokens;
            while self.takes('*') || self.takes('&') {}
            self.expect(&Token::Close('('))?;
            let value = self.unary()?;
            return Ok(self.cast(value, if is_pointer { Type::Unknown } else { of }));
        }
        let value = self.expression()?;
        self.expect(&Token::Close('('))?;
        Ok(value)
    }

    /// Converts a value to an explicit type.
    fn cast(&mut self, value: Value, of: Type) -> Value {
        let is_constant = value.is_constant;
        self.settle(value, Some(&of));
        Value { is_constant, ..Value::of(of) }
    }

    fn name(&mut self, name: &'a str) -> Read {
        let start = self.at;
        if let Some(Declared { of, tokens }) = declared(&self.tokens[self.at..]) {
            // `float(a)`
            self.at += tokens;
            self.expect(&Token::Open('('))?;
            let value = self.expression()?;
            self.expect(&Token::Close('('))?;
            return Ok(self.cast(value, of));
        }
        self.at += 1;
        if matches!(name, "static_cast" | "reinterpret_cast" | "const_cast") {
            self.expect(&Token::Sign('<'))?;
            let Declared { of, tokens } = declared(&self.tokens[self.at..]).ok_or(Unclear)?;
            self.at += tokens;
            self.expect(&Token::Sign('>'))?;
            self.expect(&Token::Open('('))?;
            let value = self.expression()?;
            self.expect(&Token::Close('('))?;
            return Ok(self.cast(value, of));
        }
        if self.token(0) == Some(&Token::Open('(')) {
            self.at += 1;
            return self.call(name, start);
        }
        let variable = self.locals.get(name).cloned().or_else(|| (self.variable)(name));
        Ok(match variable {
            Some(variable) => Value::named(variable),
            None => self.constant(name, start),
        })
    }

    /// A constant of C.
    fn constant(&self, name: &str, at: usize) -> Value {
        match name {
            "HUGE_VALF" | "INFINITY" | "NAN" => Value::constant(Number::Float),
            _ if name.starts_with("FLT_") => Value::constant(Number::Float),
            _ if name.starts_with("M_") && standard::is_constant(name) => {
                self.doubled(at, format!("(float){name}"))
            }
            "HUGE_VAL" => self.doubled(at, "HUGE_VALF".into()),
            // Nobody writes `DBL_MAX` by accident.
            _ if name.starts_with("DBL_") => Value::number(Number::Double),
            _ if standard::is_constant(name) || matches!(name, "true" | "false") => {
                Value::constant(Number::Integer)
            }
            _ => Value::unknown(),
        }
    }

    /// The number that ends before the current token.
    fn number(&self, start: usize) -> Value {
        let text = self.written(start..self.at);
        match float_form(text) {
            Some(to) => self.doubled(start, to),
            None if is_float(text) => Value::constant(Number::Float),
            None => Value::constant(Number::Integer),
        }
    }

    pub(super) fn doubled(&self, start: usize, to: String) -> Value {
        let from = self.written(start..self.at).to_owned();
        Value::doubled(Doubled { line: self.places[start].0, from, to })
    }

    /// The source of these tokens.
    pub(super) fn written(&self, tokens: Range<usize>) -> &'a str {
        let (Some(first), Some(last)) = (
            self.places.get(tokens.start),
            tokens.end.checked_sub(1).and_then(|at| self.places.get(at)),
        ) else {
            return "";
        };
        &self.text[first.1.start..last.1.end]
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth == DEPTH {
            return Err(Unclear);
        }
        self.depth += 1;
        let found = read(self);
        self.depth -= 1;
        found
    }
}

fn is_half(value: &Value) -> bool {
    *value.ty() == Type::Number(Number::Half)
}

//! Calls of functions.

use super::functions::{self, Function};
use super::numbers::float_form;
use super::reader::{Read, Reader};
use super::value::{Doubled, Number, Type, Value, Variable};
use crate::scan::tokens::Token;

/// The maximum length of a call in a message, in characters.
const SHOWN: usize = 60;

impl Reader<'_> {
    /// Reads the rest of a call of this function, after its opening parenthesis.
    pub(super) fn call(&mut self, name: &str, start: usize) -> Read {
        let to = match functions::function(name) {
            Some(Function::Floats | Function::FloatVector) => Some(Type::Number(Number::Float)),
            Some(Function::ToInteger | Function::IntegerVector) => None,
            Some(function @ (Function::Overloaded | Function::OfDoubles | Function::OfAll)) => {
                return self.overloaded(function, name, start);
            }
            // An unknown function may return doubles.
            Some(Function::Doubles | Function::DoubleVector) | None => Some(Type::Unknown),
        };
        self.arguments(to.as_ref())?;
        Ok(match functions::function(name) {
            Some(Function::Floats) => Value::number(Number::Float),
            Some(Function::Doubles) => Value::number(Number::Double),
            Some(Function::ToInteger) => Value::number(Number::Integer),
            Some(Function::FloatVector) => Value::of(Type::Vector(Number::Float)),
            Some(Function::DoubleVector) => Value::of(Type::Vector(Number::Double)),
            Some(Function::IntegerVector) => Value::of(Type::Vector(Number::Integer)),
            _ => Value::unknown(),
        })
    }

    /// Reads a call of a function that exists for floats and for doubles.
    fn overloaded(&mut self, function: Function, name: &str, start: usize) -> Read {
        let arguments = self.list()?;
        let (count, is_own) = (arguments.len(), arguments.iter().any(|each| each.has_floats));
        let Some(value) = arguments.into_iter().reduce(Value::meet) else {
            return Ok(Value::unknown());
        };
        let is_integer = *value.ty() == Type::Number(Number::Integer);
        let is_double = match function {
            Function::OfDoubles => !value.is_meant() && *value.ty() != Type::Unknown,
            Function::Overloaded => is_integer || !value.doubled.is_empty(),
            _ => return Ok(value),
        };
        if !is_double {
            return Ok(value);
        }
        // A replacement in the only argument is enough.
        if count == 1 && is_own && function == Function::Overloaded {
            return Ok(value);
        }
        let (from, to) = self.forms(name, start);
        let has_floats = value.has_floats || value.is_float();
        let doubled = vec![Doubled { line: self.places[start].0, from, to }];
        let variable = Variable::of(Type::Number(Number::Double));
        Ok(Value { variable, doubled, has_floats, ..value })
    }

    /// The call that ends before the current token, and its form for floats.
    fn forms(&self, name: &str, start: usize) -> (String, String) {
        let of_floats = functions::of_floats(name);
        let mut to = of_floats.clone();
        let mut last = self.places[start].1.end;
        let mut at = start + 1;
        while at < self.at {
            let first = at;
            // `.5` has two tokens.
            if self.tokens[at] == Token::Sign('.') {
                at += usize::from(matches!(self.tokens.get(at + 1), Some(Token::Number(_))));
            }
            let bytes = self.places[first].1.start..self.places[at].1.end;
            to.push_str(&self.text[last..bytes.start]);
            let number = matches!(self.tokens[at], Token::Number(_));
            let form = number.then(|| float_form(&self.text[bytes.clone()])).flatten();
            to.push_str(form.as_deref().unwrap_or(&self.text[bytes.clone()]));
            last = bytes.end;
            at += 1;
        }
        let from = self.written(start..self.at);
        let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let (from, to) = (plain(from), plain(&to));
        match from.chars().count() <= SHOWN {
            true => (from, to),
            false => (format!("{name}(…)"), format!("{of_floats}(…)")),
        }
    }

    /// Reads the arguments of a call, which are converted to parameters of this type.
    pub(super) fn arguments(&mut self, to: Option<&Type>) -> Read<()> {
        for value in self.list()? {
            self.settle(value, to);
        }
        Ok(())
    }

    /// Reads the rest of a list after its opening parenthesis.
    fn list(&mut self) -> Read<Vec<Value>> {
        let mut values = Vec::new();
        if self.token(0) != Some(&Token::Close('(')) {
            values.push(self.assignment()?);
            while self.takes(',') {
                values.push(self.assignment()?);
            }
        }
        self.expect(&Token::Close('('))?;
        Ok(values)
    }
}

//! The type of a value in a body, and the accidental doubles in it.

/// The type of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    /// `float`.
    Float,
    /// A 16-bit float, which becomes a `float` in any operation.
    Half,
    /// `double`.
    Double,
    /// An integer or a boolean.
    Integer,
}

/// The type of a value, as far as it matters here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    /// A number.
    Number(Number),
    /// A vector with the members `x`, `y`, `z` and `w`.
    Vector(Number),
    /// A user's struct, by its name: only rustc knows its fields.
    Struct(String),
    /// A field of a struct, or a value computed from fields.
    Field,
    /// Anything else.
    Unknown,
}

/// The meaning of a name in a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Variable {
    /// Its type; for an array or a pointer, the type of one element.
    pub(crate) of: Type,
    /// Whether it has `.i` and `.j`.
    pub(crate) has_ends: bool,
    /// Whether it has elements.
    pub(crate) is_indexed: bool,
    /// Whether it is a sum, whose type defines `+=`.
    pub(crate) is_sum: bool,
}

impl Variable {
    /// A variable that is a single value.
    pub(crate) fn of(of: Type) -> Variable {
        Variable { of, has_ends: false, is_indexed: false, is_sum: false }
    }
}

/// A double, or a call that returns one, and its float form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Doubled {
    /// Its line.
    pub(crate) line: usize,
    /// The source there.
    pub(crate) from: String,
    /// The form for floats.
    pub(crate) to: String,
}

/// A field of a struct: the struct's name and the field's.
pub(crate) type FieldName = (String, String);

/// A value of an expression.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) variable: Variable,
    /// Whether it is known when the kernel is compiled.
    pub(super) is_constant: bool,
    /// For an accidental double: what made it one. Empty for an intended double.
    pub(super) doubled: Vec<Doubled>,
    /// Whether a float became a double in it.
    pub(super) has_floats: bool,
    /// The fields that went into it: they decide whether it contains floats.
    pub(super) fields: Vec<FieldName>,
}

impl Value {
    pub(super) fn of(of: Type) -> Value {
        Value::named(Variable::of(of))
    }

    pub(super) fn named(variable: Variable) -> Value {
        let (doubled, fields) = (Vec::new(), Vec::new());
        Value { variable, is_constant: false, doubled, has_floats: false, fields }
    }

    pub(super) fn number(number: Number) -> Value {
        Value::of(Type::Number(number))
    }

    pub(super) fn unknown() -> Value {
        Value::of(Type::Unknown)
    }

    pub(super) fn constant(number: Number) -> Value {
        Value { is_constant: true, ..Value::number(number) }
    }

    /// A double constant, possibly accidental.
    pub(super) fn doubled(doubled: Doubled) -> Value {
        Value { doubled: vec![doubled], ..Value::constant(Number::Double) }
    }

    /// Its type; unknown for a whole array, or both ends.
    pub(super) fn ty(&self) -> &Type {
        let Variable { of, has_ends, is_indexed, .. } = &self.variable;
        if *has_ends || *is_indexed { &Type::Unknown } else { of }
    }

    pub(super) fn is_double(&self) -> bool {
        *self.ty() == Type::Number(Number::Double)
    }

    /// Whether it is a double on purpose.
    pub(super) fn is_meant(&self) -> bool {
        self.is_double() && self.doubled.is_empty()
    }

    /// Whether it is a float, if its fields are.
    pub(super) fn is_float(&self) -> bool {
        matches!(self.ty(), Type::Number(Number::Float | Number::Half) | Type::Field)
    }

    /// The result of a sum, a product or the like of both in C++.
    pub(super) fn meet(mut self, other: Value) -> Value {
        let is_number = |value: &Value| matches!(value.ty(), Type::Number(_) | Type::Field);
        if !is_number(&self) || !is_number(&other) {
            return Value::unknown();
        }
        if self.is_meant() || other.is_meant() {
            return Value::number(Number::Double);
        }
        let is_double = self.is_double() || other.is_double();
        let is_float = self.is_float() || other.is_float();
        let has_field = *self.ty() == Type::Field || *other.ty() == Type::Field;
        let of = match () {
            () if is_double => Type::Number(Number::Double),
            () if has_field => Type::Field,
            () if is_float => Type::Number(Number::Float),
            () => Type::Number(Number::Integer),
        };
        self.has_floats |= other.has_floats || (is_double && is_float);
        self.is_constant &= other.is_constant;
        self.doubled.extend(other.doubled);
        self.fields.extend(other.fields);
        self.variable = Variable::of(of);
        self
    }

    /// Its member of this name.
    pub(super) fn member(self, name: &str) -> Value {
        let variable = &self.variable;
        if variable.has_ends {
            let is_end = matches!(name, "i" | "j");
            let inner = Variable { has_ends: false, ..variable.clone() };
            return if is_end { Value::named(inner) } else { Value::unknown() };
        }
        match self.ty() {
            Type::Vector(number) if matches!(name, "x" | "y" | "z" | "w") => Value::number(*number),
            Type::Struct(of) => {
                let fields = vec![(of.clone(), name.to_owned())];
                Value { fields, ..Value::of(Type::Field) }
            }
            _ => Value::unknown(),
        }
    }

    /// One of its elements.
    pub(super) fn element(self) -> Value {
        match self.variable {
            variable if variable.is_indexed && !variable.has_ends => {
                Value::named(Variable { is_indexed: false, ..variable })
            }
            // An array in a struct.
            Variable { of: Type::Field, .. } => self,
            _ => Value::unknown(),
        }
    }
}

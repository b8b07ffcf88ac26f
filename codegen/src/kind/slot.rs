//! `x: &mut Packed<T>`, `Square<T>` and `Matrix<T>`: a slot for each pair, in packed rows, in both halves of an n x n matrix, or by the
//! rows of a rectangle.

use minijinja::Value;
use proc_macro2::TokenStream;
use quote::quote;
use td_kernel_geometry::Sweep;

use crate::cuda_type;
use crate::model::{About, Argument, Kind, Parameter, Role, SourceInput};

/// `x: &mut Packed<T>`.
pub(super) const PACKED: &dyn Kind = &Slot {
    about: About::output("packed", "&mut Packed<T>", Role::Packed, "Packed"),
    memory: "packed",
};

/// `x: &mut Square<T>`. Without pairs (i, i), the value of its diagonal is passed.
pub(super) const SQUARE: &dyn Kind = &Slot {
    about: About {
        is_passed: true,
        ..About::output("squares", "&mut Square<T>", Role::Square, "Square")
    },
    memory: "square",
};

/// `x: &mut Matrix<T>`.
pub(super) const MATRIX: &dyn Kind = &Slot {
    about: About::output("matrices", "&mut Matrix<T>", Role::Matrix, "Matrix"),
    memory: "matrix",
};

struct Slot {
    about: About,
    /// What follows the parameter's name in that of its memory.
    memory: &'static str,
}

impl Slot {
    fn is_square(&self) -> bool {
        self.about.role == Role::Square
    }
}

impl Kind for Slot {
    fn about(&self) -> About {
        self.about
    }

    fn parameters(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        let (name, cuda) = (parameter.plain_name(), &parameter.cuda.name);
        let slots = format!("{cuda} *const __restrict__ {name}_{}", self.memory);
        // With pairs (i, i), their values fill the diagonal.
        let has_diagonal = self.is_square() && !input.kernel.options.diagonal;
        let diagonal = has_diagonal.then(|| format!("const {cuda} {name}_diagonal"));
        [slots].into_iter().chain(diagonal).collect()
    }

    fn pair_parameters(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        vec![format!("{} &{}", parameter.cuda.name, parameter.plain_name())]
    }

    fn pair_arguments(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<Argument> {
        vec![Argument::Value(value(parameter))]
    }

    /// Its memory, and the vector type with which a thread stores neighbouring values from registers. Values that do not form a vector
    /// go through a segment of shared memory.
    fn facts(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<(&'static str, Value)> {
        let memory = format!("{}_{}", parameter.plain_name(), self.memory);
        let vector = vector(input, parameter);
        // The offset of a thread's values from the first value of its row of threads. Values that go through shared memory are
        // stored for the whole row at once.
        let own_offset = if vector.is_some() { " + VECTOR * threadIdx.x" } else { "" };
        let mut facts = vec![
            ("memory", Value::from(memory)),
            ("vector", Value::from(vector)),
            ("own_offset", Value::from(own_offset)),
            ("value", Value::from(value(parameter))),
        ];
        if self.is_square() {
            facts.push(("has_known_size", Value::from(parameter.size().is_some())));
        }
        facts
    }

    fn kept(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<TokenStream> {
        let sweep = input.variant.tiling.sweep;
        let rust = &parameter.rust;
        let of = |kept: TokenStream| quote!(#kept { size: ::core::mem::size_of::<#rust>() });
        // Beside a square, packed slots go through their mirrored tile alone.
        let is_in_tile = sweep == Sweep::Mirror && !self.is_square();
        let has_segment = sweep.stores_vectors() && vector(input, parameter).is_none();
        let segment = (has_segment && !is_in_tile).then(|| of(quote!(Segment)));
        let mirror = (sweep == Sweep::Mirror).then(|| of(quote!(Mirror)));
        segment.into_iter().chain(mirror).collect()
    }
}

/// The variable for a pair's value. A parameter that is itself called `value` keeps that name.
fn value(parameter: &Parameter) -> String {
    match parameter.plain_name().as_str() {
        "value" => "value".to_owned(),
        name => format!("{name}_value"),
    }
}

/// The C++ vector type with which a thread stores neighbouring values.
fn vector(input: &SourceInput<'_>, parameter: &Parameter) -> Option<&'static str> {
    let neighbours = input.variant.tiling.neighbours;
    parameter.size().and_then(|bytes| cuda_type::stored_at_once(bytes * neighbours))
}

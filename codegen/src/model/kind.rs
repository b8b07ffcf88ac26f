//! The trait of a kind of parameter.

use std::fmt;

use minijinja::Value;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::{PathSegment, TypePath};

use super::{Kernel, Parameter, SourceInput, Taken};
use crate::element::{Element, argument};
use crate::errors::Errors;

/// The facts about a kind of parameter that do not depend on a kernel.
#[derive(Clone, Copy)]
pub(crate) struct About {
    /// Its name: the list of its parameters in the templates.
    pub(crate) name: &'static str,
    /// Its spelling in a signature: `&mut Sum<T>`.
    pub(crate) spelling: &'static str,
    /// How the sweeps treat it.
    pub(crate) role: Role,
    /// For an output: the runtime's type in its spelling.
    pub(crate) output: Option<&'static str>,
    /// For an output: what a body writes after its name.
    pub(crate) written: &'static str,
    /// What follows a parameter's name in the variable that a call of the pair function gets for it, if that is the same in every
    /// sweep.
    pub(crate) passed_as: &'static str,
    /// Whether messages list it. False if another kind's spelling includes it.
    pub(crate) is_listed: bool,
    /// For a result of each element: whether it has the index of the other element.
    pub(crate) has_partner: bool,
    /// Whether its elements are those of many sets.
    pub(crate) has_sets: bool,
    /// Whether it is a result of each of many sets.
    pub(crate) is_of_set: bool,
    /// Whether it has the index of a pair's set.
    pub(crate) names_set: bool,
    /// Whether it has sums of arrays of more than four numbers.
    pub(crate) is_wide: bool,
    /// Whether these are arrays whose width a launch gives.
    pub(crate) is_of_given_arrays: bool,
    /// Whether it has states, which a function `join` of the prelude joins.
    pub(crate) has_states: bool,
    /// Whether pairs are appended to it.
    pub(crate) lists_pairs: bool,
    /// Whether it keeps the pair of its value.
    pub(crate) names_pair: bool,
    /// Whether a block has counters for it.
    pub(crate) has_counters: bool,
    /// Whether a pair's code for it is long, so that fewer pairs are unrolled.
    pub(crate) is_long: bool,
    /// Whether a pair that is evaluated for each of its elements can leave it out once.
    pub(crate) can_drop: bool,
    /// The most words among the kernel's parameters for it: addresses, lengths and the like.
    pub(crate) words: usize,
    /// Whether a value of its type is passed to the kernel, and not only addresses.
    pub(crate) is_passed: bool,
}

impl About {
    /// What most inputs have in common.
    pub(crate) const fn input(name: &'static str, spelling: &'static str, role: Role) -> About {
        About {
            name,
            spelling,
            role,
            output: None,
            written: " = …",
            passed_as: "_arg",
            is_listed: true,
            has_partner: false,
            has_sets: false,
            is_of_set: false,
            names_set: false,
            is_wide: false,
            is_of_given_arrays: false,
            has_states: false,
            lists_pairs: false,
            names_pair: false,
            has_counters: false,
            is_long: false,
            can_drop: false,
            // An address and a length, or a list's address, count and capacity.
            words: 3,
            is_passed: false,
        }
    }

    /// Whether it is one state of all pairs.
    pub(crate) fn is_state_of_all(&self) -> bool {
        self.has_states && self.role == Role::Gathered
    }

    /// What most outputs have in common.
    pub(crate) const fn output(
        name: &'static str,
        spelling: &'static str,
        role: Role,
        output: &'static str,
    ) -> About {
        About { output: Some(output), ..About::input(name, spelling, role) }
    }
}

/// A kind of parameter.
pub(crate) trait Kind: Sync {
    /// The facts about it.
    fn about(&self) -> About;

    /// Its name: the list of its parameters in the templates.
    fn name(&self) -> &'static str {
        self.about().name
    }

    /// How the sweeps treat it.
    fn role(&self) -> Role {
        self.about().role
    }

    /// For an output: the runtime's type in its spelling.
    fn output(&self) -> Option<&'static str> {
        self.about().output
    }

    /// For a result of each element: whether it has the index of the other element.
    fn has_partner(&self) -> bool {
        self.about().has_partner
    }

    /// Whether its elements are those of many sets.
    fn has_sets(&self) -> bool {
        self.about().has_sets
    }

    /// Whether it is a result of each of many sets.
    fn is_of_set(&self) -> bool {
        self.about().is_of_set
    }

    /// Whether the last segment of a path in the signature is this output.
    fn is_spelled(&self, last: &PathSegment) -> bool {
        self.output().is_some_and(|name| last.ident == name)
    }

    /// The number of neighbours of each element, from the path in the signature; otherwise 0.
    fn neighbours(&self, _: &TypePath) -> u32 {
        0
    }

    /// Whether it adds up floats, in an order that may change from run to run.
    fn adds_floats(&self, _: &Parameter) -> bool {
        false
    }

    /// Whether it adds up floats exactly, so that their order makes no difference.
    fn is_exact(&self, kernel: &Kernel, parameter: &Parameter) -> bool {
        kernel.options.deterministic && self.adds_floats(parameter)
    }

    /// For an output: the type of its elements, from the path in the signature. `None` for a wrong type, after adding an error.
    fn element(&self, path: &TypePath, errors: &mut Errors) -> Option<Element> {
        let Some(name) = self.output() else {
            errors.at(
                path,
                format!("internal error of td-kernel: `{}` is not an output", self.name()),
            );
            return None;
        };
        argument(name, path, errors)
    }

    /// The parameters that templates see for it: that of a vector may be one for each of its numbers.
    fn numbers(&self, parameter: &Parameter) -> Vec<Parameter> {
        vec![parameter.clone()]
    }

    /// For the CPU's loops without features: the variables to which the floats of a row's pairs are added.
    fn lines(&self, _: &Parameter) -> Vec<String> {
        Vec::new()
    }

    /// The kernel's parameters, as C++ declarations.
    fn parameters(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<String>;

    /// The pair function's parameters, as C++ declarations.
    fn pair_parameters(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<String>;

    /// The arguments of a call of the pair function.
    fn pair_arguments(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<Argument> {
        let About { role, has_partner, passed_as, .. } = self.about();
        vec![match role {
            Role::Elements => Argument::Element,
            Role::Row => Argument::RowElement,
            Role::Column => Argument::ColumnElement,
            Role::Result(end) => Argument::Result(end, has_partner),
            _ => Argument::Expression(format!("{}{passed_as}", parameter.plain_name())),
        }]
    }

    /// Facts for the templates, besides its name and its type.
    fn facts(&self, _: &SourceInput<'_>, _: &Parameter) -> Vec<(&'static str, Value)> {
        Vec::new()
    }

    /// Its shared memory: variants of [`SharedUse`](td_kernel_geometry::SharedUse), as Rust expressions.
    fn kept(&self, _: &SourceInput<'_>, _: &Parameter) -> Vec<TokenStream> {
        Vec::new()
    }

    /// How a launch takes its argument: by default an output of the runtime, or a value.
    fn taken(&self, parameter: &Parameter, runtime: &TokenStream) -> Taken {
        let rust = &parameter.rust;
        let Some(name) = self.output() else { return Taken::Value(rust.clone()) };
        let name = Ident::new(name, Span::call_site());
        let ty = quote!(#runtime::#name<#rust>);
        match self.role() {
            Role::Packed | Role::Square | Role::Matrix => {
                Taken::Trait { is_mut: true, name: quote!(#runtime::Slots<#ty>) }
            }
            _ => Taken::Type { is_mut: true, ty },
        }
    }

    /// What `launch` calls after it has bound the argument: for a length or a set that the body uses, and for the width of features.
    fn call(&self, _: &SourceInput<'_>, _: &Parameter, _arguments: &Ident) -> Option<TokenStream> {
        None
    }
}

/// How the sweeps treat a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Elements of one set: both elements of a pair.
    Elements,
    /// The elements of a rectangle's rows.
    Row,
    /// The elements of a rectangle's columns.
    Column,
    /// The features of the pair's elements, or of one of the two.
    Features(End),
    /// The body reads it.
    Input,
    /// The body writes to it directly.
    Memory,
    /// A slot for each pair, in packed rows.
    Packed,
    /// Two slots for each pair, in the rows of a square.
    Square,
    /// A slot for each pair of a rectangle, in its rows.
    Matrix,
    /// One result for all pairs, so each pair must be visited exactly once.
    Gathered,
    /// A result for each element, so each pair must be visited exactly once.
    Result(End),
    /// The nearest neighbours of each element. Pairs may be visited several times.
    Neighbours(End),
}

impl Role {
    /// Whether a body writes to parameters of this role.
    pub(crate) const fn is_output(self) -> bool {
        match self {
            Role::Elements | Role::Row | Role::Column | Role::Features(_) | Role::Input => false,
            Role::Memory
            | Role::Packed
            | Role::Square
            | Role::Matrix
            | Role::Gathered
            | Role::Result(_)
            | Role::Neighbours(_) => true,
        }
    }
}

/// The elements of a pair that a result or features belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// Both elements of a pair of one set.
    Each,
    /// The element of a rectangle's row.
    Row,
    /// The element of a rectangle's column.
    Column,
}

impl End {
    /// The end for an attribute's name.
    pub(crate) fn of(marker: &str) -> Option<End> {
        match marker {
            "each" => Some(End::Each),
            "row" => Some(End::Row),
            "column" => Some(End::Column),
            _ => None,
        }
    }

    /// The item for this end.
    pub(crate) fn choose<T>(self, [each, row, column]: [T; 3]) -> T {
        match self {
            End::Each => each,
            End::Row => row,
            End::Column => column,
        }
    }

    /// Whether the element of a pair's row has the result.
    pub(crate) const fn has_row(self) -> bool {
        !matches!(self, End::Column)
    }

    /// Whether the element of a pair's column has the result.
    pub(crate) const fn has_column(self) -> bool {
        !matches!(self, End::Row)
    }
}

/// An argument of a call of the pair function.
pub(crate) enum Argument {
    /// The parts of results of the pair's elements, with or without the index of the other element. Each sweep stores them
    /// differently.
    Result(End, bool),
    /// The pair's two elements. Each sweep stores them differently.
    Element,
    /// The element of the pair's row alone.
    RowElement,
    /// The element of the pair's column alone.
    ColumnElement,
    /// The variable for the pair's value. Some sweeps have several.
    Value(String),
    /// The same expression in every sweep.
    Expression(String),
}

impl PartialEq for dyn Kind {
    fn eq(&self, other: &dyn Kind) -> bool {
        self.name() == other.name()
    }
}

impl fmt::Debug for dyn Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

//! `x: &mut Pairs<T>`: a list of pairs with a value each.

use minijinja::Value;
use quote::quote;
use syn::{PathArguments, PathSegment, Type, TypePath};

use crate::cuda_type;
use crate::element::{Element, argument};
use crate::errors::Errors;
use crate::model::{Argument, Kind, Parameter, Role, SourceInput};

/// `x: &mut Pairs<T>`.
pub(super) const PAIRS_OF: &dyn Kind = &PairsOf { are_sets: false };

/// `x: &mut Pairs` within many sets: the launch takes a `Pairs<u32>`, whose values are the indices of sets.
pub(super) const PAIRS_IN_SETS: &dyn Kind = &PairsOf { are_sets: true };

struct PairsOf {
    /// Whether the values are the indices of the pairs' sets, which a body does not push.
    are_sets: bool,
}

impl PairsOf {
    /// The pair function's parameter. For a 16-bit float, the body pushes a `float`.
    fn pushed(&self, parameter: &Parameter) -> String {
        let value = &parameter.cuda;
        match cuda_type::is_half(value) && cuda_type::parts(value).is_none() {
            _ if self.are_sets => "td_pushed_in_set".to_owned(),
            true => format!("td_pushed_of<{}, float>", value.name),
            false => format!("td_pushed_of<{}>", value.name),
        }
    }
}

impl Kind for PairsOf {
    fn name(&self) -> &'static str {
        "valued_lists"
    }

    fn spelling(&self) -> &'static str {
        "&mut Pairs<T>"
    }

    fn role(&self) -> Role {
        Role::Gathered
    }

    fn output(&self) -> Option<&'static str> {
        Some("Pairs")
    }

    fn written(&self) -> &'static str {
        if self.are_sets { ".push()" } else { ".push(…)" }
    }

    fn names_set(&self) -> bool {
        self.are_sets
    }

    fn is_spelled(&self, last: &PathSegment) -> bool {
        last.ident == "Pairs" && !last.arguments.is_none()
    }

    fn element(&self, path: &TypePath, errors: &mut Errors) -> Option<Element> {
        if is_of_nothing(path) {
            errors.at(
                path,
                "a list of pairs without values does not take a type: write `&mut Pairs`",
            );
            // The type of the user's argument, so that no second error follows.
            return Some((cuda_type::primitive("f32")?, quote!(())));
        }
        argument("Pairs", path, errors)
    }

    fn parameters(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        let (name, cuda) = (parameter.plain_name(), &parameter.cuda.name);
        vec![
            format!("unsigned int *const {name}_of_i"),
            format!("unsigned int *const {name}_of_j"),
            format!("{cuda} *const {name}_values"),
            format!("unsigned long long *const {name}_count"),
            format!("const unsigned long long {name}_capacity"),
        ]
    }

    fn pair_parameters(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        vec![format!("{} &{}", self.pushed(parameter), parameter.plain_name())]
    }

    fn pair_arguments(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<Argument> {
        vec![Argument::Expression(format!("{}_pushed", parameter.plain_name()))]
    }

    fn facts(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<(&'static str, Value)> {
        // Whether a thread can keep the values of a few pairs in registers: only rustc knows the size of a struct.
        vec![
            ("is_small", Value::from(parameter.is_kept())),
            ("pushed", Value::from(self.pushed(parameter))),
            ("pushed_start", Value::from(if self.are_sets { "{set}" } else { "" })),
        ]
    }

    fn words(&self) -> usize {
        // The addresses of i, j, the values and the count, and the capacity.
        5
    }
}

/// Whether the type is `Pairs<()>`, which equals the runtime's `Pairs` without a type.
fn is_of_nothing(path: &TypePath) -> bool {
    let Some(PathSegment { arguments: PathArguments::AngleBracketed(arguments), .. }) =
        path.path.segments.last()
    else {
        return false;
    };
    arguments.args.iter().any(|argument| {
        matches!(argument, syn::GenericArgument::Type(Type::Tuple(tuple)) if tuple.elems.is_empty())
    })
}

//! `x: &mut Reduce<State>`: the user's own reduction of all pairs. A function `join` of the prelude joins two states.
//!
//! ```text
//! thread    td_joined: the states of its pairs
//! block     td_join_block: by shuffles, through shared memory across the warps
//! launch    a state for each block, which a kernel of one block joins in their order after the launch
//! ```

use minijinja::Value;
use proc_macro2::TokenStream;
use quote::quote;
use syn::TypePath;

use super::reduce;
use crate::element::Element;
use crate::errors::Errors;
use crate::model::{Argument, Kind, Parameter, Role, SourceInput};

/// `x: &mut Reduce<State>`.
pub(crate) const REDUCTION_OF_ALL: &dyn Kind = &ReduceAll;

struct ReduceAll;

impl Kind for ReduceAll {
    fn name(&self) -> &'static str {
        "states_of_all"
    }

    fn spelling(&self) -> &'static str {
        "&mut Reduce<T>"
    }

    fn role(&self) -> Role {
        Role::Gathered
    }

    fn output(&self) -> Option<&'static str> {
        Some(reduce::NAME)
    }

    fn has_states(&self) -> bool {
        true
    }

    fn written(&self) -> &'static str {
        ".join(…)"
    }

    fn element(&self, path: &TypePath, errors: &mut Errors) -> Option<Element> {
        reduce::state(path, errors)
    }

    fn parameters(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        let (state, name) = (&parameter.cuda.name, parameter.plain_name());
        vec![format!("{state} *const {name}_parts"), format!("const {state} {name}_start")]
    }

    fn pair_parameters(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        vec![format!("{} &{}", reduce::part(parameter), parameter.plain_name())]
    }

    fn pair_arguments(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<Argument> {
        vec![Argument::Expression(format!("{}_own", parameter.plain_name()))]
    }

    fn facts(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<(&'static str, Value)> {
        vec![("part", Value::from(reduce::part(parameter)))]
    }

    fn kept(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<TokenStream> {
        let (runtime, rust) = (&input.kernel.options.runtime, &parameter.rust);
        vec![
            quote!(#runtime::__private::SharedUse::State { size: ::core::mem::size_of::<#rust>() }),
        ]
    }

    fn words(&self) -> usize {
        1
    }

    fn is_passed(&self) -> bool {
        true
    }
}

/// Whether the parameter has states of elements.
pub(crate) fn is_of_elements(parameter: &Parameter) -> bool {
    reduce::is_reduction(parameter) && parameter.kind != REDUCTION_OF_ALL
}

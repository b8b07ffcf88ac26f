//! `x: &mut Reduce<State>`: the user's own reduction of all pairs. A function `join` of the prelude joins two states.
//!
//! ```text
//! thread    td_joined: the states of its pairs
//! warp      td_join_warp: by shuffles
//! block     td_join_block: through shared memory, across the warps
//! launch    a state for each block, or for each warp where surplus warps return early, which a kernel of one block joins in their order
//! ```

use minijinja::Value;
use proc_macro2::TokenStream;
use quote::quote;
use syn::TypePath;

use super::reduce;
use crate::element::Element;
use crate::errors::Errors;
use crate::model::{About, Kind, Parameter, Role, SourceInput};

/// `x: &mut Reduce<State>`.
pub(crate) const REDUCTION_OF_ALL: &dyn Kind = &ReduceAll;

struct ReduceAll;

impl Kind for ReduceAll {
    fn about(&self) -> About {
        About {
            written: ".join(…)",
            passed_as: "_own",
            has_states: true,
            words: 1,
            is_passed: true,
            ..About::output("states_of_all", "&mut Reduce<T>", Role::Gathered, reduce::NAME)
        }
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

    fn facts(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<(&'static str, Value)> {
        vec![("part", Value::from(reduce::part(parameter)))]
    }

    fn kept(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<TokenStream> {
        if input.variant.tiling.states_of_block() > 1 {
            return Vec::new();
        }
        let rust = &parameter.rust;
        vec![quote!(State { size: ::core::mem::size_of::<#rust>() })]
    }
}

/// Whether the parameter has states of elements.
pub(crate) fn is_of_elements(parameter: &Parameter) -> bool {
    let about = parameter.kind.about();
    about.has_states && !about.is_state_of_all()
}

//! `#[each] x: &Sets<T>`: the pair's two elements, both of one of many sets.
//!
//! The elements of all sets are one after another. The kernel reads the sets that have pairs, and the one in which each run of
//! pairs starts, from tables that `Sets` has. Large sets have launches of their own: their source is that of a single set.

use minijinja::Value;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::TypePath;
use td_kernel_maps::Domain;

use super::{EACH, bind};
use crate::element::{Element, argument};
use crate::errors::Errors;
use crate::model::{Argument, Kind, Parameter, Role, SourceInput, Taken};

/// `#[each] x: &Sets<T>`.
pub(crate) const SETS: &dyn Kind = &Sets;

/// The type in a signature.
const NAME: &str = "Sets";

/// The name of a pair's set in a body.
pub(crate) const SET: &str = "set";

struct Sets;

/// Whether a path in a signature is that of sets.
pub(crate) fn are_sets(path: &TypePath) -> bool {
    path.path.segments.last().is_some_and(|last| last.ident == NAME)
}

/// The type of the elements of sets, from the path in the signature. `None` for a wrong type, after adding an error.
pub(crate) fn element_of_set(path: &TypePath, errors: &mut Errors) -> Option<Element> {
    argument(NAME, path, errors)
}

impl Kind for Sets {
    fn name(&self) -> &'static str {
        "sets"
    }

    fn spelling(&self) -> &'static str {
        "#[each] x: &Sets<T>"
    }

    fn role(&self) -> Role {
        Role::Elements
    }

    fn has_sets(&self) -> bool {
        true
    }

    fn parameters(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        let others: &[&str] = match input.domain {
            Domain::Sets => {
                &["const td_set *const __restrict__ sets", "const td_run *const __restrict__ runs"]
            }
            // A large set has a launch of its own.
            _ if input.kernel.uses(SET) => &["const unsigned int set"],
            _ => &[],
        };
        let others = others.iter().map(|&other| other.to_owned());
        EACH.parameters(input, parameter).into_iter().chain(others).collect()
    }

    fn pair_parameters(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        EACH.pair_parameters(input, parameter)
    }

    fn pair_arguments(&self, _: &SourceInput<'_>, _: &Parameter) -> Vec<Argument> {
        vec![Argument::Element]
    }

    fn facts(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<(&'static str, Value)> {
        EACH.facts(input, parameter)
    }

    fn kept(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<TokenStream> {
        EACH.kept(input, parameter)
    }

    fn words(&self) -> usize {
        // Its address and those of two tables.
        3
    }

    fn taken(&self, parameter: &Parameter, runtime: &TokenStream) -> Taken {
        let rust = &parameter.rust;
        Taken::Type { is_mut: false, ty: quote!(#runtime::Sets<#rust>) }
    }

    fn argument(
        &self,
        input: &SourceInput<'_>,
        parameter: &Parameter,
        arguments: &Ident,
    ) -> TokenStream {
        let taken = bind(parameter, "Each", |name| quote!(#name), arguments);
        let set = input.kernel.uses(SET).then(|| quote!(#arguments.takes_set();));
        quote!(#taken #set)
    }
}

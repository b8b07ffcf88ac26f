//! `#[each] x: &Sets<T>`: the pair's two elements, both of one of many sets; `#[row] x: &Sets<T>` and `#[column] y: &Sets<T>`: one
//! of them.
//!
//! The elements of all sets are one after another. The kernel reads the sets that have pairs, and the one in which each run of
//! pairs starts, from tables, after the elements of the last `Sets`. Large triangles have launches of their own: their source is
//! that of a single set. Nearest neighbours have rows instead of runs, and a table of the sets of rows; elements with features have
//! tiles, and a table of those.

use minijinja::Value;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::TypePath;
use td_kernel_geometry::Sweep;

use super::{COLUMN, EACH, ROW};
use crate::element::{Element, slice_element, written};
use crate::errors::Errors;
use crate::model::{Argument, End, Kernel, Kind, Parameter, Role, SourceInput, Taken};

/// `#[each] x: &Sets<T>`.
pub(super) const SETS: &dyn Kind = &Sets { end: End::Each };

/// `#[row] x: &Sets<T>`.
pub(super) const ROW_SETS: &dyn Kind = &Sets { end: End::Row };

/// `#[column] x: &Sets<T>`.
pub(super) const COLUMN_SETS: &dyn Kind = &Sets { end: End::Column };

/// The type in a signature.
const NAME: &str = "Sets";

/// The name of a pair's set in a body.
pub(crate) const SET: &str = "set";

struct Sets {
    end: End,
}

impl Sets {
    /// The kind of the same elements without sets.
    fn elements(&self) -> &'static dyn Kind {
        self.end.choose([EACH, ROW, COLUMN])
    }
}

/// The kind of sets for this end of a pair.
pub(crate) fn sets(end: End) -> &'static dyn Kind {
    end.choose([SETS, ROW_SETS, COLUMN_SETS])
}

/// Whether the index of a pair's set is used: by a body or by an output.
pub(crate) fn uses_set(kernel: &Kernel) -> bool {
    kernel.uses(SET) || kernel.parameters.iter().any(|each| each.kind.names_set())
}

/// Whether this is the last `Sets` of a kernel, with which the tables are passed.
fn is_last(kernel: &Kernel, parameter: &Parameter) -> bool {
    let last = kernel.parameters.iter().rfind(|each| each.kind.has_sets());
    last.is_some_and(|last| last.name == parameter.name)
}

/// The parameters with the tables of the sets, after the elements of the last `Sets`.
pub(super) fn tables(input: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
    const SETS: &str = "const td_set *const __restrict__ sets";
    let tables: &[&str] = match (input.domain.is_of_sets(), input.variant.tiling.sweep) {
        _ if !is_last(input.kernel, parameter) => &[],
        (true, Sweep::SetRows) => &[SETS, "const unsigned int *const __restrict__ firsts"],
        (true, Sweep::Fold) => &[SETS, "const td_set_tile *const __restrict__ tiles"],
        (true, _) => &[SETS, "const td_run *const __restrict__ runs"],
        // A large set has a launch of its own.
        (false, _) if uses_set(input.kernel) => &["const unsigned int set"],
        (false, _) => &[],
    };
    tables.iter().map(|&table| table.to_owned()).collect()
}

/// Whether a path in a signature is that of sets.
pub(crate) fn are_sets(path: &TypePath) -> bool {
    path.path.segments.last().is_some_and(|last| last.ident == NAME)
}

/// The type of the elements of sets, from the path in the signature. `None` for a wrong type, after adding an error.
pub(crate) fn element_of_set(path: &TypePath, errors: &mut Errors) -> Option<Element> {
    slice_element(written(NAME, path, errors)?, errors)
}

impl Kind for Sets {
    fn name(&self) -> &'static str {
        self.end.choose(["sets", "row_sets", "column_sets"])
    }

    fn spelling(&self) -> &'static str {
        self.end.choose(["#[each] x: &Sets<T>", "#[row] x: &Sets<T>", "#[column] x: &Sets<T>"])
    }

    fn role(&self) -> Role {
        self.elements().role()
    }

    fn has_sets(&self) -> bool {
        true
    }

    fn parameters(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        self.elements()
            .parameters(input, parameter)
            .into_iter()
            .chain(tables(input, parameter))
            .collect()
    }

    fn pair_parameters(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        self.elements().pair_parameters(input, parameter)
    }

    fn pair_arguments(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<Argument> {
        self.elements().pair_arguments(input, parameter)
    }

    fn facts(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<(&'static str, Value)> {
        self.elements().facts(input, parameter)
    }

    fn kept(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<TokenStream> {
        self.elements().kept(input, parameter)
    }

    fn words(&self) -> usize {
        // Its address and those of two tables.
        3
    }

    fn taken(&self, parameter: &Parameter, runtime: &TokenStream) -> Taken {
        let rust = &parameter.rust;
        Taken::Type { is_mut: false, ty: quote!(#runtime::Sets<#rust>) }
    }

    fn call(
        &self,
        input: &SourceInput<'_>,
        _: &Parameter,
        arguments: &Ident,
    ) -> Option<TokenStream> {
        // Only triangles have launches of their own.
        let takes_set = self.end == End::Each && uses_set(input.kernel);
        takes_set.then(|| quote!(#arguments.takes_set();))
    }
}

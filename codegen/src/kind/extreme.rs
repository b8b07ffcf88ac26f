//! `x: &mut Max<T>` and `Min<T>`: one value over all pairs, with its pair.
//!
//! A thread keeps its best value and pair in registers, a warp combines those of its threads, and one of its threads offers the
//! result to one of some cells, under the cell's lock. A download combines the cells.

use minijinja::Value;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::TypePath;

use super::result::order;
use crate::cuda_type::{self, CudaType};
use crate::element::{Element, argument_among};
use crate::errors::{Errors, list};
use crate::model::{About, Kind, Parameter, Role, SourceInput, Taken};

/// `x: &mut Max<T>`.
pub(super) const MAX: &dyn Kind = &Extreme { is_greatest: true, has_set: false };

/// `x: &mut Min<T>`.
pub(super) const MIN: &dyn Kind = &Extreme { is_greatest: false, has_set: false };

/// The same within many sets: the launch takes a `Max<(T, u32)>`, which also has the index of the pair's set.
pub(super) const MAX_IN_SETS: &dyn Kind = &Extreme { is_greatest: true, has_set: true };
pub(super) const MIN_IN_SETS: &dyn Kind = &Extreme { is_greatest: false, has_set: true };

/// The types of values.
const NUMBERS: &[&str] = &["f32", "f64", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"];

struct Extreme {
    is_greatest: bool,
    /// Whether it has the index of the pair's set.
    has_set: bool,
}

impl Extreme {
    /// The name of its type in Rust.
    fn rust_name(&self) -> &'static str {
        if self.is_greatest { "Max" } else { "Min" }
    }

    /// The type for what one pair offers.
    fn offered(&self, parameter: &Parameter) -> String {
        format!("td_offered<{}, {}>", parameter.cuda.name, self.is_greatest)
    }

    /// The type in which a thread keeps the best pair.
    fn best(&self, parameter: &Parameter) -> String {
        let number = &parameter.cuda.name;
        let name = if self.has_set { "td_extreme_in_sets" } else { "td_extreme" };
        format!("{name}<{number}, {}, {}>", order(number), self.is_greatest)
    }
}

impl Kind for Extreme {
    fn about(&self) -> About {
        let name = if self.is_greatest { "maxima_of_all" } else { "minima_of_all" };
        let spelling = match (self.is_greatest, self.has_set) {
            (true, false) => "&mut Max<T>",
            (false, false) => "&mut Min<T>",
            (true, true) => "&mut Max<(T, u32)>",
            (false, true) => "&mut Min<(T, u32)>",
        };
        About {
            written: ".offer(…)",
            passed_as: "_offered",
            names_set: self.has_set,
            names_pair: true,
            can_drop: true,
            words: 1,
            ..About::output(name, spelling, Role::Gathered, self.rust_name())
        }
    }

    fn element(&self, path: &TypePath, errors: &mut Errors) -> Option<Element> {
        let is_number = |cuda: &CudaType| cuda_type::is_one_of(cuda, NUMBERS);
        let (name, types) = (self.rust_name(), list(NUMBERS));
        let message = format!("a `{name}` has a number and its pair: write one of {types}");
        argument_among(name, path, is_number, |_| message, errors)
    }

    fn parameters(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        vec![format!("unsigned long long *const {}_cells", parameter.plain_name())]
    }

    fn pair_parameters(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        vec![format!("{} &{}", self.offered(parameter), parameter.plain_name())]
    }

    fn facts(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<(&'static str, Value)> {
        vec![
            ("best", Value::from(self.best(parameter))),
            ("offered", Value::from(self.offered(parameter))),
            ("in_sets", Value::from(if self.has_set { "_in_sets" } else { "" })),
            ("set", Value::from(if self.has_set { "set, " } else { "" })),
            (
                "set_word",
                Value::from(if self.has_set {
                    format!("{}_best.set_word(),¶", parameter.plain_name())
                } else {
                    String::new()
                }),
            ),
        ]
    }

    fn taken(&self, parameter: &Parameter, runtime: &TokenStream) -> Taken {
        let (name, rust) = (self.rust_name(), &parameter.rust);
        let name = Ident::new(name, Span::call_site());
        let value = match self.has_set {
            true => quote!((#rust, ::core::primitive::u32)),
            false => quote!(#rust),
        };
        Taken::Type { is_mut: true, ty: quote!(#runtime::#name<#value>) }
    }
}

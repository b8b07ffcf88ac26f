//! The runtime's description of what a kernel with boxes needs.

use proc_macro2::TokenStream;
use quote::quote;

use super::variant::{loops, variant};
use crate::model::{Boxed, Kernel, Parameter, Role};

/// The sizes of elements and of boxes, which only rustc knows, if the kernel has boxes. `count` is the number of sources. The last
/// ones are the CPU's for all pairs and those that list pairs for a GPU and for the CPU, if there are such.
pub(super) fn near(kernel: &Kernel, count: usize) -> TokenStream {
    let Some(near) = &kernel.near else { return quote!(::core::option::Option::None) };
    let runtime = &kernel.options.runtime;
    let set = |set: &Boxed| {
        let size = |each: &Parameter| {
            let rust = &each.rust;
            quote!(::core::mem::size_of::<#rust>())
        };
        let boxed = kernel.parameters.iter().find(|each| each.plain_name() == set.name);
        let role = boxed.map_or(Role::Elements, |boxed| boxed.kind.role());
        let sorted = kernel.with_role(role).map(size);
        let boxed = boxed.map(size);
        // A member of a point may have padding before it that it does not have in the struct.
        let padding = 16 * set.members.len();
        quote! {
            #runtime::__private::NearSet {
                sorted: &[#(#sorted),*],
                boxed: 2 * (#boxed + #padding),
            }
        }
    };
    let sets = near.sets.iter().map(set);
    let list = kernel.list_source();
    let all_pairs = match kernel.all_pairs_loops() {
        None => quote!(::core::option::Option::None),
        Some(input) => {
            let loops =
                loops(kernel, input.takes_n(), count - 1 - if list.is_some() { 2 } else { 0 });
            quote!(::core::option::Option::Some(#loops))
        }
    };
    let list = match list.as_ref().zip(kernel.lower.as_ref()) {
        None => {
            let why = kernel.variants.refused.kept.as_deref().unwrap_or_default();
            quote!(::core::result::Result::Err(#why))
        }
        Some((input, lower)) => {
            let variant = variant(input, count - 2);
            let loops = loops(kernel, input.loops().takes_n(), count - 1);
            let numbers = kernel.inputs(lower).map(Parameter::plain_name);
            quote! {
                ::core::result::Result::Ok(#runtime::__private::NearList {
                    variant: #variant,
                    loops: #loops,
                    numbers: &[#(#numbers),*],
                })
            }
        }
    };
    quote! {
        ::core::option::Option::Some(#runtime::__private::NearInfo {
            sets: &[#(#sets),*],
            all_pairs: #all_pairs,
            list: #list,
        })
    }
}

/// The methods `keep` and `kept` of a kernel with boxes.
pub(super) fn keep(kernel: &Kernel) -> Option<TokenStream> {
    kernel.near.as_ref()?;
    let runtime = &kernel.options.runtime;
    Some(quote! {
        /// The same kernel, whose launches keep a list of near pairs, and visit those of the list. The list has the
        /// pairs whose `lower_bound` is at most `skin`. Each launch first checks on the device whether an element
        /// has moved by more than half of the skin since the list was made. If so, it makes a new list.
        ///
        /// `lower_bound` must be a distance, which changes by at most the distances by which its elements move.
        ///
        /// Clones share the list. A launch is an error if the skin is negative or not finite, or if the kernel cannot
        /// keep a list.
        #[must_use]
        pub fn keep(&self, skin: impl ::core::convert::Into<::core::primitive::f64>) -> Self {
            Self { kernel: #runtime::Kernel::keep(&self.kernel, ::core::convert::Into::into(skin)) }
        }

        /// The list that the latest launch of a kernel from `keep` has visited; `None` if it had no pairs or failed.
        #[must_use]
        pub fn kept(&self) -> ::core::option::Option<#runtime::GivenPairs> {
            #runtime::Kernel::kept(&self.kernel)
        }
    })
}

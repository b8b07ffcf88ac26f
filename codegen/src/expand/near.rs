//! The runtime's description of what a kernel with boxes needs.

use proc_macro2::TokenStream;
use quote::quote;

use crate::model::{Boxed, Kernel, Parameter, Role};

/// The sizes of elements and of boxes, which only rustc knows, if the kernel has boxes. `last` is the index of the last source: the
/// CPU's for all pairs, if there is one.
pub(super) fn near(kernel: &Kernel, last: usize) -> TokenStream {
    let Some(near) = &kernel.near else { return quote!(::core::option::Option::None) };
    let runtime = &kernel.options.runtime;
    let set = |set: &Boxed| {
        let size = |each: &Parameter| {
            let rust = &each.rust;
            quote!(::core::mem::size_of::<#rust>())
        };
        let boxed = kernel.parameters.iter().find(|each| each.plain_name() == set.name);
        let role = boxed.map_or(Role::Elements, |boxed| boxed.kind.role());
        let sorted = kernel.of_role(role).map(size);
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
    let all_pairs = match kernel.all_pairs_loops() {
        None => quote!(::core::option::Option::None),
        Some(input) => {
            let (name, options, takes_n) = (&kernel.name, kernel.loops_options(), input.takes_n());
            quote! {
                ::core::option::Option::Some(#runtime::__private::Loops {
                    source: #name::TD_PARTED[#last],
                    takes_n: #takes_n,
                    options: &[#(#options),*],
                })
            }
        }
    };
    quote! {
        ::core::option::Option::Some(#runtime::__private::Near {
            sets: &[#(#sets),*],
            all_pairs: #all_pairs,
        })
    }
}

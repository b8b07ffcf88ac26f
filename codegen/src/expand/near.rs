//! The runtime's description of what a kernel with boxes needs.

use proc_macro2::TokenStream;
use quote::quote;

use crate::model::{Kernel, Parameter, Role};

/// The sizes of elements and of boxes, which only rustc knows, if the kernel has boxes.
pub(super) fn near(kernel: &Kernel) -> TokenStream {
    let Some(near) = &kernel.near else { return quote!(::core::option::Option::None) };
    let runtime = &kernel.options.runtime;
    let size = |each: &Parameter| {
        let rust = &each.rust;
        quote!(::core::mem::size_of::<#rust>())
    };
    let elements = || kernel.of_role(Role::Elements);
    let sorted = elements().map(size);
    let boxed = elements().find(|each| each.plain_name() == near.boxed).map(size);
    // A member of a point may have padding before it that it does not have in the struct.
    let padding = 16 * near.members.len();
    quote! {
        ::core::option::Option::Some(#runtime::__private::Near {
            sorted: &[#(#sorted),*],
            boxed: 2 * (#boxed + #padding),
        })
    }
}

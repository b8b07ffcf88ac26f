//! Inputs that no body of a kernel uses: most likely a wrong name or a forgotten term.
//!
//! On stable Rust a macro cannot warn. But rustc warns about unused variables at the user's own names, so the expansion has a
//! function with such inputs as its parameters. The warning comes when the crate is compiled, and behaves as usual: an
//! underscore or `#[allow(unused_variables)]` silences it.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::model::{Kernel, Parameter};

/// An item in which rustc reports the unused inputs; empty if there are none.
pub(super) fn unused(kernel: &Kernel) -> TokenStream {
    let inputs = inputs(kernel);
    if inputs.is_empty() {
        return TokenStream::new();
    }
    let (conditions, levels) = (&kernel.attributes.conditions, &kernel.attributes.levels);
    let values = inputs.iter().map(|_| quote!(()));
    quote! {
        #(#conditions)*
        #(#levels)*
        const _: () = {
            const fn inputs(#(#inputs: ()),*) {}
            inputs(#(#values),*);
        };
    }
}

/// The inputs that no body uses, including elements that only give their count: without them, a launch takes the count as an
/// argument. A body may use a slice's length alone. (Unused outputs and constants are errors.)
fn inputs(kernel: &Kernel) -> Vec<&Ident> {
    // A macro may paste names together.
    if kernel.bodies().chain(&kernel.prelude).any(|body| body.text.contains("##")) {
        return Vec::new();
    }
    let is_used = |each: &Parameter| {
        // A prelude cannot see parameters. If one uses a parameter's name all the same, the compiler's message says more.
        kernel.mentions(&each.plain_name())
            || kernel.bodies().any(|body| kernel.uses_input(body, each))
    };
    let inputs = kernel.parameters.iter().filter(|each| !each.kind.role().is_output());
    inputs.filter(|each| !is_used(each)).map(|each| &each.name).collect()
}

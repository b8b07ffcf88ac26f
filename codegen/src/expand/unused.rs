//! Inputs that no text of a kernel uses: most likely a wrong name, or a term that was forgotten.
//!
//! On stable Rust a macro cannot warn. But rustc warns of variables that nothing uses, at the place where the user has
//! written their names: so there is a function that has such inputs as its parameters. That warning comes where it is
//! expected, while the crate is compiled, and has all that Rust's users know of it: an underscore silences it, and so does
//! `#[allow(unused_variables)]`.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::model::{Kernel, Parameter};

/// An item of which rustc says what is not used; nothing where all is.
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

/// The inputs that no text uses. Elements that are there for their number alone are among them: where no other argument
/// tells the number, a launch takes it by itself. Of a slice, a text may use the length alone. (Outputs that no text uses
/// are errors, and so are constants.)
fn inputs(kernel: &Kernel) -> Vec<&Ident> {
    // A macro may put names together of what stands there.
    if kernel.bodies().chain(&kernel.prelude).any(|body| body.text.contains("##")) {
        return Vec::new();
    }
    let is_used = |each: &Parameter| {
        // A prelude sees no parameters. Where one has a name of theirs all the same, compilers say more of it.
        kernel.mentions(&each.plain_name())
            || kernel.bodies().any(|body| kernel.uses_input(body, each))
    };
    let inputs = kernel.parameters.iter().filter(|each| !each.kind.role().is_output());
    inputs.filter(|each| !is_used(each)).map(|each| &each.name).collect()
}

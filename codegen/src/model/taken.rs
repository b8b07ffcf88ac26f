//! How a launch takes an argument.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Lifetime;

/// How a launch takes a parameter's argument.
pub(crate) enum Taken {
    /// By value.
    Value(TokenStream),
    /// By a reference to this type.
    Type { is_mut: bool, ty: TokenStream },
    /// By a reference to whatever implements this trait.
    Trait { is_mut: bool, name: TokenStream },
}

impl Taken {
    /// Its type in `launch`; with a lifetime, in `chunks`, which keeps what it borrows.
    pub(crate) fn argument_type(&self, lifetime: Option<&Lifetime>) -> TokenStream {
        match self {
            Taken::Value(ty) => ty.clone(),
            Taken::Type { is_mut, ty } => reference(lifetime, *is_mut, ty),
            Taken::Trait { is_mut, name } => {
                reference(lifetime, *is_mut, &quote!((impl #name + ?::core::marker::Sized)))
            }
        }
    }

    /// Its type in the tuple of a `LaunchWith`, borrowed for `lifetime`: a trait object, since `impl Trait` is not allowed
    /// there.
    pub(crate) fn tuple_type(&self, lifetime: &Lifetime) -> TokenStream {
        match self {
            Taken::Trait { is_mut, name } => reference(Some(lifetime), *is_mut, &quote!(dyn #name)),
            _ => self.argument_type(Some(lifetime)),
        }
    }
}

fn reference(lifetime: Option<&Lifetime>, is_mut: bool, ty: &TokenStream) -> TokenStream {
    let mutable = is_mut.then(|| quote!(mut));
    quote!(&#lifetime #mutable #ty)
}

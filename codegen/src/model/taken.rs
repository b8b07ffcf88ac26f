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
    /// Its type in `launch`.
    pub(crate) fn argument_type(&self) -> TokenStream {
        match self {
            Taken::Value(ty) => ty.clone(),
            Taken::Type { is_mut: false, ty } => quote!(&#ty),
            Taken::Type { is_mut: true, ty } => quote!(&mut #ty),
            Taken::Trait { is_mut: false, name } => quote!(&(impl #name + ?::core::marker::Sized)),
            Taken::Trait { is_mut: true, name } => {
                quote!(&mut (impl #name + ?::core::marker::Sized))
            }
        }
    }

    /// Its type in `chunks`, which keeps what it borrows for `lifetime`.
    pub(crate) fn borrowed_type(&self, lifetime: &Lifetime) -> TokenStream {
        match self {
            Taken::Value(_) | Taken::Type { .. } => self.tuple_type(lifetime),
            Taken::Trait { is_mut: false, name } => {
                quote!(&#lifetime (impl #name + ?::core::marker::Sized))
            }
            Taken::Trait { is_mut: true, name } => {
                quote!(&#lifetime mut (impl #name + ?::core::marker::Sized))
            }
        }
    }

    /// Its type in the tuple of a `LaunchWith`, borrowed for `lifetime`: a trait object, since `impl Trait` is not allowed
    /// there.
    pub(crate) fn tuple_type(&self, lifetime: &Lifetime) -> TokenStream {
        match self {
            Taken::Value(ty) => ty.clone(),
            Taken::Type { is_mut: false, ty } => quote!(&#lifetime #ty),
            Taken::Type { is_mut: true, ty } => quote!(&#lifetime mut #ty),
            Taken::Trait { is_mut: false, name } => quote!(&#lifetime dyn #name),
            Taken::Trait { is_mut: true, name } => quote!(&#lifetime mut dyn #name),
        }
    }
}

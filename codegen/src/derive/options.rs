//! What `#[device_type(…)]` says above a struct.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, DeriveInput, Path, Token};

use crate::errors::Errors;

/// The keys of the attribute.
pub(super) struct Options {
    /// The path of the runtime crate: `crate = ::path`, or its own name.
    pub(super) runtime: TokenStream,
    /// Whether the struct implements bytemuck's traits elsewhere: `bytemuck`.
    has_bytemuck: bool,
}

enum Key {
    Crate(Path),
    Bytemuck,
}

impl Parse for Key {
    fn parse(input: ParseStream<'_>) -> syn::Result<Key> {
        if input.peek(Token![crate]) {
            input.parse::<Token![crate]>()?;
            input.parse::<Token![=]>()?;
            return Ok(Key::Crate(input.call(Path::parse_mod_style)?));
        }
        let word = input.parse::<Ident>()?;
        if word == "bytemuck" { Ok(Key::Bytemuck) } else { Err(input.error("no key")) }
    }
}

impl Options {
    pub(super) fn new(input: &DeriveInput, errors: &mut Errors) -> Options {
        let (mut path, mut has_bytemuck) = (None, false);
        for attribute in input.attrs.iter().filter(|each| is_ours(each)) {
            let parsed = attribute.parse_args_with(Punctuated::<Key, Token![,]>::parse_terminated);
            let Ok(keys) = parsed else {
                errors.at(
                    attribute,
                    "`device_type` has two keys: write `#[device_type(crate = ::td_kernel)]`, or `#[device_type(bytemuck)]` where the struct is bytemuck's `Pod`",
                );
                continue;
            };
            for key in keys {
                let before = match key {
                    Key::Crate(given) => path.replace(given).is_some(),
                    Key::Bytemuck => std::mem::replace(&mut has_bytemuck, true),
                };
                if before {
                    errors.at(attribute, "`device_type` is given twice: keep one of the two");
                }
            }
        }
        let runtime = path.map_or_else(|| quote!(::td_kernel), Path::into_token_stream);
        Options { runtime, has_bytemuck }
    }

    /// The traits of bytemuck that a DeviceType needs, where the derive implements them.
    pub(super) fn bytemuck_traits(&self) -> Vec<TokenStream> {
        if self.has_bytemuck {
            return Vec::new();
        }
        let runtime = &self.runtime;
        vec![
            quote!(#runtime::__private::bytemuck::Zeroable),
            quote!(#runtime::__private::bytemuck::AnyBitPattern),
        ]
    }
}

pub(super) fn is_ours(attribute: &Attribute) -> bool {
    attribute.path().is_ident("device_type")
}

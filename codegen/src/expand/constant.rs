//! Constants of Rust's, whose values rustc puts into the texts.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::cuda;
use crate::model::{Constant, Kernel};

/// The constants, as items of the kernel's type: there no name is in the way of what the user's expressions mean.
pub(super) fn definitions(constants: &[Constant], runtime: &TokenStream) -> TokenStream {
    let count = constants.len();
    if count == 0 {
        return TokenStream::new();
    }
    let values = constants.iter().enumerate().map(|(at, Constant { number, value, .. })| {
        let (name, number) = (format_ident!("TD_CONSTANT_{at}"), format_ident!("{number}"));
        quote!(const #name: ::core::primitive::#number = #value;)
    });
    let lines = constants.iter().enumerate().map(|(at, constant)| {
        let value = format_ident!("TD_CONSTANT_{at}");
        let (name, number) = (constant.plain_name(), format_ident!("{}", constant.number));
        quote!(#runtime::__private::Constant::#number(#name, Self::#value))
    });
    quote! {
        #(#values)*
        const TD_CONSTANTS: [#runtime::__private::Constant; #count] = [#(#lines),*];
    }
}

/// The pieces of a text, in which the lines of constants stand.
pub(super) fn pieces(text: &str, kernel: &Kernel) -> Vec<TokenStream> {
    let (name, runtime) = (&kernel.name, &kernel.options.runtime);
    let (mut pieces, mut rest) = (Vec::new(), text);
    // They come in their order, before all that the user has written.
    for (at, constant) in kernel.constants.iter().enumerate() {
        let line = cuda::constant_line(&constant.plain_name());
        if let Some((before, after)) = rest.split_once(&line) {
            pieces.push(quote!(#runtime::__private::Piece::Text(#before)));
            pieces.push(quote!(#runtime::__private::Piece::Constant(&#name::TD_CONSTANTS[#at])));
            rest = after;
        }
    }
    pieces.push(quote!(#runtime::__private::Piece::Text(#rest)));
    pieces
}

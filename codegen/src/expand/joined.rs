//! Strings that rustc joins when it evaluates constants.

use proc_macro2::TokenStream;
use quote::quote;

/// The joined string of these parts, a variant of the runtime's `Parts`, as an expression of a constant.
pub(super) fn joined(parts: &TokenStream, runtime: &TokenStream) -> TokenStream {
    quote! {{
        const TD_PARTS: #runtime::__private::Parts<'_> = #runtime::__private::Parts::#parts;
        const TD_TEXT: #runtime::__private::Text<{ #runtime::__private::length(&TD_PARTS) }> =
            #runtime::__private::concatenate(&TD_PARTS);
        #runtime::__private::text(&TD_TEXT)
    }}
}

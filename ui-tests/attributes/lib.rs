//! Attributes that change a struct after a derive above them has read it.

use proc_macro::{Delimiter, Group, TokenStream, TokenTree};

/// Adds the fields in its parentheses to the struct below it.
#[proc_macro_attribute]
pub fn add(fields: TokenStream, item: TokenStream) -> TokenStream {
    with_braces(item, |inside| inside.into_iter().chain(fields.clone()).collect())
}

/// Replaces the fields of the struct below it by those in its parentheses.
#[proc_macro_attribute]
pub fn replace(fields: TokenStream, item: TokenStream) -> TokenStream {
    with_braces(item, |_| fields.clone())
}

fn with_braces(item: TokenStream, change: impl Fn(TokenStream) -> TokenStream) -> TokenStream {
    let tokens = item.into_iter().map(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
            TokenTree::Group(Group::new(Delimiter::Brace, change(group.stream())))
        }
        other => other,
    });
    tokens.collect()
}

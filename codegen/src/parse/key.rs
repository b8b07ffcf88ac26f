//! The entries of `#[td_kernel(…)]`: keys and their values.

use proc_macro2::{TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Expr, Ident, Token, parenthesized};

use super::value::example;
use crate::element::bare_expression;
use crate::errors::{Errors, list, nearest};

/// The known keys, in the order of messages.
const KEYS: &[&str] = &[
    "map", "sqrt", "epsilon", "space", "grid", "diagonal", "sweep", "block", "tile",
    "deterministic", "fmad", "order", "prelude", "constants", "crate",
];

/// The key whose value is a list.
const CONSTANTS: &str = "constants";

/// `key = value`, or `constants(…)`.
pub(super) enum Entry {
    Value(Ident, Expr),
    List(Ident, TokenStream),
}

/// Reads the entries.
pub(super) fn entries(input: ParseStream<'_>, errors: &mut Errors) -> Vec<Entry> {
    separated(input, "options", errors, &mut |input, _| entry(input))
}

/// Reads what is separated by commas. After a wrong part, the next one is still read.
pub(super) fn separated<T>(
    input: ParseStream<'_>,
    plural: &str,
    errors: &mut Errors,
    read: &mut dyn FnMut(ParseStream<'_>, &mut Errors) -> syn::Result<T>,
) -> Vec<T> {
    let mut parts = Vec::new();
    while !input.is_empty() {
        match read(input, errors) {
            Ok(part) => parts.push(part),
            Err(error) => {
                errors.push(error);
                // Skips the rest of a wrong part.
                while !input.is_empty() && !input.peek(Token![,]) {
                    let _ = input.parse::<TokenTree>();
                }
            }
        }
        if !input.is_empty() && input.parse::<Token![,]>().is_err() {
            errors.span(
                input.span(),
                format!("a comma is missing between two {plural}: write `,` before this"),
            );
        }
    }
    parts
}

fn entry(input: ParseStream<'_>) -> syn::Result<Entry> {
    let key = Ident::parse_any(input).map_err(|error| {
        let message = format!(
            "an option must be a key and a value: write `{}`; the keys are {}",
            example(""),
            list(KEYS)
        );
        syn::Error::new(error.span(), message)
    })?;
    let name = key.unraw().to_string();
    if !KEYS.contains(&name.as_str()) {
        let hint = nearest(&name, KEYS).map(|near| format!(" (did you mean `{near}`?)"));
        let (hint, keys) = (hint.unwrap_or_default(), list(KEYS));
        let message = format!("unknown key `{name}`{hint}; the keys are {keys}");
        return Err(syn::Error::new(key.span(), message));
    }
    let needed = || {
        let message = format!("`{name}` needs a value: write `{}`", example(&name));
        syn::Error::new(key.span(), message)
    };
    if name == CONSTANTS {
        let list = |input: ParseStream<'_>| {
            let content;
            parenthesized!(content in input);
            content.parse::<TokenStream>()
        };
        let list = list(input).ok().filter(|list| !list.is_empty());
        return list.map(|list| Entry::List(key.clone(), list)).ok_or_else(|| {
            let message =
                format!("`{name}` must be a list in parentheses: write `{}`", example(&name));
            syn::Error::new(key.span(), message)
        });
    }
    input.parse::<Token![=]>().map_err(|_| needed())?;
    let value = bare_expression(&input.parse().map_err(|_| needed())?).clone();
    Ok(Entry::Value(key, value))
}

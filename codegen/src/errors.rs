//! Collects every error of an invocation, so that a user sees all of them at once.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::Attribute;

/// The errors found so far.
#[derive(Default)]
pub(crate) struct Errors(Vec<syn::Error>);

impl Errors {
    /// Adds an error that points at `tokens`.
    pub(crate) fn at(&mut self, tokens: impl ToTokens, message: impl std::fmt::Display) {
        self.0.push(syn::Error::new_spanned(tokens, message));
    }

    /// Adds an error that points at `span`.
    pub(crate) fn span(&mut self, span: Span, message: impl std::fmt::Display) {
        self.0.push(syn::Error::new(span, message));
    }

    /// Adds an error of the parser.
    pub(crate) fn push(&mut self, error: syn::Error) {
        self.0.push(error);
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The `compile_error!`s, in the order found, each under the `cfg`s of the item: an item that is not compiled reports
    /// nothing.
    pub(crate) fn into_tokens(self, conditions: &[Attribute]) -> TokenStream {
        let errors = self.0.into_iter().flatten().map(|error| {
            let error = error.to_compile_error();
            quote!(#(#conditions)* #error)
        });
        errors.collect()
    }
}

/// A mistake in this crate, not in the user's code.
#[derive(Debug)]
pub(crate) struct Internal(pub(crate) String);

impl From<Internal> for TokenStream {
    fn from(Internal(what): Internal) -> TokenStream {
        let message =
            format!("internal error of td-kernel: {what}: please report it with this kernel");
        syn::Error::new(Span::call_site(), message).to_compile_error()
    }
}

/// `` `a`, `b`, `c` ``
pub(crate) fn list(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// The name in `known` that is closest to `given`, ignoring case.
pub(crate) fn nearest<'a>(given: &str, known: &[&'a str]) -> Option<&'a str> {
    let given = given.to_lowercase();
    known
        .iter()
        .map(|name| (strsim::damerau_levenshtein(&given, name), *name))
        .min()
        .filter(|(distance, name)| *distance <= 2 && *distance < name.len())
        .map(|(_, name)| name)
}

/// The span of `tokens`, for generated code whose errors are about them. It counts as this crate's code, so that lints about
/// the user's style ignore it.
pub(crate) fn span_of(tokens: &TokenStream) -> Span {
    let first = tokens.clone().into_iter().next();
    Span::call_site().located_at(first.map_or_else(Span::call_site, |token| token.span()))
}

/// The path as if it were written at `span`, with its meaning unchanged.
pub(crate) fn moved(path: &TokenStream, span: Span) -> TokenStream {
    let mut tokens: Vec<_> = path.clone().into_iter().collect();
    for token in &mut tokens {
        token.set_span(token.span().located_at(span));
    }
    tokens.into_iter().collect()
}

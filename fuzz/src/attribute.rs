//! The target `attribute`: tokens of an attribute and of the item that it is on.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use td_kernel_codegen::{Files, cuda_sources, device_type, td_kernel};

use crate::words::{self, Choices};

struct One;

impl Files for One {
    fn shown(&self, _: Span) -> String {
        "src/main.rs".into()
    }

    fn read(&self, _: Span, path: &str) -> Result<(String, String), String> {
        match path {
            "pair.cu" => Ok(("x = 1;\n".into(), "src/pair.cu".into())),
            _ => Err(format!("cannot read {path}: there is no such file")),
        }
    }
}

/// Builds an attribute and an item from the bytes, and checks the expansion. If the first byte is 0, the rest is text: the
/// attribute on the first line, then the item.
///
/// # Panics
///
/// The expansion is not Rust, or has an error without a position in the input.
pub fn check(data: &[u8]) {
    let (attribute, item) = match data.split_first() {
        Some((0, text)) => {
            let text = String::from_utf8_lossy(text).into_owned();
            let (attribute, item) = text.split_once('\n').unwrap_or((&text, ""));
            (attribute.to_owned(), item.to_owned())
        }
        Some((_, choices)) => {
            let mut choices = Choices(choices);
            (words::attribute(&mut choices), words::item(&mut choices))
        }
        None => return,
    };
    if let (Some(attribute), Some(item)) = (tokens(&attribute), tokens(&item)) {
        expand(attribute, item);
    }
    // Otherwise proc-macro2 would keep each input, for its spans.
    proc_macro2::extra::invalidate_current_thread_spans();
}

fn tokens(text: &str) -> Option<TokenStream> {
    text.parse().ok().map(grouped)
}

/// Turns `__group__(…)` into the invisible group that `macro_rules!` makes, which text cannot contain.
fn grouped(tokens: TokenStream) -> TokenStream {
    let mut grouped: Vec<TokenTree> = Vec::new();
    for token in tokens {
        let TokenTree::Group(group) = token else {
            grouped.push(token);
            continue;
        };
        let mut delimiter = group.delimiter();
        if matches!(grouped.last(), Some(TokenTree::Ident(name)) if name == "__group__") {
            grouped.pop();
            delimiter = Delimiter::None;
        }
        let mut within = Group::new(delimiter, self::grouped(group.stream()));
        within.set_span(group.span());
        grouped.push(within.into());
    }
    grouped.into_iter().collect()
}

fn expand(attribute: TokenStream, item: TokenStream) {
    let shown = format!("#[td_kernel({attribute})] {item}");
    let given = [attribute.clone(), item.clone()];
    let output = td_kernel(attribute.clone(), item.clone(), &One);
    let again = td_kernel(attribute.clone(), item.clone(), &One);
    assert_eq!(output.to_string(), again.to_string(), "twice, it is not the same: {shown}");
    let sources = cuda_sources(attribute, item.clone(), &One);
    let errors = errors(&output);
    assert_eq!(errors.is_empty(), sources.is_ok(), "a text and an error, or neither: {shown}");
    // rustc itself would have rejected an item that is not Rust.
    if syn::parse2::<syn::Item>(item.clone()).is_ok() {
        if let Err(error) = syn::parse2::<syn::File>(output.clone()) {
            panic!("no Rust comes out ({error}): {shown}\n{output}");
        }
        for error in &errors {
            pointed(error, &given, &shown);
        }
    }
    let derived = device_type(item.clone());
    if syn::parse2::<syn::DeriveInput>(item.clone()).is_ok()
        && let Err(error) = syn::parse2::<syn::File>(derived)
    {
        panic!("no Rust comes out of the derive ({error}): {item}");
    }
}

/// A `compile_error!` in the expansion.
struct Error {
    message: String,
    span: Span,
}

/// The errors of the generator. The item itself may call `compile_error!`, but not by the generator's path.
fn errors(output: &TokenStream) -> Vec<Error> {
    let tokens: Vec<TokenTree> = output.clone().into_iter().collect();
    let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.to_string() == text);
    let mut errors = Vec::new();
    for at in 0..tokens.len() {
        let path = [":", ":", "core", ":", ":", "compile_error", "!"];
        let matches = path.iter().enumerate().all(|(ahead, text)| is(at + ahead, text));
        if let (true, Some(TokenTree::Group(message))) = (matches, tokens.get(at + path.len())) {
            let message_text = message.stream().to_string();
            errors.push(Error { message: message_text, span: tokens[at].span() });
        }
    }
    errors
}

/// Checks that an error points at a part of the input.
fn pointed(error: &Error, given: &[TokenStream; 2], shown: &str) {
    let Error { message, span } = error;
    assert!(message.len() > 2, "an error without words: {shown}");
    // At the end of the input there is nothing to point at, so rustc shows the attribute. syn uses these words for that case.
    let at_end = ["unexpected end of input", "expected "]
        .iter()
        .any(|words| message[1..].starts_with(words));
    if at_end || given.iter().all(TokenStream::is_empty) {
        return;
    }
    assert!(
        given.iter().any(|tokens| lies_in(*span, tokens)),
        "the error {message} points nowhere ({:?}): {shown}",
        span.byte_range()
    );
}

/// Whether a token of the stream begins where the span does.
fn lies_in(span: Span, tokens: &TokenStream) -> bool {
    !span.byte_range().is_empty()
        && tokens.clone().into_iter().any(|token| match token {
            TokenTree::Group(group) => {
                [group.span(), group.span_open(), group.span_close()]
                    .iter()
                    .any(|own| own.start() == span.start())
                    || lies_in(span, &group.stream())
            }
            token => token.span().start() == span.start(),
        })
}

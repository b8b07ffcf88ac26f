//! Parses the annotated item. The grammar accepts more than Rust's, so that each part that a kernel cannot have gets its own
//! message, beside all other messages.

use proc_macro2::{Ident, Spacing, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{
    Attribute, FnArg, Generics, LitStr, ReturnType, Token, Visibility, braced, parenthesized,
};

use crate::errors::Errors;

/// A function, as far as it could be parsed.
pub(crate) struct Function {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    /// The keywords before `fn`, and the ABI after `extern`.
    pub(crate) qualifiers: Vec<(String, TokenStream)>,
    pub(crate) fn_token: Token![fn],
    pub(crate) name: Ident,
    pub(crate) generics: Generics,
    pub(crate) inputs: Vec<Input>,
    pub(crate) output: ReturnType,
    pub(crate) body: Block,
}

/// A parameter.
pub(crate) enum Input {
    Argument(Box<FnArg>),
    /// `...`
    Variadic(TokenStream),
    /// Tokens that are not a parameter.
    Unknown(TokenStream),
}

/// The tokens after the signature.
pub(crate) enum Block {
    /// The tokens between braces, and the span of the braces.
    Braced(TokenStream, Span),
    /// A semicolon.
    Missing(Token![;]),
}

impl Function {
    /// Whether it takes `self`, which means that it is in an `impl` or a `trait`.
    pub(crate) fn is_method(&self) -> bool {
        let is_receiver = |input: &Input| matches!(input, Input::Argument(argument) if matches!(**argument, FnArg::Receiver(_)));
        self.inputs.iter().any(is_receiver)
    }
}

/// Reads the item. An item that is not a function gets an error and is kept. A function that cannot be parsed is dropped,
/// because rustc would only report more errors about it.
pub(crate) fn parse(item: &TokenStream, errors: &mut Errors) -> Result<Function, TokenStream> {
    (|input: ParseStream<'_>| function(input)).parse2(item.clone()).map_err(|error| {
        errors.push(error);
        let tokens: Vec<_> = item.clone().into_iter().collect();
        let is_function = tokens.windows(2).any(|pair| match pair {
            [TokenTree::Ident(word), TokenTree::Ident(_)] => word == "fn",
            _ => false,
        });
        if is_function { TokenStream::new() } else { item.clone() }
    })
}

fn function(input: ParseStream<'_>) -> syn::Result<Function> {
    let attributes = input.call(Attribute::parse_outer)?;
    let visibility = input.parse()?;
    let start = input.span();
    let mut qualifiers = Vec::new();
    while !input.peek(Token![fn]) {
        let span = input.span();
        match input.call(Ident::parse_any) {
            Ok(word) if QUALIFIERS.iter().any(|known| word == known) => {
                let abi = input.parse::<Option<LitStr>>()?;
                let text = word.to_string();
                let mut tokens = word.into_token_stream();
                abi.to_tokens(&mut tokens);
                qualifiers.push((text, tokens));
            }
            _ => {
                // The first word shows what the item is instead of a function.
                let span = if qualifiers.is_empty() { span } else { start };
                return Err(syn::Error::new(
                    span,
                    "`td_kernel` applies to a function: write `unsafe fn name(#[each] x: &[f32], …) { r#\"…\"# }`",
                ));
            }
        }
    }
    let fn_token = input.parse()?;
    let name = input.parse()?;
    let mut generics: Generics = input.parse()?;
    let content;
    parenthesized!(content in input);
    let inputs = pieces(content.parse()?).into_iter().map(self::input).collect();
    let output = input.parse()?;
    generics.where_clause = input.parse()?;
    let body = if input.peek(Token![;]) {
        Block::Missing(input.parse()?)
    } else {
        let content;
        let braces = braced!(content in input);
        Block::Braced(content.parse()?, braces.span.join())
    };
    Ok(Function {
        attributes,
        visibility,
        qualifiers,
        fn_token,
        name,
        generics,
        inputs,
        output,
        body,
    })
}

/// The words that can precede `fn`.
const QUALIFIERS: &[&str] = &["const", "async", "unsafe", "extern", "default", "safe"];

/// Splits the parameters, so that an unreadable one does not affect the others. If a comma is missing, which rustc reports, the
/// next parameter still begins at its attribute or its name.
fn pieces(tokens: TokenStream) -> Vec<TokenStream> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut pieces = vec![TokenStream::new()];
    let (mut depth, mut is_arrow, mut has_type) = (0_usize, false, false);
    for (at, token) in tokens.iter().enumerate() {
        let sign = match token {
            TokenTree::Punct(sign) => Some(sign.as_char()),
            _ => None,
        };
        let names = matches!(token, TokenTree::Ident(_))
            && matches!(tokens.get(at + 1), Some(TokenTree::Punct(colon)) if colon.as_char() == ':' && colon.spacing() == Spacing::Alone);
        let begins = sign == Some('#') || (names && !ends_in_attribute(&tokens[..at]));
        if depth == 0 && (sign == Some(',') || (has_type && begins)) {
            pieces.push(TokenStream::new());
            has_type = false;
        }
        match sign {
            Some('<') => depth += 1,
            Some('>') if !is_arrow => depth = depth.saturating_sub(1),
            _ => {}
        }
        is_arrow = matches!(token, TokenTree::Punct(sign) if sign.as_char() == '-' && sign.spacing() == Spacing::Joint);
        has_type |= depth == 0 && sign == Some(':');
        if let Some(piece) = pieces.last_mut().filter(|_| sign != Some(',') || depth > 0) {
            piece.extend([token.clone()]);
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// Whether these tokens end in an attribute.
fn ends_in_attribute(tokens: &[TokenTree]) -> bool {
    matches!(tokens, [.., TokenTree::Punct(hash), TokenTree::Group(_)] if hash.as_char() == '#')
}

fn input(piece: TokenStream) -> Input {
    match syn::parse2::<FnArg>(piece.clone()) {
        Ok(argument) => Input::Argument(Box::new(argument)),
        Err(_) if piece.to_string().ends_with("...") => Input::Variadic(piece),
        Err(_) => Input::Unknown(piece),
    }
}

impl Block {
    /// The span of the block.
    pub(crate) fn span(&self) -> Span {
        match self {
            Block::Braced(tokens, braces) if tokens.is_empty() => *braces,
            Block::Braced(tokens, _) => tokens.span(),
            Block::Missing(semicolon) => semicolon.span(),
        }
    }
}

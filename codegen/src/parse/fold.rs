//! `#[fold] x: T`: the folds of a pair's features, and their checks: a kernel with folds needs features.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::Parser;
use syn::spanned::Spanned;
use syn::{Attribute, LitStr, Meta, PatType, Token, Type};

use super::{Signature, start};
use crate::cuda_type::{self, CudaType};
use crate::element::{bare, element};
use crate::errors::Errors;
use crate::model::{Fold, Parameter};
use crate::{names, scan};

/// The message with a fold's spelling.
const EXAMPLES: &str = "write `#[fold]` or `#[fold(start = \"INFINITY\")]`";

/// Whether the parameter is a fold.
pub(super) fn is_marked(typed: &PatType) -> bool {
    typed.attrs.iter().any(is_fold)
}

fn is_fold(attribute: &Attribute) -> bool {
    attribute.path().is_ident("fold")
}

/// Reads a fold: `None` for a wrong one, after adding an error.
pub(super) fn parse(typed: &PatType, name: Ident, errors: &mut Errors) -> Option<Fold> {
    let mut start = None;
    let mut is_right = true;
    for (at, attribute) in typed.attrs.iter().enumerate() {
        if !is_fold(attribute) {
            errors.at(
                attribute,
                "a fold belongs to a pair, so it cannot have another attribute: remove it",
            );
            is_right = false;
        } else if typed.attrs[..at].iter().any(is_fold) {
            errors.at(attribute, "`#[fold]` is given twice: keep one of the two");
            is_right = false;
        } else {
            match start_of(attribute) {
                Ok(found) => start = found,
                Err(error) => {
                    errors.push(error);
                    is_right = false;
                }
            }
        }
    }
    let (cuda, size) = state(bare(&typed.ty), errors)?;
    if let Some(text) = &start
        && let Err(message) = start::check(&text.value(), &cuda)
    {
        errors.at(text, message);
        is_right = false;
    }
    is_right.then_some(Fold { name, cuda, size, start })
}

/// The type of a fold, whose members are known, and its size.
fn state(ty: &Type, errors: &mut Errors) -> Option<(CudaType, u32)> {
    if let Type::Reference(reference) = ty {
        let inner = match bare(&reference.elem) {
            Type::Path(path) if path.path.segments.iter().all(|each| each.arguments.is_none()) => {
                path.to_token_stream().to_string().replace(' ', "")
            }
            _ => "f32".into(),
        };
        errors.at(ty, format!("a fold is a local variable of a pair, not an argument of a launch: write `{inner}`, and write the fold's final value to an output in the body `pair`"));
        return None;
    }
    let (cuda, _) = element(ty, errors)?;
    let Some(size) = cuda_type::size(&cuda) else {
        errors.at(ty, "a fold must be a number or a vector of numbers: write `f32` or `[f32; 4]`, with one parameter for each field of a struct");
        return None;
    };
    if cuda_type::is_half(&cuda) {
        let instead = match cuda_type::parts(&cuda) {
            Some((_, count)) => format!("[f32; {count}]"),
            None => "f32".into(),
        };
        errors.at(ty, format!("a 16-bit fold would be rounded at every feature: write `{instead}`, which is rounded only once, in a 16-bit output"));
        return None;
    }
    Some((cuda, size))
}

/// The error at an unknown key of a fold.
fn only_start(key: &Ident) -> syn::Error {
    syn::Error::new(key.span(), format!("`#[fold]` takes only the key `start`: {EXAMPLES}"))
}

/// The string in `#[fold(start = "…")]`.
fn start_of(attribute: &Attribute) -> syn::Result<Option<LitStr>> {
    let list = match &attribute.meta {
        Meta::Path(_) => return Ok(None),
        Meta::List(list) if !list.tokens.is_empty() => list,
        _ => {
            return Err(syn::Error::new_spanned(
                attribute,
                format!("a fold starts at zero or at the value of `start`: {EXAMPLES}"),
            ));
        }
    };
    let parser = |input: syn::parse::ParseStream<'_>| {
        let Ok(key) = input.call(Ident::parse_any) else {
            let value = input.parse::<TokenStream>()?;
            let message = match syn::parse2::<LitStr>(value.clone()) {
                Ok(text) => {
                    format!(
                        "the start value needs its key: write `#[fold(start = {})]`",
                        text.token()
                    )
                }
                Err(_) => format!("a fold starts at zero or at the value of `start`: {EXAMPLES}"),
            };
            return Err(syn::Error::new(value.span(), message));
        };
        if key != "start" {
            // The rest is ignored.
            input.parse::<TokenStream>()?;
            return Err(only_start(&key));
        }
        let value = match input.parse::<Option<Token![=]>>()? {
            Some(_) => input.parse::<TokenStream>()?,
            None => TokenStream::new(),
        };
        let text = |input: syn::parse::ParseStream<'_>| {
            let text = input.parse::<LitStr>()?;
            let comma = input.parse::<Option<Token![,]>>()?;
            let next = comma.and_then(|_| input.call(Ident::parse_any).ok());
            if next.is_some() {
                input.parse::<TokenStream>()?;
            }
            Ok((text, next))
        };
        let read = text.parse2(value.clone());
        if let Ok((_, Some(next))) = &read {
            return Err(match next == "start" {
                true => syn::Error::new(next.span(), "`start` is given twice: keep one of the two"),
                false => only_start(next),
            });
        }
        read.map(|(text, _)| text).map_err(|_| {
            let shown = value.to_string();
            let is_quoted = shown.is_empty() || shown.contains('"');
            let span = if value.is_empty() { key.span() } else { value.span() };
            let shown = if is_quoted { "INFINITY" } else { &shown };
            syn::Error::new(
                span,
                format!("`start` must be one string with an expression of CUDA C++: write `start = \"{shown}\"`"),
            )
        })
    };
    list.parse_args_with(parser).map(Some)
}

/// Checks that a fold starts at an expression of constants. In the kernel, other names mean the kernel's own variables.
fn check_start(fold: &Fold, Signature { parameters, folds, .. }: &Signature, errors: &mut Errors) {
    let Some(start) = &fold.start else { return };
    let parameters = parameters.iter().map(Parameter::plain_name);
    let known: Vec<_> = parameters.chain(folds.iter().map(Fold::plain_name)).collect();
    for name in scan::read(&start.value(), 1).names {
        if names::is_in_scope(&name) || known.contains(&name) {
            errors.at(
                start,
                format!(
                    "a fold must start at a constant, but `{name}` is known only in a launch: write a constant expression, and use `{name}` in the body `feature` or `pair`"
                ),
            );
        } else if names::is_variable(&name) {
            errors.at(
                start,
                format!(
                    "`{name}` is also a name in the generated source, which contains the start of the fold: rename your constant, for example to `CUTOFF`"
                ),
            );
        }
    }
}

/// Checks features and folds against each other: one size, names, folds only with features.
pub(super) fn check(signature: &Signature, errors: &mut Errors) {
    let Signature { parameters, folds, .. } = signature;
    let mut all = parameters.iter().filter(|each| each.features().is_some());
    let first = all.next();
    for other in all {
        if let Some(first) = first.filter(|first| first.size() != other.size()) {
            let message = format!(
                "a block stages the same number of features of each parameter, so all features must have the same size: write a type with as many bytes as a feature of `{}`",
                first.plain_name()
            );
            errors.span(other.name.span(), message);
        }
    }
    let Some(features) = first else {
        for fold in folds.iter().filter(|_| signature.is_complete()) {
            errors.span(fold.name.span(), "a fold accumulates the features of a pair, but no element has features: write `#[each] p: &Features<f32>`, or declare a variable in the body");
        }
        return;
    };
    for fold in folds {
        check_start(fold, signature, errors);
    }
    if !signature.has_folds && signature.product.is_none() {
        errors.span(features.name.span(), "a kernel over features needs a fold or their product: write a parameter like `#[fold] sum: f32`, to which the body `feature` adds, or `#[dot] dot: f32`");
    }
    let names = parameters.iter().map(|each| &each.name);
    for name in names.chain(folds.iter().map(|each| &each.name)) {
        if let Some(message) = names::refused_of_features(&name.unraw().to_string()) {
            errors.span(name.span(), message);
        }
    }
}

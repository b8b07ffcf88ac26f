//! The annotated function: what must and must not be on it, and its parameters.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{AttrStyle, Attribute, FnArg, ItemFn, Meta, Pat, PatType, ReturnType};

use crate::errors::Errors;
use crate::model::{Kind, Parameter};
use crate::names;
use crate::parse::types;

/// Parses the item, or says what the attribute goes on.
pub(crate) fn parse(item: &TokenStream) -> syn::Result<ItemFn> {
    syn::parse2::<ItemFn>(item.clone()).map_err(|error| {
        let is_function = item.clone().into_iter().any(|token| token.to_string() == "fn");
        if is_function {
            error
        } else {
            syn::Error::new_spanned(
                item,
                "`td_kernel` goes on a function: `unsafe fn name(#[each] x: &[f32], …) { r#\"…\"# }`",
            )
        }
    })
}

/// Refuses what a kernel cannot be.
pub(crate) fn check(function: &ItemFn, errors: &mut Errors) {
    let signature = &function.sig;
    if let Some(message) = names::refused(&signature.ident.unraw().to_string()) {
        errors.span(signature.ident.span(), message);
    }
    let is_inner = |attribute: &&Attribute| matches!(attribute.style, AttrStyle::Inner(_));
    for attribute in function.attrs.iter().filter(is_inner) {
        errors.at(
            attribute,
            "the body of a kernel holds CUDA C++ only: write this before the function, without `!`",
        );
    }
    if !matches!(signature.safety, syn::Safety::Unsafe(_)) {
        errors.at(
            signature.fn_token,
            "a kernel is an `unsafe fn`: its C++ body can do anything, and writing `unsafe` here says \
             that you vouch for it; launching it is then safe",
        );
    }
    let refused: [(Option<TokenStream>, &str); 6] = [
        (tokens(&signature.constness), "a kernel cannot be `const`: remove it"),
        (
            tokens(&signature.asyncness),
            "a kernel cannot be `async`: launches are asynchronous already",
        ),
        (tokens(&signature.abi), "a kernel has no ABI of its own: remove `extern`"),
        (
            (!signature.generics.params.is_empty()).then(|| signature.generics.to_token_stream()),
            "a kernel is compiled for one set of types: remove the generics, and write one kernel a type",
        ),
        (
            // The word, since a `where` without conditions has no tokens besides.
            signature
                .generics
                .where_clause
                .as_ref()
                .map(|clause| clause.where_token.to_token_stream()),
            "a kernel has no generics and so no `where`: remove it",
        ),
        (tokens(&signature.variadic), "a kernel has a fixed number of parameters: remove `...`"),
    ];
    for (tokens, message) in refused {
        if let Some(tokens) = tokens {
            errors.at(tokens, message);
        }
    }
    if let ReturnType::Type(..) = signature.output {
        errors.at(
            &signature.output,
            "a kernel returns nothing: write results to a `&mut Packed<T>`, `&mut Square<T>`, `&mut Sum<T>` or `&mut Pairs` parameter",
        );
    }
}

fn tokens(part: &Option<impl ToTokens>) -> Option<TokenStream> {
    part.as_ref().map(ToTokens::to_token_stream)
}

/// Reads the parameters; `None` in the place of each that is wrong and got an error.
pub(crate) fn parameters(function: &ItemFn, errors: &mut Errors) -> Vec<Option<Parameter>> {
    let mut parameters: Vec<Option<Parameter>> = Vec::new();
    for input in &function.sig.inputs {
        match input {
            FnArg::Receiver(receiver) => {
                errors.at(receiver, "a kernel is a free function: `self` has no meaning here");
            }
            FnArg::Typed(typed) => {
                let parameter = parameter(typed, errors);
                let name = parameter.as_ref().map(|each| each.name.to_string());
                let others = parameters.iter().flatten();
                if name.is_some_and(|name| others.clone().any(|other| other.name == name)) {
                    // rustc never sees these as the parameters of one function.
                    errors.at(
                        &typed.pat,
                        "two parameters have this name: choose another for one of them",
                    );
                    parameters.push(None);
                } else {
                    parameters.push(parameter);
                }
            }
        }
    }
    parameters
}

fn parameter(typed: &PatType, errors: &mut Errors) -> Option<Parameter> {
    let each = each_marker(&typed.attrs, errors);
    let name = match &*typed.pat {
        Pat::Ident(pattern)
            if pattern.by_ref.is_none()
                && pattern.mutability.is_none()
                && pattern.subpat.is_none() =>
        {
            pattern.ident.clone()
        }
        pattern => {
            errors.at(pattern, "a parameter of a kernel is a plain name: `x: &[f32]`");
            return None;
        }
    };
    if let Some(message) = names::refused_parameter(&name.unraw().to_string()) {
        errors.span(name.span(), message);
        return None;
    }
    let parsed = types::parameter(&typed.ty, errors)?;
    let kind = match (each, parsed.kind) {
        (false, kind) => kind,
        (true, Kind::Slice) => Kind::Each,
        (true, _) => {
            errors.span(
                typed.ty.span(),
                "`#[each]` goes on a shared slice, whose elements the pairs are made of: write `&[T]`",
            );
            return None;
        }
    };
    Some(Parameter { name, kind, cuda: parsed.cuda, rust: parsed.rust })
}

/// Whether `#[each]` is there; any other attribute on a parameter is an error.
fn each_marker(attributes: &[Attribute], errors: &mut Errors) -> bool {
    let mut each = false;
    for attribute in attributes {
        match &attribute.meta {
            Meta::Path(path) if path.is_ident("each") && !each => each = true,
            Meta::Path(path) if path.is_ident("each") => {
                errors.at(attribute, "`#[each]` is given twice: keep one of the two");
            }
            Meta::List(list) if list.path.is_ident("each") => {
                errors.at(attribute, "`#[each]` takes nothing: write `#[each]`");
            }
            _ => errors.at(attribute, "a parameter of a kernel takes no attribute but `#[each]`"),
        }
    }
    each
}

/// The attributes that the generated items keep: those of the type (documentation, lint levels),
/// and the conditions (`cfg`) of all.
pub(crate) fn kept_attributes(function: &ItemFn) -> (Vec<TokenStream>, Vec<TokenStream>) {
    let (conditions, attributes): (Vec<_>, Vec<_>) =
        function.attrs.iter().partition(|attribute| attribute.path().is_ident("cfg"));
    let tokens = |attributes: Vec<&Attribute>| {
        attributes.into_iter().map(ToTokens::to_token_stream).collect()
    };
    (tokens(attributes), tokens(conditions))
}

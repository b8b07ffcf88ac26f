//! `#[fold] x: T`: what the features of a pair are folded to. And what goes with it: features, and no others.

use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Attribute, LitStr, Meta, PatType, Token};

use crate::cuda_type;
use crate::element::{bare, element};
use crate::errors::Errors;
use crate::model::{Fold, Parameter};
use crate::{names, scan};

/// Whether the parameter is a fold.
pub(super) fn is_marked(typed: &PatType) -> bool {
    typed.attrs.iter().any(is_fold)
}

fn is_fold(attribute: &Attribute) -> bool {
    attribute.path().is_ident("fold")
}

/// Reads a fold: `None` for a wrong one, after an error was added.
pub(super) fn parse(typed: &PatType, name: Ident, errors: &mut Errors) -> Option<Fold> {
    let mut start = None;
    let mut is_right = true;
    for (at, attribute) in typed.attrs.iter().enumerate() {
        if !is_fold(attribute) {
            errors
                .at(attribute, "a fold belongs to a pair, and takes no other attribute: remove it");
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
    let (cuda, _) = element(bare(&typed.ty), errors)?;
    if cuda_type::size(&cuda).is_none() {
        errors.span(typed.ty.span(), "a fold is a number or a vector of numbers: write `f32` or `[f32; 4]`, and one parameter for each field");
        return None;
    }
    is_right.then_some(Fold { name, cuda, start })
}

/// The expression in `#[fold(start = "…")]`.
fn start_of(attribute: &Attribute) -> syn::Result<Option<String>> {
    if matches!(attribute.meta, Meta::Path(_)) {
        return Ok(None);
    }
    let wrong = |span| {
        syn::Error::new(
            span,
            "a fold starts at zero, or at an expression of CUDA C++: write `#[fold]` or `#[fold(start = \"INFINITY\")]`",
        )
    };
    let Meta::List(list) = &attribute.meta else { return Err(wrong(attribute.span())) };
    let parser = |input: syn::parse::ParseStream<'_>| {
        let key = input.call(Ident::parse_any)?;
        input.parse::<Token![=]>()?;
        let value = input.parse::<LitStr>()?;
        input.parse::<Option<Token![,]>>()?;
        Ok((key, value))
    };
    let (key, value) = list.parse_args_with(parser).map_err(|_| wrong(list.tokens.span()))?;
    if key != "start" {
        return Err(wrong(key.span()));
    }
    let text = value.value();
    let is_expression = !text.trim().is_empty()
        && !text.contains([';', '\n', '#'])
        && !text.contains("//")
        && !text.contains("/*")
        && scan::read(&text, 1).problems.is_empty();
    if !is_expression {
        return Err(wrong(value.span()));
    }
    Ok(Some(text))
}

/// Checks that a fold starts at an expression of constants. It stands in the kernel, where other names mean the kernel's
/// own variables.
fn check_start(
    fold: &Fold,
    parameters: &[Option<Parameter>],
    folds: &[Option<Fold>],
    errors: &mut Errors,
) {
    let Some(start) = &fold.start else { return };
    let parameters = parameters.iter().flatten().map(Parameter::plain_name);
    let known: Vec<_> = parameters.chain(folds.iter().flatten().map(Fold::plain_name)).collect();
    for name in scan::read(start, 1).names {
        if names::is_variable(&name) || known.contains(&name) {
            errors.span(
                fold.name.span(),
                format!(
                    "`{name}` is no constant, and a fold starts before a pair is known: write an expression of constants, and use `{name}` in the text `feature` or `pair`"
                ),
            );
        }
    }
}

/// Checks what belongs to features against each other: one size, names, folds only where there are features. Returns
/// whether the kernel has features, also wrong ones.
pub(super) fn check(
    parameters: &[Option<Parameter>],
    folds: &[Option<Fold>],
    errors: &mut Errors,
) -> bool {
    let mut all = parameters.iter().flatten().filter(|each| each.features().is_some());
    let first = all.next();
    for other in all {
        if let Some(first) = first.filter(|first| first.size() != other.size()) {
            let message = format!(
                "a block stages as many features of each parameter at a time, so they have one size: write a type of as many bytes as a feature of `{}`",
                first.plain_name()
            );
            errors.span(other.name.span(), message);
        }
    }
    let Some(features) = first else {
        let is_known = parameters.iter().all(Option::is_some);
        for fold in folds.iter().flatten().filter(|_| is_known) {
            errors.span(fold.name.span(), "a fold is over the features of a pair, and no element has features: write `#[each] p: &Features<f32>`, or a variable in the body");
        }
        return false;
    };
    for fold in folds.iter().flatten() {
        check_start(fold, parameters, folds, errors);
    }
    if folds.is_empty() {
        errors.span(features.name.span(), "what its features are folded to is missing: write a parameter like `#[fold] sum: f32`, to which the text `feature` adds");
    }
    let names = parameters.iter().flatten().map(|each| &each.name);
    for name in names.chain(folds.iter().flatten().map(|each| &each.name)) {
        if let Some(message) = names::refused_of_features(&name.unraw().to_string()) {
            errors.span(name.span(), message);
        }
    }
    true
}

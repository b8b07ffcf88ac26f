//! `#[dot] dot: f32`: the product of a pair's features, which tensor cores compute where possible, and its error bound. Elsewhere
//! both are folds of the features.

use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::{Attribute, Meta, PatType};
use td_kernel_maps::{PRODUCTS, Sweep, Tiling};

use crate::cuda_type;
use crate::element::{bare, element};
use crate::errors::Errors;
use crate::model::{Body, Dot, End, Fold, Parameter, Role, Variant};
use crate::scan;

/// Whether the parameter is the product of features.
pub(super) fn is_marked(typed: &PatType) -> bool {
    typed.attrs.iter().any(is_dot)
}

fn is_dot(attribute: &Attribute) -> bool {
    attribute.path().is_ident("dot")
}

/// Reads the product, even a wrong one.
pub(super) fn parse(typed: &PatType, name: Ident, errors: &mut Errors) -> Option<Fold> {
    for (at, attribute) in typed.attrs.iter().enumerate() {
        if !is_dot(attribute) {
            errors.at(attribute, "`#[dot]` marks the product of a pair's features, so it cannot have another attribute: remove it");
        } else if typed.attrs[..at].iter().any(is_dot) {
            errors.at(attribute, "`#[dot]` is given twice: keep one of the two");
        } else if !matches!(attribute.meta, Meta::Path(_)) {
            errors.at(attribute, "`#[dot]` does not take arguments: write `#[dot]`");
        }
    }
    let float = cuda_type::primitive("f32");
    if element(bare(&typed.ty), errors).is_some_and(|(cuda, _)| Some(cuda) != float) {
        errors.at(
            &typed.ty,
            "the product of a pair's features is a 32-bit float: write `#[dot] dot: f32`",
        );
    }
    float.map(|cuda| Fold { name, cuda, start: None })
}

/// The product of features of a kernel whose parameters are right, if it has one: an error without features of floats of both
/// elements, or beside folds.
pub(super) fn check(
    dot: Option<&Fold>,
    parameters: &[Option<Parameter>],
    folds: &[Option<Fold>],
    errors: &mut Errors,
) {
    let Some(dot) = dot else { return };
    let span = dot.name.span();
    if let Some(fold) = folds.iter().flatten().next() {
        errors.span(fold.name.span(), "a kernel with `#[dot]` has one body, which gets the product of the features, so it cannot fold them: remove `#[fold]`, or write the product as a fold");
    }
    if parameters.iter().any(Option::is_none) {
        return;
    }
    let features: Vec<_> =
        parameters.iter().flatten().filter(|each| each.features().is_some()).collect();
    let ends: Vec<_> = features.iter().filter_map(|each| each.features()).collect();
    let is_float =
        |each: &&Parameter| matches!(each.cuda.name.as_str(), "float" | "td_f16" | "td_bf16");
    if !matches!(ends[..], [End::Each] | [End::Row, End::Column] | [End::Column, End::Row]) {
        errors.span(span, "a product needs the features of a pair's two elements: write `#[each] p: &Features<f32>`, or `#[row] q: &Features<f32>` and `#[column] p: &Features<f32>`");
    } else if !features.iter().all(is_float) {
        let wrong =
            features.iter().find(|each| !is_float(each)).map_or(span, |each| each.name.span());
        errors.span(wrong, "`#[dot]` multiplies features that are floats: write `&Features<f32>`, `&Features<f16>` or `&Features<bf16>`, or write the product as a fold");
    }
    let name = error_name(&dot.name);
    if parameters.iter().flatten().any(|each| each.plain_name() == name) {
        errors.span(span, format!("`{name}` is in scope in the body, as the error bound of `{}`: choose another name for the parameter", dot.plain_name()));
    }
}

fn error_name(dot: &Ident) -> String {
    format!("{}_error", dot.unraw())
}

/// Reports a product that the body does not use.
pub(super) fn check_use(dot: &Ident, pair: &Body, errors: &mut Errors) {
    if !pair.uses(&dot.unraw().to_string()) && !pair.uses(&error_name(dot)) {
        errors.span(
            dot.span(),
            format!("the body does not use `{dot}`, the product of the features: use it, or remove it and the features"),
        );
    }
}

/// The product, the fold of its error bound if the body uses that, and the body that folds both.
pub(super) fn folded(
    dot: &Ident,
    parameters: &[Option<Parameter>],
    pair: &Body,
) -> (Dot, Option<Fold>, Body) {
    let (name, error) = (dot.unraw().to_string(), error_name(dot));
    let feature = |wanted: End| {
        let found = parameters.iter().flatten().find_map(|each| {
            let end = each.features().filter(|end| *end == wanted || *end == End::Each)?;
            let name = each.plain_name();
            Some(match (end, wanted) {
                (End::Each, End::Column) => format!("(float){name}.j"),
                (End::Each, _) => format!("(float){name}.i"),
                _ => format!("(float){name}"),
            })
        });
        found.unwrap_or_default()
    };
    let (row, column) = (feature(End::Row), feature(End::Column));
    let fold = cuda_type::primitive("f32").filter(|_| pair.uses(&error)).map(|cuda| Fold {
        name: Ident::new(&error, dot.span()),
        cuda,
        start: None,
    });
    let text =
        crate::cuda::folded_product([&row, &column], &name, fold.is_some().then_some(&error));
    let scan = scan::body(&text, 1, None);
    let body = Body { text, file: String::new(), line: 1, column: 0, scan, included: None };
    (Dot { name, has_error: fold.is_some() }, fold, body)
}

/// The variant whose products are from tensor cores, if the kernel can have it.
pub(super) fn variant(deterministic: bool, parameters: &[Option<Parameter>]) -> Option<Variant> {
    let known = || parameters.iter().flatten();
    let first = known().find(|each| each.features().is_some())?;
    let is_right = known().all(|each| match each.kind.role() {
        // One kind of floats.
        Role::Features(_) => each.cuda == first.cuda,
        Role::Neighbours(_) => false,
        _ => !(deterministic && each.kind.adds_floats(each)),
    });
    let tiling = Tiling::new(Sweep::Product, 128);
    is_right.then_some(Variant { map: PRODUCTS, linear: false, tiling })
}

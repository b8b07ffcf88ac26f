//! `#[dot] dot: f32`, or `i32`: the product of a pair's features, which tensor cores compute where possible, and its error bound.
//! Elsewhere both are folds of the features, or the kernel's own folds replace them.

use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::{Attribute, Meta, PatType};
use td_kernel_geometry::{NEAREST_PRODUCTS, PRODUCTS, Sweep};

use super::dot_error::{error_name, is_exact};
use super::{Bodies, Signature};
use crate::cuda_type;
use crate::element::{bare, element};
use crate::errors::Errors;
use crate::model::bytes::are_bytes;
use crate::model::{Body, Dot, End, Fold, Parameter, Variant};
use crate::names::EXACT;
use crate::scan;
use crate::support::{self, Visit};

/// The types of a product of floats, and of 8-bit integers.
const NUMBERS: [&str; 2] = ["f32", "i32"];

/// The bytes of one of these.
const BYTES: u32 = 4;

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
    let cuda = element(bare(&typed.ty), errors).map(|(cuda, _)| cuda);
    if cuda.as_ref().is_some_and(|cuda| !cuda_type::is_one_of(cuda, &NUMBERS)) {
        errors.at(
            &typed.ty,
            "the product of a pair's features is a 32-bit float, or a 32-bit integer for features of 8 bits: write `#[dot] dot: f32` or `#[dot] dot: i32`",
        );
    }
    // `check` compares only types of products, so a wrong type has one error.
    let cuda = cuda.or_else(|| cuda_type::primitive("u32"))?;
    Some(Fold { name, cuda, size: BYTES, start: None })
}

/// The product of features of a kernel whose parameters are right, if it has one: an error without features of floats of both
/// elements. Beside folds, the body `quick` gets it.
pub(super) fn check(signature: &Signature, errors: &mut Errors) {
    let Signature { parameters, folds, product, .. } = signature;
    let Some(dot) = product else { return };
    let span = dot.name.span();
    if signature.has_folds {
        check_quick(dot, parameters, folds, errors);
    }
    parameters.iter().for_each(|each| support::check(each, Visit::Products, errors));
    if !signature.is_complete() {
        return;
    }
    let features: Vec<_> = parameters.iter().filter(|each| each.features().is_some()).collect();
    let ends: Vec<_> = features.iter().filter_map(|each| each.features()).collect();
    let is_number = |each: &&Parameter| {
        are_bytes(each) || matches!(each.cuda.name.as_str(), "float" | "td_f16" | "td_bf16")
    };
    if !matches!(ends[..], [End::Each] | [End::Row, End::Column] | [End::Column, End::Row]) {
        errors.span(span, "a product needs the features of a pair's two elements: write `#[each] p: &Features<f32>`, or `#[row] q: &Features<f32>` and `#[column] p: &Features<f32>`");
    } else if let Some(wrong) = features.iter().find(|each| !is_number(each)) {
        errors.span(wrong.name.span(), "`#[dot]` multiplies features that are floats or 8-bit integers: write `&Features<f32>`, `f16`, `bf16`, `i8` or `u8`, or write the product as a fold");
    } else if is_exact(parameters) && dot.cuda.name == "float" {
        errors.span(
            span,
            "the product of 8-bit integers is a 32-bit integer: write `#[dot] dot: i32`",
        );
    } else if !is_exact(parameters) && dot.cuda.name == "int" {
        errors.span(span, "the product of floats is a float: write `#[dot] dot: f32`, or write features of `i8` or `u8`");
    }
    if is_exact(parameters) {
        return;
    }
    let name = error_name(&dot.name);
    let others = parameters.iter().map(Parameter::plain_name);
    if others.chain(folds.iter().map(Fold::plain_name)).any(|each| each == name) {
        errors.span(span, format!("`{name}` is in scope in the body, as the error bound of `{}`: choose another name for the parameter", dot.plain_name()));
    }
}

/// Reports what a kernel with the body `quick` cannot have.
fn check_quick(dot: &Fold, parameters: &[Parameter], folds: &[Fold], errors: &mut Errors) {
    let known = || parameters.iter();
    known().for_each(|each| support::check(each, Visit::Quick, errors));
    let names = known().map(|each| &each.name).chain(folds.iter().map(|each| &each.name));
    for name in names.chain([&dot.name]).filter(|name| name.unraw() == EXACT) {
        errors.span(name.span(), "`exact` is in scope in the body `quick`, as the function that leaves a pair to the other bodies: choose another name");
    }
}

/// Reports a product that no body uses.
pub(super) fn check_use(signature: &Signature, bodies: &Bodies, errors: &mut Errors) {
    let Some(Fold { name: dot, .. }) = &signature.product else { return };
    if let Some(quick) = &bodies.quick {
        check_quick_use(dot, &signature.parameters, [quick, &bodies.pair], errors);
    } else if !bodies.pair.uses(&dot.unraw().to_string()) && !bodies.pair.uses(&error_name(dot)) {
        errors.span(
            dot.span(),
            format!("the body does not use `{dot}`, the product of the features: use it, or remove it and the features"),
        );
    }
}

/// Reports a body `quick` that makes no use of the product or never leaves a pair, and outputs that it does not write.
fn check_quick_use(
    dot: &Ident,
    parameters: &[Parameter],
    [quick, pair]: [&Body; 2],
    errors: &mut Errors,
) {
    let mut uses = [dot.unraw().to_string(), error_name(dot)].into_iter();
    if !uses.any(|name| quick.uses(&name)) {
        errors.span(dot.span(), format!("the body `quick` does not use `{dot}`, the product of the features: use it, or remove it and `quick`"));
    } else if !quick.uses(EXACT) {
        errors.span(dot.span(), format!("the body `quick` does not call `exact()`, so the bodies `feature` and `pair` would never run: call it for the pairs that need more than `{dot}`, or remove the two bodies and the folds"));
    }
    for output in parameters.iter().filter(|each| each.kind.role().is_output()) {
        let (name, written) = (output.plain_name(), output.kind.about().written);
        if pair.uses(&name) && !quick.uses(&name) {
            errors.span(output.name.span(), format!("the body `pair` uses `{name}`, but `quick`, which evaluates most pairs, does not: write `{name}{written}` there too"));
        } else if quick.uses(&name) && !pair.uses(&name) {
            errors.span(output.name.span(), format!("the body `quick` uses `{name}`, but `pair`, which evaluates the other pairs, does not: write `{name}{written}` there too"));
        }
    }
}

/// The product that the body `quick` gets, or the only body.
pub(super) fn described(dot: &Ident, parameters: &[Parameter], body: &Body) -> Dot {
    let is_exact = is_exact(parameters);
    Dot {
        name: dot.unraw().to_string(),
        number: if is_exact { "int" } else { "float" }.to_owned(),
        has_error: !is_exact && body.uses(&error_name(dot)),
    }
}

/// The product, its folds, of which one is that of its error bound if the body uses that, and the body for a feature.
pub(super) fn folded(
    product: Fold,
    parameters: &[Parameter],
    pair: &Body,
) -> (Dot, Vec<Fold>, Body) {
    let name = &product.name;
    let (dot, error) = (described(name, parameters, pair), error_name(name));
    let float = if is_exact(parameters) { "" } else { "(float)" };
    let features = parameters.iter().filter(|each| each.features().is_some());
    let factors = features.flat_map(|each| {
        let ends: &[_] = if each.features() == Some(End::Each) { &[".i", ".j"] } else { &[""] };
        ends.iter().map(|end| format!("{float}{}{end}", each.plain_name()))
    });
    let factors: Vec<_> = factors.collect();
    let fold = cuda_type::primitive("f32").filter(|_| dot.has_error).map(|cuda| Fold {
        name: Ident::new(&error, name.span()),
        cuda,
        size: BYTES,
        start: None,
    });
    let text = match float {
        "" => format!("    {} += {};\n", dot.name, factors.join(" * ")),
        _ => {
            let error = fold.is_some().then_some(&error);
            crate::cuda::folded_product(&factors, &dot.name, error)
        }
    };
    let scan = scan::body(&text, 1, None);
    let body = Body { text, file: String::new(), line: 1, column: 0, scan, included: None };
    (dot, [product].into_iter().chain(fold).collect(), body)
}

/// The variant whose products are from tensor cores, if the kernel can have it.
pub(super) fn variant(deterministic: bool, parameters: &[Parameter]) -> Option<Variant> {
    let is_nearest = parameters.iter().any(|each| each.neighbours_of().is_some());
    let map = if is_nearest { NEAREST_PRODUCTS } else { PRODUCTS };
    let is_folded = support::folded(deterministic, parameters).is_some();
    (!is_folded).then(|| Variant::new(map, Sweep::Product, 128))
}

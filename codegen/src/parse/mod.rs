//! From tokens to the checked model. The attribute, the signature and the bodies are read in this order, and each is checked against
//! those before it. A check reports all errors and changes nothing that was read. A kernel without errors is a `Spec`, from which its
//! variants and the finished kernel follow. Names are compared last, because only the finished kernel has all of its own.

mod arrays;
mod asked;
mod associated;
mod attribute;
mod body;
mod collisions;
mod dot;
mod dot_error;
mod fold;
mod form;
mod function;
mod given_pairs;
mod item;
mod key;
mod launches;
mod lower;
mod many_sets;
mod marks;
mod near;
mod order;
mod prelude;
mod pushes;
mod reduce;
mod rejected;
mod scope;
mod signature;
mod spec;
mod start;
mod sweep;
pub(crate) mod tiles;
mod two_sets;
pub(crate) mod types;
mod unused;
mod value;
mod variants;
mod verbatim;
mod writes;

use proc_macro2::{Ident, Span, TokenStream};

use self::attribute::Keys;
use self::body::Bodies;
use self::function::ASSOCIATED;
pub(crate) use self::rejected::{Outline, Rejected};
use self::signature::Signature;
use self::spec::Spec;
use crate::Files;
use crate::errors::Errors;
use crate::kind;
use crate::model::{Form, Kernel, NearBoxes};

/// Reads an invocation.
pub(crate) fn kernel(
    attribute: TokenStream,
    item: &TokenStream,
    files: &dyn Files,
) -> Result<Kernel, Box<Rejected>> {
    let mut errors = Errors::default();
    let keys = attribute::parse(attribute, files, &mut errors);
    let function = match item::parse(item, &mut errors) {
        Ok(function) => function,
        Err(rest) => return Err(Rejected::item(errors, &rest)),
    };
    function::check(&function, &mut errors);
    let signature = function::signature(&function, &mut errors);
    let form = signature.form();
    check_signature(&keys, &signature, form, &mut errors);
    let bodies = body::parse(&function.body, &keys, &signature, form.elements, files, &mut errors);
    let near = bodies.as_ref().and_then(|bodies| {
        check_bodies(&function.name, &keys, &signature, form, bodies, &mut errors)
    });
    let is_associated = associated::is_associated(&function, files);
    if is_associated {
        errors.span(function.name.span(), ASSOCIATED);
    }
    let Some(bodies) = bodies.filter(|_| errors.is_empty()) else {
        let is_method = function.is_method() || is_associated;
        let outline = Outline::from_signature(function, keys.options.runtime, signature);
        return Err(Rejected::kernel(errors, outline, is_method));
    };
    let prelude_span = keys.prelude.as_ref().map_or_else(Span::call_site, |(_, span)| *span);
    let spec = Spec::new(keys, signature, form, bodies, near);
    let variants = variants::variants(&spec);
    let kernel = spec.into_kernel(function, variants);
    collisions::check(&kernel, prelude_span, &mut errors);
    if errors.is_empty() {
        return Ok(kernel);
    }
    Err(Rejected::kernel(errors, Outline::from_kernel(kernel), false))
}

/// Checks the parameters against each other, and the keys against them.
fn check_signature(keys: &Keys, signature: &Signature, form: Form, errors: &mut Errors) {
    dot::check(signature, errors);
    fold::check(signature, errors);
    kind::check_wide(&signature.parameters, errors);
    arrays::check(&signature.parameters, errors);
    two_sets::check(signature, errors);
    many_sets::check(signature, form, errors);
    reduce::check(keys, signature, form, errors);
    form::check(keys, signature, form, errors);
    sweep::check(keys, signature, form, errors);
}

/// Checks the bodies against the signature and the keys. Returns the boxes of a lower bound, if it is for boxes.
fn check_bodies(
    name: &Ident,
    keys: &Keys,
    signature: &Signature,
    form: Form,
    bodies: &Bodies,
    errors: &mut Errors,
) -> Option<NearBoxes> {
    many_sets::check_bodies(signature, bodies, errors);
    let near = match &bodies.lower {
        Some(lower) if !form.elements.has_features() => {
            near::check(&lower.scan, keys, signature, form, errors)
        }
        lower => {
            order::check(keys.order.as_ref(), errors);
            if lower.is_some() {
                lower::check(keys.asked.deterministic, signature, errors);
            }
            None
        }
    };
    if errors.is_empty() {
        unused::check(name, signature, keys.prelude(), bodies, errors);
        dot::check_use(signature, bodies, errors);
    }
    near
}

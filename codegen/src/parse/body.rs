//! The body: a raw string literal or a file; if features are folded, two or three of these.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::parse::Parser;
use syn::{Local, Pat, Stmt, StmtMacro};

use super::item::Block;
use super::verbatim::Only;
use super::{Keys, Signature, lower, near, pushes, scope, writes};
use crate::Files;
use crate::errors::{Errors, nearest};
use crate::model::{Body, Elements, Parameter};
use crate::scan::{self, Problem, Scan};

const EXPECTED: &str = "the body of a kernel must be one raw string of CUDA C++, `r#\"…\"#`, or `include_str!(\"pair.cu\")`";

/// The message for a kernel over features with a single body.
const TWO: &str = "a kernel over features needs two bodies: write `let feature = r#\"…\"#;`, which runs for each feature of a pair, and `let pair = r#\"…\"#;`, which runs after the last feature";

/// The message for a kernel with a product of features and folds with fewer bodies.
const THREE: &str = "a kernel with `#[dot]` and `#[fold]` needs three bodies: write `let quick = r#\"…\"#;`, which evaluates a pair by the product or calls `exact()`, and `let feature = r#\"…\"#;` and `let pair = r#\"…\"#;`, which evaluate the pairs that called it";

/// The names of the bodies of a kernel over features: two, and one of two others.
const NAMES: [&str; 4] = ["feature", "pair", LOWER, QUICK];

/// The name of the body whose value decides for which pairs the others run.
const LOWER: &str = "lower_bound";

/// The name of the body that runs instead of the others, unless it calls `exact`.
const QUICK: &str = "quick";

/// The bodies of a kernel.
pub(super) struct Bodies {
    /// The bodies for a feature, for the lower bound and for the product, if elements have features.
    pub(super) feature: Option<Body>,
    pub(super) lower: Option<Body>,
    pub(super) quick: Option<Body>,
    /// The body for a pair.
    pub(super) pair: Body,
}

/// The context in which a body is read.
struct BodyContext<'a> {
    files: &'a dyn Files,
    /// The prelude before it.
    prelude: Option<&'a Body>,
    /// The product of features that it gets, if any.
    dot: Option<&'a Ident>,
}

/// Reads and checks the bodies.
pub(super) fn parse(
    block: &Block,
    keys: &Keys,
    signature: &Signature,
    elements: Elements,
    files: &dyn Files,
    errors: &mut Errors,
) -> Option<Bodies> {
    let dot = signature.product.as_ref().map(|product| &product.name);
    let context = &BodyContext { files, prelude: keys.prelude(), dot };
    let is_folded = matches!(elements, Elements::Folded | Elements::Quick);
    let expected = if is_folded { named_bodies(context) } else { EXPECTED };
    let tokens = match block {
        Block::Braced(tokens, _) if !tokens.is_empty() => tokens,
        _ => {
            errors.span(block.span(), format!("the body is missing: {expected}"));
            return None;
        }
    };
    let Ok(statements) = syn::Block::parse_within.parse2(tokens.clone()) else {
        errors.at(tokens, expected);
        return None;
    };
    if is_folded {
        return bodies(&statements, signature, context, errors);
    }
    if !elements.has_features() && has_lower(&statements) {
        return near_bodies(&statements, signature, context, errors);
    }
    let unknown = |statement: &Stmt| {
        let (name, _) = named(statement).filter(|(name, _)| !NAMES.contains(&name.as_str()))?;
        nearest(&name, &[LOWER])
            .map(|near| format!("unknown body `{name}` (did you mean `{near}`?)"))
    };
    if let Some((local, message)) = statements.iter().find_map(|each| Some((each, unknown(each)?)))
    {
        errors.at(local, message);
        return None;
    }
    let is_of_features = |statement: &&Stmt| {
        named(statement).is_some_and(|(name, _)| NAMES.contains(&name.as_str()))
    };
    if let Some(local) = statements.iter().find(is_of_features) {
        errors.at(local, match context.dot {
            Some(dot) if has_lower(&statements) => format!("a kernel with `#[dot]` has no `lower_bound`: write one body without a name, which gets the product `{dot}`, or remove `#[dot]` and write the product as a fold"),
            Some(dot) => format!("a kernel with `#[dot]` and without `#[fold]` has one body, without a name, which gets the product `{dot}`: {EXPECTED}"),
            None => format!("a named body needs elements with features: write `#[each] p: &Features<f32>`, or one body without a name: {EXPECTED}"),
        });
        return None;
    }
    let Some(at) = statements.iter().position(|statement| only(statement).is_some()) else {
        errors.at(tokens, EXPECTED);
        return None;
    };
    for (_, other) in statements.iter().enumerate().filter(|(place, _)| *place != at) {
        errors.at(other, format!("unexpected code beside the body: {EXPECTED}"));
    }
    let parameters = &signature.parameters;
    let name_problems = |scan: &Scan| match context.dot {
        Some(dot) => {
            [scope::product_problems(dot, parameters, scan), output_problems(parameters, scan)]
                .concat()
        }
        None => output_problems(parameters, scan),
    };
    let pair = checked(&only(&statements[at])?, name_problems, context, errors)?;
    Some(Bodies { feature: None, lower: None, quick: None, pair })
}

/// Which bodies a kernel with folds has.
fn named_bodies(context: &BodyContext<'_>) -> &'static str {
    if context.dot.is_some() { THREE } else { TWO }
}

/// The bodies for a feature and for a pair, and the lower bound or the one for the product if there is one.
fn bodies(
    statements: &[Stmt],
    signature: &Signature,
    context: &BodyContext<'_>,
    errors: &mut Errors,
) -> Option<Bodies> {
    let Signature { parameters, folds, .. } = signature;
    // The names in a body follow from the signature, if the signature has no errors.
    let is_known = errors.is_empty();
    let mut bodies: [Option<Option<Body>>; 4] = [None, None, None, None];
    let mut is_right = true;
    for statement in statements {
        let is_new = |place: &usize| bodies[*place].is_none();
        let found = named(statement).and_then(|(name, text)| {
            let place = NAMES.iter().position(|known| *known == name);
            Some((place.filter(is_new)?, text?))
        });
        let Some((place, text)) = found else {
            errors.at(statement, wrong(statement, context));
            is_right = false;
            continue;
        };
        let refused = match (NAMES[place], context.dot) {
            (LOWER, Some(_)) => Some(
                "a kernel with `#[dot]` has no `lower_bound`: write the body `quick` instead, or remove `#[dot]`",
            ),
            (QUICK, None) => Some(
                "the body `quick` evaluates a pair by the product of its features: add the parameter `#[dot] dot: f32`",
            ),
            _ => None,
        };
        if let Some(refused) = refused {
            errors.at(statement, refused);
            is_right = false;
            continue;
        }
        let name_problems = |scan: &Scan| match (NAMES[place], context.dot) {
            _ if !is_known => Vec::new(),
            ("feature", dot) => {
                let dot_problems = scope::dot_problems(dot, context.prelude, "feature", scan);
                [scope::feature_problems(parameters, scan), dot_problems].concat()
            }
            (LOWER, _) => {
                [lower::problems(scan, parameters), scope::lower_problems(parameters, folds, scan)]
                    .concat()
            }
            (QUICK, dot) => {
                let own = scope::quick_problems(dot, parameters, folds, scan);
                [own, output_problems(parameters, scan)].concat()
            }
            (_, dot) => [
                scope::pair_problems(parameters, scan),
                scope::dot_problems(dot, context.prelude, "pair", scan),
                output_problems(parameters, scan),
            ]
            .concat(),
        };
        bodies[place] = Some(checked(&text, name_problems, context, errors));
    }
    let is_needed = |name: &str| name != LOWER && (name != QUICK || context.dot.is_some());
    let mut needed = NAMES.iter().zip(&bodies).filter(|(name, _)| is_needed(name));
    let missing = needed.find(|(_, text)| text.is_none());
    if let Some((missing, _)) = missing.filter(|_| is_right) {
        let all: TokenStream = statements.iter().map(ToTokens::to_token_stream).collect();
        errors.at(all, format!("the body `{missing}` is missing: {}", named_bodies(context)));
    }
    let [feature, pair, lower, quick] = bodies;
    // A wrong one already has an error.
    let (lower, quick) = (present(lower)?, present(quick)?);
    Some(Bodies { feature: Some(feature??), lower, quick, pair: pair?? })
}

/// An optional body: `None` for a wrong one.
fn present(body: Option<Option<Body>>) -> Option<Option<Body>> {
    match body {
        Some(body) => Some(Some(body?)),
        None => Some(None),
    }
}

/// Whether one of the bodies is a lower bound.
fn has_lower(statements: &[Stmt]) -> bool {
    let is_lower = |statement| matches!(named(statement), Some((name, _)) if name == LOWER);
    statements.iter().any(is_lower)
}

/// The bodies of a kernel without features and with a lower bound.
fn near_bodies(
    statements: &[Stmt],
    signature: &Signature,
    context: &BodyContext<'_>,
    errors: &mut Errors,
) -> Option<Bodies> {
    let (mut pair, mut lower) = (None, None);
    for statement in statements {
        let named = named(statement);
        let place = match &named {
            Some((name, Some(_))) if name == "pair" => &mut pair,
            Some((name, Some(_))) if name == LOWER => &mut lower,
            _ => {
                errors.at(statement, format!("this is not one of the bodies: {}", near::TWO));
                continue;
            }
        };
        if place.is_some() {
            errors.at(statement, format!("this body is given twice: {}", near::TWO));
            continue;
        }
        let is_lower = matches!(&named, Some((name, _)) if name == LOWER);
        let name_problems = |scan: &Scan| match is_lower {
            true => near::problems(scan, signature),
            false => output_problems(&signature.parameters, scan),
        };
        let text = named.and_then(|(_, text)| text)?;
        *place = Some(checked(&text, name_problems, context, errors));
    }
    if pair.is_none() {
        errors.at(statements.first()?, format!("the body `pair` is missing: {}", near::TWO));
    }
    Some(Bodies { feature: None, lower: Some(lower??), quick: None, pair: pair?? })
}

/// Problems with the names of slices and outputs in a pair's body.
fn output_problems(parameters: &[Parameter], scan: &Scan) -> Vec<Problem> {
    let slices = scope::slice_problems(parameters, scan);
    [slices, pushes::problems(parameters, scan), writes::problems(parameters, scan)].concat()
}

/// Why a statement is not one of the bodies.
fn wrong(statement: &Stmt, context: &BodyContext<'_>) -> String {
    let expected = named_bodies(context);
    match (statement, named(statement)) {
        (_, Some((name, Some(_)))) if NAMES.contains(&name.as_str()) => {
            format!("the body `{name}` is given twice: keep one of the two")
        }
        (_, Some((name, None))) if NAMES.contains(&name.as_str()) => format!(
            "the body `{name}` must be a raw string or a file: write `let {name} = r#\"…\"#;` or `let {name} = include_str!(\"{name}.cu\");`"
        ),
        (_, Some((name, _))) => format!(
            "unknown body `{name}`: {expected}{}",
            if context.dot.is_some() {
                ""
            } else {
                "; a kernel with nearest neighbours, lists or sums can have a third body, `lower_bound`"
            }
        ),
        (Stmt::Local(_), None) => {
            format!("a body must consist only of `let`, its name, `=` and the string: {expected}")
        }
        _ if only(statement).is_some() => format!("this body has no name: {expected}"),
        _ => format!("this statement is not a body: {expected}"),
    }
}

/// The name and the string of `let name = text;`, if the statement is one.
fn named(statement: &Stmt) -> Option<(String, Option<Only<'_>>)> {
    let Stmt::Local(Local { attrs, pat: Pat::Ident(pattern), init: Some(init), .. }) = statement
    else {
        return None;
    };
    let is_plain = attrs.is_empty()
        && init.diverge.is_none()
        && pattern.by_ref.is_none()
        && pattern.mutability.is_none()
        && pattern.subpat.is_none();
    is_plain.then(|| (pattern.ident.to_string(), Only::of(&init.expr)))
}

/// Reads a body; `None` after adding an error. `name_problems` finds problems with its names.
fn checked(
    only: &Only<'_>,
    name_problems: impl Fn(&Scan) -> Vec<Problem>,
    context: &BodyContext<'_>,
    errors: &mut Errors,
) -> Option<Body> {
    let read = only.read("body", context.files, errors)?;
    let scan = scan::body(&read.text, read.line, context.prelude.map(|prelude| &prelude.scan));
    let name_problems = name_problems(&scan);
    let body = read.checked(scan, &name_problems, errors)?;
    name_problems.is_empty().then_some(body)
}

/// The body, if the statement is one.
fn only(statement: &Stmt) -> Option<Only<'_>> {
    match statement {
        Stmt::Macro(StmtMacro { attrs, mac, .. }) if attrs.is_empty() => Only::file(mac),
        Stmt::Expr(expression, _) => Only::of(expression),
        _ => None,
    }
}

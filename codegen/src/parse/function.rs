//! The annotated function: its required and forbidden parts, and its parameters.

use proc_macro2::Ident;
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Attribute, FnArg, GenericParam, Meta, Pat, PatType, ReturnType};

use super::Signature;
use super::item::{Function, Input};
use crate::errors::Errors;
use crate::kind::{COLUMN, EACH, ROW, SET, SLICE, SLICE_MUT, spellings};
use crate::model::{Kind, Parameter, Role};
use crate::names;
use crate::parse::types::{self, LIFETIME, Parsed};
use crate::parse::{dot, fold};

/// Attributes that rustc accepts only on functions, or that would have no effect on the generated type.
const OF_FUNCTIONS: &[&str] = &[
    "bench", "cold", "export_name", "ignore", "inline", "link_section", "no_mangle",
    "should_panic", "target_feature", "test", "track_caller", "unsafe",
];

/// The message for a kernel among the items of an `impl` or a `trait`.
pub(super) const ASSOCIATED: &str = "a kernel must be a free function, because it becomes a type: write it outside the `impl` or the `trait`";

const PLAIN: &str = "a parameter of a kernel must be a plain name and its type: write `x: &[f32]`";

/// Reports every part of the function that a kernel cannot have.
pub(crate) fn check(function: &Function, errors: &mut Errors) {
    attributes(&function.attributes, errors);
    if let Some(message) = names::refused(&function.name.unraw().to_string()) {
        errors.span(function.name.span(), message);
    }
    if !function.qualifiers.iter().any(|(word, _)| word == "unsafe") {
        errors.at(
            function.fn_token,
            "a kernel must be an `unsafe fn`, because its C++ body can do anything: write `unsafe` here to vouch for the body; launching the kernel is then safe",
        );
    }
    for (word, tokens) in &function.qualifiers {
        match word.as_str() {
            "unsafe" => {}
            "async" => errors.at(
                tokens,
                "a kernel cannot be `async`, because launches are already asynchronous: remove it",
            ),
            "extern" => errors.at(tokens, "a kernel cannot choose its ABI: remove `extern`"),
            _ => errors.at(tokens, format!("a kernel cannot be `{word}`: remove it")),
        }
    }
    let (lifetimes, others): (Vec<_>, Vec<_>) = function
        .generics
        .params
        .iter()
        .partition(|parameter| matches!(parameter, GenericParam::Lifetime(_)));
    for lifetime in lifetimes {
        errors.at(lifetime, LIFETIME);
    }
    if !others.is_empty() {
        errors.at(
            quote!(#(#others),*),
            "a kernel cannot be generic, because it is compiled for one set of types: remove the generics, and write one kernel for each type",
        );
    }
    if let Some(clause) = &function.generics.where_clause {
        // The keyword comes first, since a `where` without conditions has no other tokens.
        let (word, conditions) = (&clause.where_token, &clause.predicates);
        errors.at(
            quote!(#word #conditions),
            "a kernel cannot be generic, so it cannot have a `where` clause: remove it",
        );
    }
    if let ReturnType::Type(..) = function.output {
        errors.at(
            &function.output,
            format!(
                "a kernel cannot return a value: write results to a {} parameter",
                spellings(|kind| kind.output().is_some())
            ),
        );
    }
}

fn attributes(attributes: &[Attribute], errors: &mut Errors) {
    for attribute in attributes {
        let path = attribute.path();
        let last = path.segments.last().map(|segment| segment.ident.to_string());
        let name = last.as_deref().unwrap_or_default();
        if name == "td_kernel" {
            errors.at(attribute, "`#[td_kernel]` is given twice: keep one of the two");
        } else if OF_FUNCTIONS.contains(&name) {
            let brackets = if name == "unsafe" { "(…)" } else { "" };
            errors.at(
                attribute,
                format!("`#[{name}{brackets}]` applies to Rust functions, but a kernel becomes a type: remove it"),
            );
        }
    }
}

/// Reads the parameters. A wrong one adds an error.
pub(super) fn signature(function: &Function, errors: &mut Errors) -> Signature {
    let mut signature = Signature::default();
    let mut names: Vec<String> = Vec::new();
    for (count, input) in function.inputs.iter().enumerate() {
        let typed = match input {
            Input::Argument(argument) => match &**argument {
                FnArg::Typed(typed) => typed,
                FnArg::Receiver(receiver) => {
                    errors.at(receiver, format!("{ASSOCIATED}, without `self`"));
                    continue;
                }
            },
            Input::Variadic(tokens) => {
                errors.at(tokens, "a kernel has a fixed number of parameters: remove `...`");
                continue;
            }
            Input::Unknown(tokens) => {
                errors.at(tokens, PLAIN);
                signature.add(None);
                continue;
            }
        };
        let name = name(typed, &names, errors);
        names.extend(name.as_ref().map(|name| name.unraw().to_string()));
        // A wrong name is replaced by one that no other parameter has.
        let name = name.unwrap_or_else(|| format_ident!("wrong_{count}", span = typed.pat.span()));
        if dot::is_marked(typed) {
            if signature.product.is_some() {
                errors.at(typed, "a kernel has one product of features: keep one `#[dot]`");
            }
            let read = dot::parse(typed, name, errors);
            signature.product = signature.product.or(read);
        } else if fold::is_marked(typed) {
            signature.has_folds = true;
            signature.folds.extend(fold::parse(typed, name, errors));
        } else {
            signature.add(parameter(typed, name, errors));
        }
    }
    signature.with_sets()
}

/// The name of a parameter; an error if it is not an identifier, or an earlier parameter has the same name.
fn name(typed: &PatType, others: &[String], errors: &mut Errors) -> Option<Ident> {
    let Pat::Ident(pattern) = &*typed.pat else {
        errors.at(&typed.pat, PLAIN);
        return None;
    };
    let name = pattern.ident.unraw().to_string();
    let mut is_right = true;
    let mut wrong = |span: &dyn ToTokens, message: String| {
        errors.at(span, message);
        is_right = false;
    };
    if pattern.by_ref.is_some() || pattern.mutability.is_some() || pattern.subpat.is_some() {
        wrong(pattern, PLAIN.into());
    }
    if let Some(message) = names::refused_parameter(&name) {
        wrong(&pattern.ident, message);
    }
    if others.contains(&name) {
        // rustc never sees these names as parameters of one function, so it cannot report duplicates.
        wrong(&pattern.ident, "two parameters have this name: rename one of them".into());
    }
    is_right.then(|| pattern.ident.clone())
}

/// Reads a parameter: its attributes and its type, even if one of them is wrong.
fn parameter(typed: &PatType, name: Ident, errors: &mut Errors) -> Option<Parameter> {
    let marker = marker(&typed.attrs, errors);
    let parsed = types::parameter(&typed.ty, marker.map(|(name, _)| name), errors)?;
    // These types have attributes of their own.
    let is_result = parsed.written.is_some()
        && matches!(
            parsed.kind.role(),
            Role::Result(_)
                | Role::Features(_)
                | Role::Neighbours(_)
                | Role::Elements
                | Role::Row
                | Role::Column
        );
    let is_for_sets = marker.is_some_and(|(name, _)| name == SET);
    if is_for_sets && !parsed.kind.is_of_set() {
        errors.span(typed.ty.span(), "`#[set]` applies to `&mut Minima<T>` and `&mut Maxima<T>`, the extremes of each set: remove it, and write `total.add(set, value)` with a `total: &mut Histogram<T>` for a sum of each set");
    } else if let Some((name, _)) = marker
        && !is_for_sets
        && parsed.kind != SLICE
        && !is_result
    {
        let message = match parsed.kind.output() {
            Some("Sum") => "a `Sum` is one total over all pairs: write `&mut Sums<T>` for a sum of each element, or remove the attribute".into(),
            Some(name @ ("Max" | "Min")) => format!("a `{name}` is one value over all pairs: write `&mut {name}ima<T>` for a value of each element, or remove the attribute"),
            Some("Histogram") => "a `Histogram` counts all pairs: remove the attribute".into(),
            _ => format!(
                "`#[{name}]` applies to a shared slice of elements, or to features or results of elements: write `&[T]`, `&Features<T>`, `&mut Sums<T>`, `&mut Minima<T>`, `&mut Maxima<T>` or `&mut Nearest<T, K>`"
            ),
        };
        errors.span(typed.ty.span(), message);
    }
    let kind = match (marker, parsed.kind) {
        (_, kind) if is_result || kind.is_of_set() => kind,
        (None, kind) => kind,
        (Some((_, marked)), kind) if kind == SLICE || kind == SLICE_MUT => marked,
        (Some(_), _) => return None,
    };
    let Parsed { cuda, rust, written, neighbours, .. } = parsed;
    Some(Parameter { name, kind, cuda, rust, written, neighbours, number_of: None })
}

/// The attributes of the elements of pairs and of sets, and the kind of a slice with each. Sets have no slices.
const MARKERS: &[(&str, &dyn Kind)] =
    &[("each", EACH), ("row", ROW), ("column", COLUMN), (SET, SLICE)];

/// The parameter's attribute; any other attribute on a parameter is an error.
fn marker(
    attributes: &[Attribute],
    errors: &mut Errors,
) -> Option<(&'static str, &'static dyn Kind)> {
    let mut found: Option<(&str, &dyn Kind)> = None;
    for attribute in attributes {
        let meta = &attribute.meta;
        let Some(&(name, kind)) = MARKERS.iter().find(|(name, _)| meta.path().is_ident(name))
        else {
            errors.at(
                attribute,
                "a parameter of a kernel can only have the attributes `#[each]`, `#[row]`, `#[column]`, `#[set]`, `#[fold]` and `#[dot]`: write one of these, or remove it",
            );
            continue;
        };
        if !matches!(meta, Meta::Path(_)) {
            errors.at(attribute, format!("`#[{name}]` does not take arguments: write `#[{name}]`"));
        }
        match found {
            None => found = Some((name, kind)),
            Some((first, _)) if first == name => {
                errors.at(attribute, format!("`#[{name}]` is given twice: keep one of the two"));
            }
            Some((first, _)) => errors.at(
                attribute,
                format!(
                    "`#[{name}]` and `#[{first}]` mark different elements: keep one of the two"
                ),
            ),
        }
    }
    found
}

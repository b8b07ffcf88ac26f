//! The attribute's C++ beside the bodies: `prelude = …` and `constants(…)`.

use proc_macro2::{Ident, Span, TokenStream};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Expr, Token, Type};

use super::key::separated;
use super::value::is_plain;
use super::verbatim::Only;
use crate::Files;
use crate::element::bare;
use crate::errors::{Errors, list};
use crate::model::{Body, Constant};
use crate::{names, scan};

/// The types of a constant: those of the runtime's `Constant`.
const TYPES: &[&str] =
    &["f32", "f64", "i8", "i16", "i32", "i64", "isize", "u8", "u16", "u32", "u64", "usize", "bool"];

/// The message with a constant's spelling.
const CONSTANT: &str =
    "a constant needs a name, a type and a value: write `CUTOFF: f32 = crate::CUTOFF`";

/// Reads the constants between the parentheses of `constants`. After a wrong one, the next one is still read.
pub(super) fn constants(tokens: TokenStream, errors: &mut Errors) -> Vec<Constant> {
    let mut names: Vec<String> = Vec::new();
    let mut checked = |input: ParseStream<'_>, errors: &mut Errors| {
        let constant = constant(input)?;
        let name = constant.plain_name();
        if names.contains(&name) {
            errors.span(constant.name.span(), "two constants have this name: rename one of them");
        }
        if let Some(message) = names::refused_parameter(&name) {
            errors.span(constant.name.span(), message);
        }
        names.push(name);
        Ok(constant)
    };
    let parser = |input: ParseStream<'_>| Ok(separated(input, "constants", errors, &mut checked));
    parser.parse2(tokens).unwrap_or_else(|error| {
        errors.push(error);
        Vec::new()
    })
}

fn constant(input: ParseStream<'_>) -> syn::Result<Constant> {
    let name = input.call(Ident::parse_any);
    let name = name.map_err(|error| syn::Error::new(error.span(), CONSTANT))?;
    let expected = |_| syn::Error::new(name.span(), CONSTANT);
    input.parse::<Token![:]>().map_err(expected)?;
    let ty: Type = input.parse().map_err(expected)?;
    let number = number(&ty).ok_or_else(|| {
        let message =
            format!("a constant must be a number or a `bool`: write one of {}", list(TYPES));
        syn::Error::new_spanned(&ty, message)
    });
    input.parse::<Token![=]>().map_err(expected)?;
    let value = input.parse().map_err(expected)?;
    Ok(Constant { name, number: number?, value })
}

/// The type of a constant, by its short name.
fn number(ty: &Type) -> Option<&'static str> {
    let Type::Path(path) = bare(ty) else { return None };
    let name = path.path.get_ident().filter(|_| path.qself.is_none())?.to_string();
    TYPES.iter().copied().find(|known| *known == name)
}

/// Reads the prelude, and the span for messages about it; `None` for a wrong one, after adding an error.
pub(super) fn prelude(
    value: &Expr,
    files: &dyn Files,
    errors: &mut Errors,
) -> Option<(Body, Span)> {
    let Some(only) = Only::of(value) else {
        let hint = match value {
            Expr::Path(path) if is_plain(path) => {
                ", because a macro cannot read the value of a constant"
            }
            _ => "",
        };
        errors.at(
            value,
            format!("`prelude` must be CUDA C++ in a raw string or a file{hint}: write `prelude = r#\"…\"#` or `prelude = include_str!(\"functions.cuh\")`"),
        );
        return None;
    };
    if let Some(path) = only.path() {
        let message = format!(
            "this string looks like a path, not like C++: write `prelude = include_str!(\"{path}\")` for a file, or C++ in a raw string, `prelude = r#\"…\"#`"
        );
        errors.at(value, message);
        return None;
    }
    let mut read = only.read("prelude", files, errors)?;
    read.text = without_guard(&read.text);
    let (scan, span) = (scan::prelude(&read.text, read.line), read.span);
    Some((read.checked(scan, &[], errors)?, span))
}

/// Blanks the line `#pragma once`, which a compiler would warn about outside of a header.
fn without_guard(text: &str) -> String {
    let is_guard = |line: &str| {
        let directive = line.trim_start().strip_prefix('#').unwrap_or_default();
        directive.split_whitespace().take(2).eq(["pragma", "once"])
    };
    let lines = text.split('\n').map(|line| if is_guard(line) { "" } else { line });
    lines.collect::<Vec<_>>().join("\n")
}

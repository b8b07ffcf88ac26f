//! The values of keys: the known ones, and suggestions for others.

use quote::ToTokens;
use syn::{Expr, ExprLit, ExprPath, Lit};

use crate::errors::{Errors, nearest};

/// An example of an entry.
pub(super) fn example(key: &str) -> &'static str {
    match key {
        "sqrt" => "sqrt = \"exact\"",
        "epsilon" => "epsilon = 1e-4",
        "space" => "space = \"block\"",
        "grid" => "grid = \"balanced\"",
        "diagonal" => "diagonal = true",
        "sweep" => "sweep = \"rows\"",
        "block" => "block = 16",
        "deterministic" => "deterministic = true",
        "fmad" => "fmad = true",
        "tile" => "tile = 128",
        "order" => "order = \"x, y, z\"",
        "prelude" => "prelude = include_str!(\"functions.cuh\")",
        "constants" => "constants(CUTOFF: f32 = crate::CUTOFF)",
        "crate" => "crate = ::td_kernel",
        _ => "map = \"ltm\"",
    }
}

/// A string literal that is one of `known`.
pub(super) fn word(
    value: &Expr,
    key: &str,
    known: &[&'static str],
    errors: &mut Errors,
) -> Option<&'static str> {
    let literal = match value {
        Expr::Lit(ExprLit { lit: Lit::Str(literal), .. }) if literal.suffix().is_empty() => literal,
        _ => {
            // The value without quotes, or else the default.
            let meant = value.to_token_stream().to_string();
            let meant = known.iter().find(|name| **name == meant);
            let example =
                meant.map_or_else(|| example(key).into(), |name| format!("{key} = \"{name}\""));
            let known = quoted(known);
            errors.at(
                value,
                format!("`{key}` takes a string: write `{example}`; the known values are {known}"),
            );
            return None;
        }
    };
    let given = literal.value();
    let found = known.iter().copied().find(|name| *name == given);
    if found.is_none() {
        let hint = nearest(&given, known).map(|near| format!(" (did you mean \"{near}\"?)"));
        let (hint, known) = (hint.unwrap_or_default(), quoted(known));
        errors.at(value, format!("unknown {key} \"{given}\"{hint}; the known values are {known}"));
    }
    found
}

fn quoted(names: &[&str]) -> String {
    names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
}

pub(super) fn epsilon_value(value: &Expr, errors: &mut Errors) -> Option<f32> {
    let parsed = match value {
        Expr::Lit(ExprLit { lit: Lit::Float(literal), .. }) if literal.suffix().is_empty() => {
            literal.base10_parse::<f32>().ok()
        }
        _ => None,
    };
    // From 1/2 on, even the second block of the first rows would get a wrong row.
    let valid = parsed.filter(|epsilon| (0.0..0.5).contains(epsilon));
    if valid.is_none() {
        errors.at(
            value,
            "`epsilon` must be a float literal, at least 0 and below 0.5: write `epsilon = 1e-4`",
        );
    }
    valid
}

/// The value of a number without a suffix.
pub(super) fn integer(value: &Expr) -> Option<u32> {
    match value {
        Expr::Lit(ExprLit { lit: Lit::Int(literal), .. }) if literal.suffix().is_empty() => {
            literal.base10_parse().ok()
        }
        _ => None,
    }
}

/// Whether it is a path of modules, without types in it.
pub(super) fn is_plain(path: &ExprPath) -> bool {
    path.qself.is_none() && path.path.segments.iter().all(|each| each.arguments.is_none())
}

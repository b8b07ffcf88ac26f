//! The key `order`: the members by which elements are sorted.

use proc_macro2::Span;
use syn::{Expr, ExprLit, Lit};

use crate::errors::Errors;

/// The value of `order`.
pub(crate) struct Order {
    /// The key.
    pub(super) span: Span,
    /// Up to three members, or elements of members that are arrays.
    pub(super) members: Vec<String>,
}

/// Reads the value; `None` after adding an error.
pub(super) fn parse(span: Span, value: &Expr, errors: &mut Errors) -> Option<Order> {
    let text = match value {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) if text.suffix().is_empty() => text.value(),
        _ => String::new(),
    };
    let members: Vec<_> = text.split(',').map(|each| each.trim().to_owned()).collect();
    let is_name = |name: &str| {
        let is_word = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        is_word && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
    };
    let is_member = |each: &String| {
        let (name, rest) = each.split_at(each.find(['.', '[']).unwrap_or(each.len()));
        let index = rest.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        let is_index = index.is_some_and(|index| index.parse::<u16>().is_ok());
        is_name(name) && (rest.is_empty() || is_index || matches!(rest, ".x" | ".y" | ".z" | ".w"))
    };
    let is_repeated = |(at, each): (usize, &String)| members[..at].contains(each);
    if members.len() > 3
        || !members.iter().all(is_member)
        || members.iter().enumerate().any(is_repeated)
    {
        errors.at(value, "`order` has the one to three members of an element that say where it is: write `order = \"x, y, z\"`, or `order = \"center[0], center[1]\"` for elements of an array");
        return None;
    }
    Some(Order { span, members })
}

/// Refuses the key in a kernel without a lower bound over boxes.
pub(super) fn check(order: Option<&Order>, errors: &mut Errors) {
    let Some(order) = order else { return };
    errors.span(order.span, "`order` sorts elements for the body `lower_bound` over boxes, which this kernel does not have: write `let lower_bound = r#\"…\"#;` beside `let pair = r#\"…\"#;`, or remove `order`");
}

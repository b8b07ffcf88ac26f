//! The body: a raw string literal, or a file.

use proc_macro2::Span;
use quote::ToTokens;
use syn::{Expr, ExprLit, ItemFn, Lit, LitStr, Stmt};

use crate::Files;
use crate::errors::Errors;
use crate::model::Body;
use crate::scan;

const EXPECTED: &str = "the body of a kernel is one raw string of CUDA C++, `r#\"…\"#`, or `include_str!(\"pair.cu\")`";

/// Reads and checks the body.
pub(crate) fn parse(function: &ItemFn, files: &dyn Files, errors: &mut Errors) -> Option<Body> {
    let (body, span) = match only(function) {
        None if function.block.stmts.is_empty() => {
            errors.at(&function.block, format!("the body is missing: {EXPECTED}"));
            return None;
        }
        Some(Only::Literal(literal)) => (inline(literal, files, errors)?, literal.span()),
        Some(Only::Macro(call)) if call.path.is_ident("include_str") => {
            included(call, files, errors)?
        }
        _ => {
            errors.at(&function.block, EXPECTED);
            return None;
        }
    };
    let found = scan::check(&body.text);
    for problem in &found {
        let place = match (&body.included, problem.line) {
            (Some(_), line) => format!("{}:{line}", body.file),
            (None, line) => format!("line {line} of the body"),
        };
        errors.span(span, format!("{place}: {}", problem.message));
    }
    found.is_empty().then_some(body)
}

/// What a body can be made of.
enum Only<'a> {
    Literal(&'a LitStr),
    Macro(&'a syn::Macro),
}

/// The function's only statement, without the invisible brackets of a macro by example.
fn only(function: &ItemFn) -> Option<Only<'_>> {
    let mut expression = match function.block.stmts.as_slice() {
        [Stmt::Macro(statement)] => return Some(Only::Macro(&statement.mac)),
        [Stmt::Expr(expression, _)] => expression,
        _ => return None,
    };
    while let Expr::Group(group) = expression {
        expression = &group.expr;
    }
    match expression {
        Expr::Lit(ExprLit { lit: Lit::Str(literal), .. }) => Some(Only::Literal(literal)),
        Expr::Macro(call) => Some(Only::Macro(&call.mac)),
        _ => None,
    }
}

fn inline(literal: &LitStr, files: &dyn Files, errors: &mut Errors) -> Option<Body> {
    if !literal.to_token_stream().to_string().starts_with('r') {
        errors.at(
            literal,
            "the body is a raw string, so that its lines are those of the file: write `r#\"…\"#`",
        );
        return None;
    }
    let (span, text) = (literal.span(), literal.value());
    Some(Body {
        length: scan::length(&text),
        text,
        file: files.shown(span),
        line: span.start().line,
        included: None,
    })
}

fn included(call: &syn::Macro, files: &dyn Files, errors: &mut Errors) -> Option<(Body, Span)> {
    let path = match call.parse_body::<LitStr>() {
        Ok(path) => path,
        Err(_) => {
            errors.at(call, "`include_str!` takes the path of a file as a string: write `include_str!(\"pair.cu\")`");
            return None;
        }
    };
    match files.read(path.span(), &path.value()) {
        Ok((text, file)) => {
            let included = Some(call.tokens.clone());
            let length = scan::length(&text);
            Some((Body { text, file, line: 1, length, included }, path.span()))
        }
        Err(message) => {
            errors.at(&path, message);
            None
        }
    }
}

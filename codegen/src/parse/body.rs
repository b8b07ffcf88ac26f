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
    let statements = &function.block.stmts;
    let (body, span) = match statements.as_slice() {
        [] => {
            errors.at(&function.block, format!("the body is missing: {EXPECTED}"));
            return None;
        }
        [
            Stmt::Expr(
                Expr::Lit(ExprLit {
                    lit: Lit::Str(literal),
                    ..
                }),
                _,
            ),
        ] => (inline(literal, files, errors)?, literal.span()),
        [Stmt::Expr(Expr::Macro(call), _)] if call.mac.path.is_ident("include_str") => {
            included(&call.mac, files, errors)?
        }
        [Stmt::Macro(call)] if call.mac.path.is_ident("include_str") => {
            included(&call.mac, files, errors)?
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

fn inline(literal: &LitStr, files: &dyn Files, errors: &mut Errors) -> Option<Body> {
    if !literal.to_token_stream().to_string().starts_with('r') {
        errors.at(
            literal,
            "the body is a raw string, so that its lines are those of the file: write `r#\"…\"#`",
        );
        return None;
    }
    let span = literal.span();
    Some(Body {
        text: literal.value(),
        file: files.shown(span),
        line: span.start().line,
        included: None,
    })
}

fn included(call: &syn::Macro, files: &dyn Files, errors: &mut Errors) -> Option<(Body, Span)> {
    let path = match call.parse_body::<LitStr>() {
        Ok(path) => path,
        Err(error) => {
            errors.push(error);
            return None;
        }
    };
    match files.read(path.span(), &path.value()) {
        Ok((text, file)) => {
            let included = Some(call.tokens.clone());
            Some((
                Body {
                    text,
                    file,
                    line: 1,
                    included,
                },
                path.span(),
            ))
        }
        Err(message) => {
            errors.at(&path, message);
            None
        }
    }
}

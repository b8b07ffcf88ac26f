//! The body: a raw string literal, or a file.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::parse::Parser;
use syn::{Expr, ExprLit, ExprMacro, Lit, LitStr, Stmt, StmtMacro};

use super::item::Block;
use crate::Files;
use crate::element::bare_expression;
use crate::errors::Errors;
use crate::model::Body;
use crate::scan;

const EXPECTED: &str = "the body of a kernel is one raw string of CUDA C++, `r#\"…\"#`, or `include_str!(\"pair.cu\")`";

/// Reads and checks the body.
pub(crate) fn parse(block: &Block, files: &dyn Files, errors: &mut Errors) -> Option<Body> {
    let tokens = match block {
        Block::Braced(tokens, _) if !tokens.is_empty() => tokens,
        _ => {
            errors.span(block.span(), format!("the body is missing: {EXPECTED}"));
            return None;
        }
    };
    let Ok(statements) = syn::Block::parse_within.parse2(tokens.clone()) else {
        errors.at(tokens, EXPECTED);
        return None;
    };
    let Some(at) = statements.iter().position(|statement| only(statement).is_some()) else {
        errors.at(tokens, EXPECTED);
        return None;
    };
    for (_, other) in statements.iter().enumerate().filter(|(place, _)| *place != at) {
        errors.at(other, format!("this is too much: {EXPECTED}"));
    }
    let (body, span) = match only(&statements[at])? {
        Only::Literal(literal) => (inline(literal, files, errors), literal.span()),
        Only::File(tokens, call) => included(tokens, call, files, errors)?,
    };
    for problem in &body.scan.problems {
        // A literal has a single span, so the message names the line, in the form of a compiler's message.
        errors.span(span, format!("{}:{}: {}", body.file, problem.line, problem.message));
    }
    body.scan.problems.is_empty().then_some(body)
}

/// What a body can consist of.
enum Only<'a> {
    Literal(&'a LitStr),
    /// What `include_str!` is given, and the call itself.
    File(&'a TokenStream, &'a syn::Macro),
}

/// The body, where the statement is one.
fn only(statement: &Stmt) -> Option<Only<'_>> {
    let call = match statement {
        Stmt::Macro(StmtMacro { attrs, mac, .. }) if attrs.is_empty() => mac,
        Stmt::Expr(expression, _) => match bare_expression(expression) {
            Expr::Lit(ExprLit { attrs, lit: Lit::Str(literal), .. }) if attrs.is_empty() => {
                return literal.suffix().is_empty().then_some(Only::Literal(literal));
            }
            Expr::Macro(ExprMacro { attrs, mac, .. }) if attrs.is_empty() => mac,
            _ => return None,
        },
        _ => return None,
    };
    let names: Vec<_> = call.path.segments.iter().map(|each| each.ident.to_string()).collect();
    match names.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["include_str"] | ["core" | "std", "include_str"] => Some(Only::File(&call.tokens, call)),
        _ => None,
    }
}

fn inline(literal: &LitStr, files: &dyn Files, errors: &mut Errors) -> Body {
    if !literal.to_token_stream().to_string().starts_with('r') {
        errors.at(
            literal,
            "the body is a raw string, so that its lines are those of the file: write `r#\"…\"#`",
        );
    }
    let (span, text) = (literal.span(), literal.value());
    let (file, line) = (files.shown(span), span.start().line);
    Body { scan: scan::read(&text, line), text, file, line, included: None }
}

fn included(
    tokens: &TokenStream,
    call: &syn::Macro,
    files: &dyn Files,
    errors: &mut Errors,
) -> Option<(Body, Span)> {
    let parser = |input: syn::parse::ParseStream<'_>| {
        let path = input.parse::<LitStr>()?;
        input.parse::<Option<syn::Token![,]>>()?;
        Ok(path)
    };
    let Ok(path) = parser.parse2(tokens.clone()) else {
        errors.at(call, "`include_str!` takes the path of a file as a string here, and no macro: write `include_str!(\"pair.cu\")`");
        return None;
    };
    match files.read(path.span(), &path.value()) {
        Ok((text, file)) => {
            let included = Some(path.to_token_stream());
            let scan = scan::read(&text, 1);
            Some((Body { text, file, line: 1, scan, included }, path.span()))
        }
        Err(message) => {
            errors.at(&path, message);
            None
        }
    }
}

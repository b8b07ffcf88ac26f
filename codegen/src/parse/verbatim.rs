//! The user's CUDA C++ in a raw string or a file.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::parse::Parser;
use syn::{Expr, ExprLit, ExprMacro, Lit, LitStr};

use crate::Files;
use crate::element::bare_expression;
use crate::errors::Errors;
use crate::model::Body;
use crate::scan::{Problem, Scan};

/// The possible sources of the C++.
pub(super) enum Only<'a> {
    Literal(&'a LitStr),
    /// The argument of `include_str!`, and the call itself.
    File(&'a TokenStream, &'a syn::Macro),
}

/// The C++, and where it was read from.
pub(super) struct Verbatim {
    pub(super) text: String,
    /// Its file, as messages show it.
    file: String,
    /// The line of that file on which it starts.
    pub(super) line: usize,
    /// The columns of that line before it.
    column: usize,
    /// For `include_str!`: its argument.
    included: Option<TokenStream>,
    /// The span of messages about it.
    pub(super) span: Span,
}

impl<'a> Only<'a> {
    /// The source of the C++, if the expression is one.
    pub(super) fn of(expression: &'a Expr) -> Option<Only<'a>> {
        match bare_expression(expression) {
            Expr::Lit(ExprLit { attrs, lit: Lit::Str(literal), .. }) if attrs.is_empty() => {
                literal.suffix().is_empty().then_some(Only::Literal(literal))
            }
            Expr::Macro(ExprMacro { attrs, mac, .. }) if attrs.is_empty() => Only::file(mac),
            _ => None,
        }
    }

    /// The file, if the macro includes one.
    pub(super) fn file(call: &'a syn::Macro) -> Option<Only<'a>> {
        let names: Vec<_> = call.path.segments.iter().map(|each| each.ident.to_string()).collect();
        match names.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            ["include_str"] | ["core" | "std", "include_str"] => {
                Some(Only::File(&call.tokens, call))
            }
            _ => None,
        }
    }

    /// The path of a file, if a string contains one instead of C++.
    pub(super) fn path(&self) -> Option<String> {
        let Only::Literal(literal) = self else { return None };
        let text = literal.value();
        let is_path = !text.is_empty()
            && !text.contains(|c: char| c.is_whitespace() || "{};()#\"".contains(c));
        is_path.then_some(text)
    }

    /// Reads the C++, which messages call `what`.
    pub(super) fn read(
        &self,
        what: &str,
        files: &dyn Files,
        errors: &mut Errors,
    ) -> Option<Verbatim> {
        match *self {
            Only::Literal(literal) => Some(inline(what, literal, files, errors)),
            Only::File(tokens, call) => included(tokens, call, files, errors),
        }
    }
}

impl Verbatim {
    /// The C++ with its scan; `None` after adding its problems and those of its names.
    pub(super) fn checked(
        self,
        scan: Scan,
        name_problems: &[Problem],
        errors: &mut Errors,
    ) -> Option<Body> {
        let Verbatim { text, file, line, column, included, span } = self;
        for problem in scan.problems.iter().chain(name_problems) {
            // A literal has a single span, so the message names the line, in the form of a compiler's message.
            errors.span(span, format!("{file}:{}: {}", problem.line, problem.message));
        }
        scan.problems.is_empty().then_some(Body { text, file, line, column, scan, included })
    }
}

fn inline(what: &str, literal: &LitStr, files: &dyn Files, errors: &mut Errors) -> Verbatim {
    let written = literal.to_token_stream().to_string();
    if !written.starts_with('r') {
        errors.at(
            literal,
            format!("the {what} must be a raw string, so that its line numbers match the file: write `r#\"…\"#`"),
        );
    }
    let span = literal.span();
    let (file, start) = (files.shown(span), span.start());
    // After `r#"`.
    let column = start.column + written.find('"').map_or(0, |at| at + 1);
    Verbatim { text: literal.value(), file, line: start.line, column, included: None, span }
}

fn included(
    tokens: &TokenStream,
    call: &syn::Macro,
    files: &dyn Files,
    errors: &mut Errors,
) -> Option<Verbatim> {
    let parser = |input: syn::parse::ParseStream<'_>| {
        let path = input.parse::<LitStr>()?;
        input.parse::<Option<syn::Token![,]>>()?;
        Ok(path)
    };
    let Ok(path) = parser.parse2(tokens.clone()) else {
        errors.at(call, "`include_str!` takes the path of a file as a string literal here, not a macro: write `include_str!(\"pair.cu\")`");
        return None;
    };
    match files.read(path.span(), &path.value()) {
        Ok((text, file)) => {
            // Some compilers reject a byte-order mark inside a source.
            let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
            let included = Some(path.to_token_stream());
            Some(Verbatim { text, file, line: 1, column: 0, included, span: path.span() })
        }
        Err(message) => {
            errors.at(&path, message);
            None
        }
    }
}

//! The templates of the kernels, which read as CUDA, and the code that fills them.
//!
//! `${…}` is a value. A line that starts with `//%` is a loop, a condition or a macro of the template; a line that starts with
//! `//#` is a comment in it. `${list|lines("@.type @_row;")}` is a line for each parameter of a list: `@` is its name, and `@.type` that
//! fact about it.

use std::sync::LazyLock;

use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, Error, ErrorKind, UndefinedBehavior, Value, context};

use super::files::TEMPLATES;
use super::layout::NOTHING;
use crate::errors::Internal;

/// The templates, parsed once. They are part of this crate, and a test fills each of them, so an error in one is never the
/// user's.
static ENVIRONMENT: LazyLock<Result<Environment<'static>, Error>> = LazyLock::new(|| {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    let syntax = SyntaxConfig::builder()
        .block_delimiters("{%", "%}")
        .variable_delimiters("${", "}")
        .comment_delimiters("{#", "#}")
        .line_statement_prefix("//%")
        .line_comment_prefix("//#")
        .trim_blocks(true)
        .lstrip_blocks(true)
        .keep_trailing_newline(true)
        .build()?;
    environment.set_syntax(syntax);
    // An empty value alone on a line removes the line. A value loses its last line break, because the template has one after
    // it.
    environment.set_formatter(|out, _, value| {
        // A template may ask for an absent value, but not write it.
        if value.is_undefined() || value.is_none() {
            return Err(Error::from(ErrorKind::UndefinedError));
        }
        let text = value.to_string();
        let text = text.trim_end_matches('\n');
        let written = out.write_str(if text.is_empty() { NOTHING } else { text });
        written.map_err(|_| Error::from(ErrorKind::WriteFailure))
    });
    environment.add_filter("replace", |text: &str, from: &str, to: &str| text.replace(from, to));
    environment.add_filter("of", of);
    environment.add_filter("lines", lines);
    environment.add_filter("only", |list: Vec<Value>, fact: &str| with(list, fact, true));
    environment.add_filter("without", |list: Vec<Value>, fact: &str| with(list, fact, false));
    environment.add_filter("planes", planes);
    environment.add_filter("under", |text: &str, comment: &str| under(text, comment, ""));
    environment.add_filter("paragraph", |text: &str, comment: Option<&str>| {
        under(text, comment.unwrap_or_default(), "\n")
    });
    for (name, text) in TEMPLATES {
        environment.add_template(name, text)?;
    }
    Ok(environment)
});

/// The text about a parameter: `@` is its name, and `@.fact` that fact.
fn of(text: &str, facts: &Value) -> Result<String, Error> {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once('@') {
        let named = after.strip_prefix('.').unwrap_or_default();
        let end = named.find(|c| !is_letter(c)).unwrap_or(named.len());
        let fact = &named[..end];
        let value = facts.get_attr(if fact.is_empty() { "name" } else { fact })?;
        if value.is_undefined() || value.is_none() {
            return Err(Error::from(ErrorKind::UndefinedError));
        }
        out += before;
        out += &value.to_string();
        rest = if fact.is_empty() { after } else { &named[end..] };
    }
    Ok(out + rest)
}

/// The text about each of these parameters, in lines.
fn lines(list: Vec<Value>, text: &str) -> Result<String, Error> {
    list.iter().map(|facts| Ok(of(text, facts)? + "\n")).collect()
}

/// The parameters of which a fact is true, or is not. Kinds that do not have the fact count as false.
fn with(list: Vec<Value>, fact: &str, is_true: bool) -> Result<Vec<Value>, Error> {
    let mut kept = Vec::new();
    for facts in list {
        if facts.get_attr(fact)?.is_true() == is_true {
            kept.push(facts);
        }
    }
    Ok(kept)
}

/// The planes of these results, each with the facts of its result.
fn planes(results: Vec<Value>) -> Result<Vec<Value>, Error> {
    let mut planes = Vec::new();
    for result in results {
        for plane in result.get_attr("planes")?.try_iter()? {
            planes.push(context! { ..plane, ..result.clone() });
        }
    }
    Ok(planes)
}

/// The text below a comment, if there is any.
fn under(text: &str, comment: &str, before: &str) -> String {
    let is_empty = text.replace(NOTHING, "").trim().is_empty();
    let comment = if comment.is_empty() { String::new() } else { format!("{comment}\n") };
    if is_empty { String::new() } else { format!("{before}{comment}{text}") }
}

/// Fills the template. An error in a template is one of this crate.
pub(super) fn fill(template: &str, context: Value) -> Result<String, Internal> {
    let internal = |error: &Error| Internal(format!("the template `{template}`: {error:#}"));
    let environment = ENVIRONMENT.as_ref().map_err(internal)?;
    let filled = environment.get_template(template).and_then(|found| found.render(context));
    filled.map_err(|error| internal(&error))
}

#[cfg(test)]
mod tests {
    use proc_macro2::TokenStream;

    use super::*;

    #[test]
    fn wrong_template_is_an_internal_error() {
        for (template, context) in [
            ("missing.cu", context! {}),
            ("prelude.cu", context! {}),
            ("prelude.cu", context! { constants => [()], prelude => false }),
        ] {
            let Err(error) = fill(template, context) else { panic!("{template} is filled") };
            let tokens = TokenStream::from(error).to_string();
            assert!(tokens.contains("compile_error"), "{tokens}");
            assert!(tokens.contains(template), "{tokens}");
        }
    }
}

//! Inserts the user's prelude and bodies verbatim, each between two `#line`s.
//!
//! With the first `#line`, compiler messages about a body name the user's file and line. The second one returns to the
//! generated source.

use crate::model::{Body, Kernel, SourceInput};

/// The lines that mark the place of each body in a template.
const FEATURE: &str = "#include <feature>\n";
const BODY: &str = "#include <body>\n";
const LOWER: &str = "#include <lower>\n";
/// Around a check of the lower bound, whose message is about the user's line.
const CHECK_OF_LOWER: [&str; 2] = ["#include <line of lower>\n", "#include <line after lower>\n"];
const QUICK: &str = "#include <quick>\n";
const PRELUDE: &str = "#include <prelude>\n";

/// Whether a body or the prelude uses this C type. Bodies that include a file do not count, because the file may define the
/// type itself.
pub(super) fn uses_type(kernel: &Kernel, name: &str) -> bool {
    let mut bodies = kernel.bodies().chain(&kernel.prelude);
    bodies.any(|body| body.scan.names.contains(name) && !body.includes())
        && !is_of_prelude(kernel, name)
}

/// Whether a body or the prelude uses this C constant and does not define it. For `INFINITY` and `NAN`, an included file may
/// use it.
pub(super) fn uses_constant(kernel: &Kernel, name: &str) -> bool {
    let is_usual = matches!(name, "INFINITY" | "NAN");
    let mut bodies = kernel.bodies().chain(&kernel.prelude);
    bodies.any(|body| {
        let is_named = body.scan.names.contains(name) || is_usual && body.includes();
        is_named && !body.scan.defines(name)
    }) && !is_of_prelude(kernel, name)
}

/// Whether the prelude defines this name.
fn is_of_prelude(kernel: &Kernel, name: &str) -> bool {
    let is_named = |prelude: &Body| {
        prelude.scan.defines(name) || prelude.scan.definitions.iter().any(|each| each.name == name)
    };
    kernel.prelude.as_ref().is_some_and(is_named)
}

/// Inserts the bodies into the filled template.
pub(super) fn join(input: &SourceInput<'_>, filled: String) -> String {
    let (kernel, file) = (input.kernel, super::file(input));
    // In source order: the number after a body counts the lines before it.
    let prelude = kernel.prelude.as_ref().map(|prelude| (PRELUDE, prelude));
    let feature = kernel.feature.as_ref().map(|feature| (FEATURE, feature));
    // Only a filter's source has the lower bound, and only a product's has `quick`.
    let lower = kernel.lower.as_ref().map(|lower| (LOWER, lower));
    let quick = kernel.quick.as_ref().map(|quick| (QUICK, quick));
    let pair = [(BODY, &kernel.body)];
    let bodies = prelude.into_iter().chain(feature).chain(pair).chain(lower).chain(quick);
    bodies.fold(filled, |filled, (mark, body)| {
        let text = inserted(&file, &filled, mark, body);
        if mark == LOWER { checked(&file, text, body) } else { text }
    })
}

/// Puts the check of a lower bound on the line of its body.
fn checked(file: &str, text: String, lower: &Body) -> String {
    let [begin, end] = CHECK_OF_LOWER;
    let parts =
        text.split_once(begin).and_then(|(before, rest)| Some((before, rest.split_once(end)?)));
    let Some((before, (check, after))) = parts else { return text };
    let joined = format!("{before}{}\n{check}", directive(lower));
    let next = joined.lines().count() + 2;
    format!("{joined}#line {next} \"{file}\"\n{after}")
}

/// Replaces `mark` by a body.
fn inserted(file: &str, text: &str, mark: &str, body: &Body) -> String {
    let Some((before, after)) = text.split_once(mark) else { return text.to_owned() };
    // The generated body of a product has no file.
    if body.file.is_empty() {
        return format!("{before}{}{after}", body.text);
    }
    let mut joined = format!("{before}{}\n{}", directive(body), body.text);
    if !body.text.ends_with('\n') {
        joined.push('\n');
    }
    // The number of the line after the directive.
    let next = joined.lines().count() + 2;
    joined.push_str(&format!("#line {next} \"{file}\"\n{after}"));
    joined
}

/// The `#line` with which compiler messages name the user's file and line.
pub(crate) fn directive(body: &Body) -> String {
    format!("#line {} \"{}\"", body.line, quoted(&body.file))
}

/// Escapes a file name for a C string.
fn quoted(file: &str) -> String {
    let file = file.replace('\\', "/").replace('"', "\\\"");
    file.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn file_names_are_escaped() {
        assert_eq!(quoted("src\\a \"b\".rs"), "src/a \\\"b\\\".rs");
        assert_eq!(quoted("a\n}\r\0.rs"), "a?}??.rs");
    }
}

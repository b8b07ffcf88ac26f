//! The target `body`: any string as the body of a pair, and as a prelude.

use proc_macro2::{Span, TokenStream};
use td_kernel_codegen::{Files, cuda_sources};

/// The kernel's name.
const NAME: &str = "kernel";
const FILE: &str = "src/pair.cu";

/// A file with the body: not every string fits a Rust raw string.
struct One<'a>(&'a str);

impl Files for One<'_> {
    fn shown(&self, _: Span) -> String {
        "src/main.rs".into()
    }

    fn read(&self, _: Span, _: &str) -> Result<(String, String), String> {
        Ok((self.0.to_owned(), FILE.to_owned()))
    }
}

/// The kernel with this body; `None` if it is rejected.
pub fn generated(text: &str) -> Option<String> {
    let item =
        r#"unsafe fn kernel(#[each] p: &[f32], d: &mut Packed<f32>) { include_str!("pair.cu") }"#;
    let Ok(item) = item.parse() else { return None };
    let sources = cuda_sources(TokenStream::new(), item, &One(text));
    proc_macro2::extra::invalidate_current_thread_spans();
    sources.ok()?.into_iter().next().map(|source| source.text)
}

/// A kernel with this prelude; `None` if it is rejected.
pub fn with_prelude(text: &str) -> Option<String> {
    let item = r##"unsafe fn kernel(#[each] p: &[f32], d: &mut Packed<f32>) { r#"d = f(p.i) * LIMIT;"# }"##;
    let keys = r#"prelude = include_str!("pair.cu"), constants(LIMIT: f32 = 1.0)"#;
    let (Ok(keys), Ok(item)) = (keys.parse(), item.parse()) else { return None };
    let sources = cuda_sources(keys, item, &One(text));
    proc_macro2::extra::invalidate_current_thread_spans();
    sources.ok()?.into_iter().next().map(|source| source.text)
}

/// Checks that a prelude is either rejected, or is in the kernel, line by line, before the pair function; and that reading it
/// again gives the same.
fn check_prelude(text: &str) {
    let source = with_prelude(text);
    assert_eq!(source, with_prelude(text), "read twice, it is not the same: {text}");
    let Some(source) = source else { return };
    let begin = format!("#line 1 \"{FILE}\"\n");
    let Some((_, rest)) = source.split_once(&begin) else {
        panic!("the prelude is not in the kernel:\n{source}");
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = rest.split('\n');
    for line in text.strip_suffix('\n').unwrap_or(text).split('\n') {
        let found = lines.next();
        let is_guard = found == Some("") && line.contains("pragma") && line.contains("once");
        assert!(found == Some(line) || is_guard, "{line:?} is not there:\n{source}");
    }
    let after: String = lines.take(2).collect::<Vec<_>>().join("\n");
    assert!(
        after.starts_with("#line ") && after.ends_with("\n#pragma nv_diagnostic pop"),
        "not followed by the kernel's own text:\n{source}"
    );
}

/// Checks that a body is either rejected, or is verbatim in the kernel with matching brackets; and that reading it again gives
/// the same.
///
/// # Panics
///
/// One of these properties does not hold.
pub fn check(text: &str) {
    check_prelude(text);
    let source = generated(text);
    assert_eq!(source, generated(text), "read twice, it is not the same: {text}");
    let Some(source) = source else { return };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let begin = format!("{{\n#line 1 \"{FILE}\"\n{text}");
    let Some(at) = source.find(&begin) else {
        panic!("the body is not in the kernel as it is:\n{source}");
    };
    let until = at + begin.len();
    let end_of_line = if text.ends_with('\n') { "" } else { "\n" };
    let line = source[..until].matches('\n').count() + end_of_line.len() + 2;
    let end = format!("{end_of_line}#line {line} \"{NAME}.cu\"\n}}\n");
    assert!(source[until..].starts_with(&end), "not followed by {end:?}:\n{source}");
    // If nothing can hide a bracket, all brackets count.
    let hides =
        ["//", "/*", "\"", "'", "#", "<%", "%>", "%:"].iter().any(|each| text.contains(each));
    assert!(
        hides || is_closed(text),
        "the body is accepted, and its brackets do not match:\n{text}"
    );
}

/// Whether each closing bracket matches the last open one.
fn is_closed(text: &str) -> bool {
    let mut open = Vec::new();
    text.chars().all(|c| match c {
        '{' | '(' => {
            open.push(c);
            true
        }
        '}' => open.pop() == Some('{'),
        ')' => open.pop() == Some('('),
        _ => true,
    }) && open.is_empty()
}

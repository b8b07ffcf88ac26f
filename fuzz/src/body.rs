//! The target `body`: any text as the body of a pair.

use proc_macro2::{Span, TokenStream};
use td_kernel_codegen::{Files, cuda_sources};

/// The kernel's name.
const NAME: &str = "kernel";
const FILE: &str = "src/pair.cu";

/// A file with the body: not every text fits a raw string of Rust.
struct One<'a>(&'a str);

impl Files for One<'_> {
    fn shown(&self, _: Span) -> String {
        "src/main.rs".into()
    }

    fn read(&self, _: Span, _: &str) -> Result<(String, String), String> {
        Ok((self.0.to_owned(), FILE.to_owned()))
    }
}

/// The kernel with this body; `None` where it is refused.
pub fn generated(text: &str) -> Option<String> {
    let item =
        r#"unsafe fn kernel(#[each] p: &[f32], d: &mut Packed<f32>) { include_str!("pair.cu") }"#;
    let Ok(item) = item.parse() else { return None };
    let sources = cuda_sources(TokenStream::new(), item, &One(text));
    proc_macro2::extra::invalidate_current_thread_spans();
    sources.ok()?.into_iter().next().map(|source| source.whole)
}

/// Checks that a body is either refused, or stands verbatim in the kernel and closes what it opens; and that reading it
/// again gives the same.
///
/// # Panics
///
/// Something of this does not hold.
pub fn check(text: &str) {
    let source = generated(text);
    assert_eq!(source, generated(text), "read twice, it is not the same: {text}");
    let Some(source) = source else { return };
    let begin = format!("{{\n#line 1 \"{FILE}\"\n{text}");
    let Some(at) = source.find(&begin) else {
        panic!("the body is not in the kernel as it is:\n{source}");
    };
    let until = at + begin.len();
    let end_of_line = if text.ends_with('\n') { "" } else { "\n" };
    let line = source[..until].matches('\n').count() + end_of_line.len() + 2;
    let end = format!("{end_of_line}#line {line} \"{NAME}.cu\"\n}}\n");
    assert!(source[until..].starts_with(&end), "not followed by {end:?}:\n{source}");
    // Where nothing can hide a bracket, all brackets in the text count.
    let hides = ["//", "/*", "\"", "'", "#"].iter().any(|each| text.contains(each));
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

//! Every compile-time message in the sources has a case.
//!
//! The messages are found in the sources. In `codegen` and `macros`, every string literal with words is a message,
//! except in attributes (documentation) and in tests. `codegen/src/cuda` and `geometry` write C++: there a literal is a
//! message if it quotes something between backticks. In `runtime`, the compile-time messages are those of panics in
//! constants and of `on_unimplemented`. A message may insert anything; its other words must occur, in their order, in one
//! message of some `.stderr`, or of a snapshot in `messages`.

#![allow(clippy::unwrap_used)]

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use td_kernel_ui_tests::outputs::{self, is_shown, parts};
use td_kernel_ui_tests::sources::{Message, Source, files, messages};

/// A message that no case shows.
#[derive(Debug)]
struct Unshown(PathBuf, Message);

impl fmt::Display for Unshown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unshown(file, Message { line, text }) = self;
        write!(f, "\n{}:{line}: {text}", file.display())
    }
}

#[test]
fn messages_have_cases() {
    let shown = shown();
    let mut unshown = Vec::new();
    let mut count = 0;
    for (folder, usual) in [
        ("codegen/src", Source::Messages),
        ("macros/src", Source::Messages),
        ("geometry/src", Source::Cuda),
        ("runtime/src", Source::Runtime),
    ] {
        // What no compile-time message says: the table of the documentation and its headings.
        let mut files = files(&root().join(folder), "rs").unwrap();
        let is_other = |file: &PathBuf| {
            ["table", "visit"].iter().any(|name| file.ends_with(format!("support/{name}.rs")))
        };
        files.retain(|file| !is_other(file));
        for file in files {
            let source = match usual {
                Source::Messages if has_cuda(&file) => Source::Cuda,
                usual => usual,
            };
            let text = fs::read_to_string(&file).unwrap();
            let messages = messages(&text, source).unwrap();
            count += messages.len();
            let missing =
                messages.into_iter().filter(|Message { text, .. }| !is_shown(text, &shown));
            let name = file.strip_prefix(root()).unwrap();
            unshown.extend(missing.map(|message| Unshown(name.to_owned(), message)));
        }
    }
    let list: String = unshown.iter().map(Unshown::to_string).collect();
    assert!(
        unshown.is_empty(),
        "{} of {count} messages have no case in ui-tests:{list}",
        unshown.len()
    );
    assert!(count > 100, "only {count} messages were found");
}

/// Whether a file has C++ beside its messages.
fn has_cuda(file: &Path) -> bool {
    file.components().any(|part| {
        ["cuda", "cuda_type.rs", "kind", "standard.rs"].iter().any(|name| part.as_os_str() == *name)
    })
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// The messages in all cases.
fn shown() -> Vec<String> {
    let read = |file: &PathBuf| fs::read_to_string(file).unwrap();
    let cases = files(&root().join("ui-tests/cases"), "stderr").unwrap();
    let mut shown: Vec<_> = cases.iter().flat_map(|file| outputs::messages(&read(file))).collect();
    for file in files(&root().join("ui-tests/messages"), "snap").unwrap() {
        let text = read(&file);
        shown.extend(text.lines().filter_map(|line| line.strip_prefix("    ")).map(str::to_owned));
    }
    shown
}

mod tests {
    use super::*;

    fn found(source: &str, kind: Source) -> Vec<String> {
        messages(source, kind).unwrap().into_iter().map(|message| message.text).collect()
    }

    #[test]
    fn invented_message_is_not_shown() {
        let shown = shown();
        for given in [
            "fn f(errors: &mut Errors) { errors.at(x, \"an invented message\"); }",
            "fn f() -> syn::Error { syn::Error::new(span, format!(\"an invented message: {x}\")) }",
            "const TEXT: &str = \"an invented message\";",
            "fn f(x: u8) -> &'static str { match x { 1 => \"an invented message\", _ => \"\" } }",
            "fn f() { outer!(inner!(\"an \\\n    invented message\")) }",
        ] {
            let found = messages(given, Source::Messages).unwrap();
            assert_eq!(found.len(), 1, "{given}");
            assert!(!is_shown(&found[0].text, &shown), "{given}");
        }
    }

    #[test]
    fn constants_panics_are_messages() {
        let source = "
            #[error(\"at run time\")] enum Error {}
            #[diagnostic::on_unimplemented(message = \"no definition of `{Self}`\")] trait T {}
            const fn f() { assert!(x < 3, \"too many of them\"); g(\"at run time\") }
        ";
        assert_eq!(
            found(source, Source::Runtime),
            ["no definition of `{Self}`", "too many of them"]
        );
    }

    #[test]
    fn quotes_in_cuda_are_messages() {
        let source = "fn f() { g(\"static_assert(sizeof(x)\", \"`x` is a variable\") }";
        assert_eq!(found(source, Source::Cuda), ["`x` is a variable"]);
    }

    #[test]
    fn insertions_are_not_compared() {
        let shown = ["unknown map \"lmt\"; write `map = \"ltm\"`".to_owned()];
        assert!(is_shown("unknown {key} \"{given}\"{hint}; write `{}`", &shown));
        assert!(!is_shown("unknown {key}, {given}", &shown));
        assert!(!is_shown("write `{}`; unknown", &shown));
        assert_eq!(parts("this `{` is not closed: write its `}`").len(), 1);
        assert_eq!(parts("{place:?}: {{x}} {0}").concat(), ": {x} ");
    }

    #[test]
    fn quoted_source_is_not_a_message() {
        let output = "\
error[E0080]: evaluation panicked: said once
  --> cases/x.rs:1:1
   |
13 | #[td_kernel] x ^ quoted
   | ------ ^^^^^ said as a label
   |
   = note: said as a note
   | |             \"quoted in a macro\"
   | |_________- in this macro invocation
";
        assert_eq!(
            outputs::messages(output),
            ["evaluation panicked: said once", "said as a label", "said as a note"]
        );
    }
}

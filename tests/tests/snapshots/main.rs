//! The generated source of kernels and one Rust expansion, for people to review.
//!
//! Each snapshot is a family. The first sources of a GPU and of the CPU are whole. Every other kernel has only its new lines, which no
//! earlier kernel has, not even with other names and numbers. `... 8 lines of near (rows for n)` are eight known lines, in which `n` of
//! the kernel `near` is `rows`. There is one of every map, root and sweep; the tests of the catalogue compile and
//! run their combinations. Helpers are files that a reader can open, so they are only named. `cargo xtask bless` accepts a change.
#![allow(clippy::unwrap_used, clippy::panic)]

mod expansion;
mod families;
mod known;
mod names;
mod properties;

use std::path::Path;

use td_kernel_tests::{list_sources, loops, pairs_sources, source, sources};

use known::Known;

/// The snapshots so far.
struct Snapshots {
    helpers: Vec<(String, String)>,
    known: Known,
    text: String,
}

impl Snapshots {
    fn new() -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../codegen/cuda");
        let mut helpers: Vec<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .map(|path| {
                let name = path.file_name().unwrap().to_str().unwrap().to_owned();
                (name, std::fs::read_to_string(path).unwrap().trim().to_owned())
            })
            .collect();
        helpers.sort();
        let known = Known::new(names::keywords());
        Self { helpers, known, text: String::new() }
    }

    /// Shows a kernel's whole source.
    fn whole(&mut self, name: &str, source: &str) {
        self.show(name, source, true);
    }

    /// Shows the lines of a source that no earlier kernel has.
    fn new_lines(&mut self, name: &str, source: &str) {
        self.show(name, source, false);
    }

    fn show(&mut self, name: &str, source: &str, is_whole: bool) {
        let lines = self.without_helpers(source);
        let shown = self.known.add(name, &lines, is_whole);
        self.text += &format!("======== {name}\n{shown}");
    }

    /// Names helpers by their files, and removes line numbers of the generated file after checking them.
    fn without_helpers(&self, source: &str) -> Vec<String> {
        // What a template that cannot be filled is replaced by.
        assert!(!source.contains("#error"), "{source}");
        assert_eq!(names::unused(source), [""; 0], "{source}");
        let mut text = String::new();
        for (number, line) in source.lines().enumerate() {
            match line.strip_prefix("#line ").and_then(|rest| rest.split_once(" \"demo.c")) {
                Some((given, _)) => {
                    // The number of the line after it, counted from 1.
                    assert_eq!(given.parse(), Ok(number + 2), "{source}");
                    text += "#line N \"demo\"";
                }
                None => text += line,
            }
            text += "\n";
        }
        for (name, helper) in &self.helpers {
            let on_cpu = helper
                .replace(
                    "static __device__ __forceinline__",
                    "[[gnu::always_inline]] static inline",
                )
                .replace("__device__ __forceinline__", "[[gnu::always_inline]]");
            for helper in [helper, &on_cpu] {
                text = text.replace(&format!("{helper}\n\n"), &format!("// codegen/cuda/{name}\n"));
            }
        }
        text.lines().map(str::to_owned).collect()
    }

    /// Compares the kernels shown since the last call with a snapshot.
    fn compare(&mut self, name: &str) {
        compare(name, &std::mem::take(&mut self.text));
    }
}

/// Compares a string with its snapshot.
fn compare(name: &str, text: &str) {
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true, snapshot_path => "../../snapshots" }, {
        insta::assert_snapshot!(name, text);
    });
}

/// A kernel with one body.
fn demo(parameters: &str, body: &str) -> String {
    format!("unsafe fn demo({parameters}) {{ r#\"{body}\"# }}")
}

/// A kernel with bodies for a feature, for a pair, and, unless it is empty, for a lower bound.
fn fold(parameters: &str, feature: &str, pair: &str, lower: &str) -> String {
    let lower = match lower {
        "" => String::new(),
        _ => format!("let lower_bound = r#\" {lower} \"#;"),
    };
    format!(
        "unsafe fn demo({parameters}) {{ let feature = r#\" {feature} \"#; let pair = r#\" {pair} \"#; {lower} }}"
    )
}

//! Cargo's messages in JSON: which executable a build made.

use std::path::PathBuf;

use serde_json::Value;

use crate::failure::{Failure, Result};

/// The flag that makes cargo write its messages to standard output, one on each line, and the compiler's diagnostics to
/// standard error as text.
pub(crate) const AS_JSON: &str = "--message-format=json-render-diagnostics";

/// The path of the executable that a build made for a target. Other lines are skipped: a build script or a wrapper may
/// print anything.
fn executable(messages: &str, kind: &str, name: &str) -> Option<PathBuf> {
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message["reason"] == "compiler-artifact")
        .filter(|message| message["target"]["name"] == name)
        .filter(|message| message["target"]["kind"][0] == kind)
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
}

/// [`executable`], of which there must be one.
pub(crate) fn built(messages: &str, kind: &str, name: &str) -> Result<PathBuf> {
    executable(messages, kind, name).ok_or_else(|| {
        Failure::new(
            format!("cargo built the {kind} `{name}` but named no executable for it"),
            "use the Rust release named in rust-toolchain.toml",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MESSAGES: &str = r#"
{"reason":"compiler-artifact","target":{"kind":["lib"],"name":"gpu"},"executable":null}
not a message
{"reason":"compiler-artifact","target":{"kind":["bin"],"name":"gpu"},"executable":"/t/gpu"}
{"reason":"compiler-artifact","target":{"kind":["test"],"name":"gpu"},"executable":"/t/gpu-1a"}
{"reason":"compiler-artifact","target":{"kind":["example"],"name":"edm"},"executable":"/t/edm"}
{"reason":"build-finished","success":true}
"#;

    #[test]
    fn the_executable_is_that_of_the_kind_and_the_name() {
        let found = |kind, name| executable(MESSAGES, kind, name);
        assert_eq!(found("test", "gpu"), Some("/t/gpu-1a".into()));
        assert_eq!(found("example", "edm"), Some("/t/edm".into()));
        assert_eq!(found("lib", "gpu"), None);
        assert_eq!(found("test", "cpu"), None);
    }
}

//! The targets of the workspace: `cargo test` can select targets but not exclude one, so the tests without the GPU are
//! run by selecting all other targets.

use serde_json::Value;

use crate::failure::{Failure, Result};
use crate::steps;
use crate::workspace::{TESTS_PACKAGE, Workspace};

/// One target of one package.
pub(crate) struct Target {
    pub(crate) package: String,
    pub(crate) kind: String,
    pub(crate) name: String,
    /// Whether a plain `cargo test` runs it.
    pub(crate) tested: bool,
}

/// Every target of the workspace's packages.
pub(crate) fn read(workspace: &Workspace) -> Result<Vec<Target>> {
    let question = ["metadata", "--no-deps", "--format-version", "1"];
    let answer = steps::read(&mut workspace.cargo(question))?;
    parse(&answer).ok_or_else(|| {
        Failure::new(
            "`cargo metadata` answered in a form that xtask does not know",
            "use the Rust release named in rust-toolchain.toml",
        )
    })
}

fn parse(metadata: &str) -> Option<Vec<Target>> {
    let metadata: Value = serde_json::from_str(metadata).ok()?;
    let mut targets = Vec::new();
    for package in metadata["packages"].as_array()? {
        for target in package["targets"].as_array()? {
            targets.push(Target {
                package: package["name"].as_str()?.to_owned(),
                kind: target["kind"][0].as_str()?.to_owned(),
                name: target["name"].as_str()?.to_owned(),
                tested: target["test"].as_bool()?,
            });
        }
    }
    Some(targets)
}

/// The arguments that make `cargo test` run what a plain `cargo test --workspace` runs, except these targets of the tests and the
/// doc tests: `cargo test` runs those only by themselves or with everything. Examples and benchmarks without tests are
/// not built either: clippy has checked them.
pub(crate) fn tested(targets: &[Target], without: &[&str]) -> Vec<String> {
    let mut arguments = vec!["--workspace".to_owned(), "--lib".to_owned()];
    let mut named = Vec::new();
    for target in targets.iter().filter(|target| target.tested) {
        let flag = match target.kind.as_str() {
            "bin" => "--bin",
            "test" => "--test",
            "example" => "--example",
            "bench" => "--bench",
            _ => continue,
        };
        let is_left_out = target.package == TESTS_PACKAGE && without.contains(&&*target.name);
        let words = [flag.to_owned(), target.name.clone()];
        if !is_left_out && !named.contains(&words) {
            named.push(words);
        }
    }
    arguments.extend(named.into_iter().flatten());
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    const METADATA: &str = r#"{"packages": [
        {"name": "td-kernel-maps", "targets": [
            {"kind": ["lib"], "name": "td_kernel_maps", "test": true}]},
        {"name": "td-kernel-tests", "targets": [
            {"kind": ["test"], "name": "gpu", "test": true},
            {"kind": ["test"], "name": "cpu", "test": true}]},
        {"name": "td-kernel-examples", "targets": [
            {"kind": ["example"], "name": "edm", "test": false},
            {"kind": ["test"], "name": "cpu", "test": true}]},
        {"name": "xtask", "targets": [
            {"kind": ["bin"], "name": "xtask", "test": true}]}
    ]}"#;

    #[test]
    fn every_tested_target_but_those_left_out_is_named_once() {
        let targets = parse(METADATA).unwrap();
        assert_eq!(
            tested(&targets, &["gpu"]).join(" "),
            "--workspace --lib --test cpu --bin xtask"
        );
    }

    #[test]
    fn another_form_of_metadata_is_not_half_read() {
        assert!(parse("{}").is_none());
        assert!(parse(r#"{"packages": [{"name": "a", "targets": [{}]}]}"#).is_none());
        assert!(parse("error: no").is_none());
    }
}

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

/// Arguments for `cargo test`, which together run what a plain `cargo test --workspace` runs but the doc tests: it runs those
/// only by themselves or with everything. Examples and benchmarks without tests are not built.
pub(crate) struct Tested {
    /// The test targets of the tests' own package, but those left out. Cargo knows them by their names only, so those of other
    /// packages that are named alike are among them.
    pub(crate) of_kernels: Vec<String>,
    /// All others.
    pub(crate) of_crates: Vec<String>,
    /// All, those left out too.
    pub(crate) all: Vec<String>,
}

impl Tested {
    pub(crate) fn new(targets: &[Target], without: &[&str]) -> Tested {
        let (mut of_kernels, mut of_crates, mut all) = (Vec::new(), Vec::new(), Vec::new());
        // Those of the tests' package first, so that they are known when their namesakes come.
        let (own, others): (Vec<_>, Vec<_>) = targets
            .iter()
            .filter(|target| target.tested)
            .partition(|target| target.package == TESTS_PACKAGE && target.kind == "test");
        for (each, is_own) in
            own.iter().map(|each| (each, true)).chain(others.iter().map(|each| (each, false)))
        {
            let flag = match each.kind.as_str() {
                "bin" => "--bin",
                "test" => "--test",
                "example" => "--example",
                "bench" => "--bench",
                _ => continue,
            };
            let words = [flag.to_owned(), each.name.clone()];
            if !all.contains(&words) {
                all.push(words.clone());
            }
            let is_left_out = is_own && without.contains(&&*each.name);
            if !is_left_out && !of_kernels.contains(&words) && !of_crates.contains(&words) {
                if is_own { of_kernels.push(words) } else { of_crates.push(words) }
            }
        }
        let arguments = |first: &[&str], words: Vec<[String; 2]>| {
            let first = first.iter().map(|&word| word.to_owned());
            first.chain(words.into_iter().flatten()).collect()
        };
        Tested {
            of_kernels: arguments(&["--workspace"], of_kernels),
            of_crates: arguments(&["--workspace", "--lib"], of_crates),
            all: arguments(&["--workspace", "--lib"], all),
        }
    }

    /// The arguments for those of the tests' own package and all others, without those left out.
    pub(crate) fn both(self) -> Vec<String> {
        let of_crates = self.of_crates.into_iter().filter(|word| word != "--workspace");
        self.of_kernels.into_iter().chain(of_crates).collect()
    }
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
            {"kind": ["test"], "name": "tables", "test": true},
            {"kind": ["test"], "name": "cpu", "test": true}]},
        {"name": "xtask", "targets": [
            {"kind": ["bin"], "name": "xtask", "test": true}]}
    ]}"#;

    #[test]
    fn every_tested_target_is_named_once() {
        let targets = parse(METADATA).unwrap();
        let Tested { of_kernels, of_crates, all } = Tested::new(&targets, &["gpu"]);
        assert_eq!(of_kernels.join(" "), "--workspace --test cpu");
        assert_eq!(of_crates.join(" "), "--workspace --lib --test tables --bin xtask");
        assert_eq!(
            all.join(" "),
            "--workspace --lib --test gpu --test cpu --test tables --bin xtask"
        );
        let both = Tested::new(&targets, &["gpu"]).both();
        assert_eq!(both.join(" "), "--workspace --test cpu --lib --test tables --bin xtask");
    }

    #[test]
    fn another_form_of_metadata_is_not_half_read() {
        assert!(parse("{}").is_none());
        assert!(parse(r#"{"packages": [{"name": "a", "targets": [{}]}]}"#).is_none());
        assert!(parse("error: no").is_none());
    }
}

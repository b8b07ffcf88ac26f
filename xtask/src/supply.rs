//! Checks dependencies, their licences and versions, and the packages for crates.io.

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::failure::{Failure, Result};
use crate::steps::{self, Table};
use crate::tools::{DENY, HACK, MACHETE, MINIMAL_VERSIONS};
use crate::workspace::{BESIDE, PUBLISHED, Workspace};

/// `cargo xtask supply`: checks the licences, versions and sources of all that is built, and looks for unused dependencies.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    licences(workspace)?;
    // In the root's folders, so the packages of other workspaces are checked too.
    steps::run(&mut MACHETE.command(workspace)?)
}

/// The steps of `ci`.
pub(crate) fn check(workspace: &Workspace, table: &mut Table) {
    let cargo = |arguments: &[&str]| workspace.cargo(arguments.iter().copied());

    table.step("manifests", || manifests(workspace));
    table.step("dependencies", || run(workspace));
    table.step("oldest Rust", || oldest_rust(workspace));
    table.step("packages", || {
        let mut package = cargo(&["package", "--quiet", "--no-verify", "--allow-dirty"]);
        steps::run(package.args(published()))
    });
}

/// The further steps of `ci --every`.
pub(crate) fn check_every(workspace: &Workspace, table: &mut Table) {
    table.step("features", || features(workspace));
    table.step("lowest versions", || lowest_versions(workspace));
    table.step("fuzz targets", || {
        let manifest = ["check", "--locked", "--manifest-path", "fuzz/libfuzzer/Cargo.toml"];
        // A workspace of its own, whose dependencies the lints have checked already.
        steps::run(workspace.cargo(manifest).env("CARGO_TARGET_DIR", workspace.target()))
    });
}

/// What `cargo deny` calls an entry of its file that a workspace does not need.
const UNMATCHED: [&str; 3] =
    ["unmatched-skip", "unmatched-skip-root", "license-exception-not-encountered"];

/// Checks what may be built into this workspace, and into those beside it, by the same `deny.toml`.
fn licences(workspace: &Workspace) -> Result<()> {
    for folder in std::iter::once(".").chain(BESIDE) {
        let mut deny = DENY.command(workspace)?;
        let manifest = format!("{folder}/Cargo.toml");
        deny.args(["--locked", "--config", "deny.toml", "--manifest-path", &manifest, "check"]);
        // Each workspace has some of what the file tells of all.
        for unmatched in UNMATCHED {
            deny.args(["--allow", unmatched]);
        }
        // Without the advisories, whose database needs another network connection.
        steps::run(deny.args(["licenses", "bans", "sources"]))?;
    }
    Ok(())
}

/// Checks the manifests: published crates have every field that crates.io shows, others cannot be published, and no
/// dependency needs a newer Rust than is promised.
fn manifests(workspace: &Workspace) -> Result<()> {
    let answer =
        steps::read(&mut workspace.cargo(["metadata", "--format-version", "1", "--locked"]))?;
    let defects = serde_json::from_str(&answer).ok().and_then(|metadata| defects(&metadata));
    match defects.as_deref() {
        Some([]) => Ok(()),
        Some(defects) => Err(Failure::new(
            format!("manifests are not as they should be:\n  {}", defects.join("\n  ")),
            "complete the package's Cargo.toml; for a dependency, take an older version (`cargo update --precise`) \
             or raise `rust-version`",
        )),
        None => Err(Failure::new(
            "`cargo metadata` answered in a form that xtask does not know",
            "use the Rust release named in rust-toolchain.toml",
        )),
    }
}

fn defects(metadata: &Value) -> Option<Vec<String>> {
    let own: Vec<&str> =
        metadata["workspace_members"].as_array()?.iter().filter_map(Value::as_str).collect();
    let is_published = |name: &str| PUBLISHED.iter().any(|(published, _)| *published == name);
    let mut defects = Vec::new();
    let mut promised = None;
    let packages = metadata["packages"].as_array()?;
    for package in packages {
        let name = package["name"].as_str()?;
        if !own.contains(&package["id"].as_str()?) {
            continue;
        }
        promised = promised.max(package["rust_version"].as_str().and_then(version));
        let is_private = package["publish"].as_array().is_some_and(Vec::is_empty);
        match (is_published(name), is_private) {
            (true, true) => defects
                .push(format!("{name} is one of the published crates, and has `publish = false`")),
            (false, false) => {
                defects.push(format!("{name} is not for crates.io, and lacks `publish = false`"));
            }
            _ => {}
        }
        let wanted = ["description", "license", "readme", "rust_version"];
        let lists = ["keywords", "categories", "authors"];
        let is_empty = |key: &&str| package[*key].as_array().is_none_or(Vec::is_empty);
        let lacks = wanted
            .into_iter()
            .filter(|key| package[*key].is_null())
            .chain(lists.into_iter().filter(is_empty));
        if is_published(name) {
            defects.extend(lacks.map(|key| format!("{name} has no `{}`", key.replace('_', "-"))));
        }
    }
    let promised = promised?;
    for package in packages {
        let needed = package["rust_version"].as_str();
        if let Some(needed) = needed.filter(|needed| version(needed) > Some(promised)) {
            let (name, number) = (package["name"].as_str()?, package["version"].as_str()?);
            defects.push(format!("{name} {number} needs Rust {needed}"));
        }
    }
    Some(defects)
}

/// A version of Rust as numbers, for comparison.
fn version(text: &str) -> Option<[u32; 3]> {
    let mut parts = text.split('.').map(|part| part.parse().ok());
    let mut next = || parts.next().unwrap_or(Some(0));
    Some([next()?, next()?, next()?])
}

/// Builds the published crates with the lowest versions that their manifests allow: a user's lock file may have these.
fn lowest_versions(workspace: &Workspace) -> Result<()> {
    // cargo-minimal-versions calls cargo-hack.
    HACK.command(workspace)?;
    let mut check = MINIMAL_VERSIONS.command(workspace)?;
    check.args(["check", "--direct"]).args(published());
    // Choosing the lowest versions is an unstable feature of cargo; this makes it available on stable.
    check.env("RUSTC_BOOTSTRAP", "1");
    check.env("CARGO_TARGET_DIR", workspace.target().join("lowest-versions"));
    steps::run(&mut check)
}

/// Builds the runtime without features, and with each one alone. All combinations would take a minute.
fn features(workspace: &Workspace) -> Result<()> {
    let mut check = HACK.command(workspace)?;
    check.args(["check", "--locked", "--each-feature", "--exclude-features", "default,__fuzz"]);
    steps::run(check.args(published()))
}

/// The arguments that name the published crates.
fn published() -> impl Iterator<Item = &'static str> {
    PUBLISHED.iter().flat_map(|(name, _)| ["--package", name])
}

/// Builds the published crates with `rust-version`. Other checks only read what crates declare of it.
fn oldest_rust(workspace: &Workspace) -> Result<()> {
    let path = workspace.root().join("Cargo.toml");
    let manifest =
        fs::read_to_string(&path).map_err(|error| Failure::file("read", &path, &error))?;
    let promised = manifest.lines().find_map(|line| line.strip_prefix("rust-version = "));
    let Some(promised) = promised.map(|version| version.trim_matches('"')) else {
        return Err(Failure::new(
            "Cargo.toml has no rust-version",
            "add it to [workspace.package]",
        ));
    };
    let list = Command::new("rustup").args(["toolchain", "list"]).output();
    let list = list.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    if !list.unwrap_or_default().lines().any(|line| line.starts_with(promised)) {
        return Err(Failure::new(
            format!("Rust {promised}, the `rust-version` of Cargo.toml, is not installed"),
            format!("run `rustup toolchain install {promised} --profile minimal`, or `.ci/run`"),
        ));
    }
    let mut check = Command::new("rustup");
    check.args(["run", promised, "cargo", "check", "--locked"]).current_dir(workspace.root());
    check.env("CARGO_TARGET_DIR", workspace.target().join("oldest-rust"));
    steps::run(check.args(published()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn package(name: &str, change: impl FnOnce(&mut Value)) -> Value {
        let mut package = json!({
            "id": name, "name": name, "version": "0.1.0", "publish": null, "rust_version": "1.88",
            "description": "d", "license": "MIT", "readme": "README.md",
            "keywords": ["k"], "categories": ["c"], "authors": ["a"],
        });
        change(&mut package);
        package
    }

    fn found(packages: &[Value]) -> Vec<String> {
        let own: Vec<&Value> =
            packages.iter().map(|each| &each["id"]).filter(|id| *id != "dependency").collect();
        defects(&json!({ "packages": packages, "workspace_members": own })).unwrap()
    }

    #[test]
    fn what_a_manifest_lacks_is_named() {
        assert!(found(&[package("td-kernel", |_| {})]).is_empty());
        let incomplete = package("td-kernel", |package| {
            package["readme"] = Value::Null;
            package["keywords"] = json!([]);
        });
        assert_eq!(
            found(&[incomplete]),
            ["td-kernel has no `readme`", "td-kernel has no `keywords`"]
        );
        let own = package("xtask", |_| {});
        assert!(found(&[own])[0].contains("`publish = false`"));
        let own = package("xtask", |package| package["publish"] = json!([]));
        assert!(found(&[own]).is_empty());
    }

    #[test]
    fn a_dependency_that_needs_a_newer_rust_is_named() {
        let with = |needed: Value| {
            let dependency = package("dependency", |package| package["rust_version"] = needed);
            found(&[package("td-kernel", |_| {}), dependency])
        };
        assert_eq!(with(json!("1.89.0")), ["dependency 0.1.0 needs Rust 1.89.0"]);
        assert_eq!(with(json!("1.100")), ["dependency 0.1.0 needs Rust 1.100"]);
        for fine in [json!("1.88.0"), json!("1.9"), Value::Null] {
            assert!(with(fine).is_empty());
        }
    }
}

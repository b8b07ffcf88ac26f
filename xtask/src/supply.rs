//! Dependencies, their licences and versions, and the packages for crates.io.

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use xshell::{Shell, cmd};

use crate::target;
use crate::tools::{DENY, HACK, MACHETE, MINIMAL_VERSIONS, install};

/// The crates on crates.io, in the order of publishing.
const PUBLISHED: [&str; 5] = [
    "td-kernel-geometry", "td-kernel-codegen", "td-kernel-macros", "td-kernel-emulator",
    "td-kernel",
];

/// All workspaces of the repository, and whether their lock files are tracked. The fuzzers' lock file is not tracked: nobody
/// else builds them.
const WORKSPACES: [(&str, &[&str]); 3] =
    [(".", &["--locked"]), ("cluster", &["--locked"]), ("fuzz/libfuzzer", &[])];

/// `cargo xtask supply`: checks the licences, versions and sources of all dependencies, looks for unused ones, and checks that
/// only the crates for crates.io can be published.
pub(crate) fn run(shell: &Shell) -> Result<()> {
    let _tools = install(shell, &[DENY, MACHETE])?;
    for (workspace, locked) in WORKSPACES {
        // A workspace needs only some of the exceptions in deny.toml. Advisories need a network: `cargo deny check`.
        cmd!(
            shell,
            "cargo-deny {locked...} --config deny.toml --manifest-path {workspace}/Cargo.toml check
             --allow unmatched-skip --allow unmatched-skip-root --allow license-exception-not-encountered
             licenses bans sources"
        )
        .run()?;
    }
    // It accepts the argument `machete`, which cargo passes, only if this variable is unset.
    cmd!(shell, "cargo machete").env_remove("CARGO_PKG_NAME").run()?;
    let metadata = cmd!(shell, "cargo metadata --no-deps --locked --format-version 1").read()?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    let packages = metadata["packages"].as_array().context("cargo metadata lists no packages")?;
    let public = packages.iter().filter(|package| package["publish"].is_null());
    let mut public: Vec<_> = public.filter_map(|package| package["name"].as_str()).collect();
    let mut expected = PUBLISHED;
    public.sort_unstable();
    expected.sort_unstable();
    ensure!(
        public == expected,
        "the crates without `publish = false` are {public:?}, expected {expected:?}"
    );
    Ok(())
}

/// Packs each crate for crates.io. With `every`, it also builds each one from the packages of the others.
pub(crate) fn package(shell: &Shell, every: bool) -> Result<()> {
    let published = published();
    let verify = (!every).then_some("--no-verify");
    cmd!(shell, "cargo package --quiet {verify...} --locked --allow-dirty {published...}").run()?;
    Ok(())
}

/// Builds the published crates with the oldest Rust that their manifests allow.
pub(crate) fn check_oldest_rust(shell: &Shell) -> Result<()> {
    let (oldest, published) = (env!("CARGO_PKG_RUST_VERSION"), published());
    cmd!(shell, "rustup run {oldest} cargo check --locked {published...}")
        .env("CARGO_TARGET_DIR", target(shell)?.join("oldest-rust"))
        .run()
        .with_context(|| {
            format!("if it is missing: rustup toolchain install {oldest} --profile minimal")
        })
}

/// Builds the published crates without features, and with each one alone.
pub(crate) fn check_features(shell: &Shell) -> Result<()> {
    let _tool = install(shell, &[HACK])?;
    let published = published();
    cmd!(
        shell,
        "cargo-hack hack check --locked --each-feature --exclude-features default,__fuzz {published...}"
    )
    .run()?;
    Ok(())
}

/// Builds the published crates with the lowest versions that their manifests allow: a user's lock file may have these.
pub(crate) fn check_lowest_versions(shell: &Shell) -> Result<()> {
    // cargo-minimal-versions calls cargo-hack.
    let _tools = install(shell, &[HACK, MINIMAL_VERSIONS])?;
    let published = published();
    cmd!(shell, "cargo-minimal-versions minimal-versions check --direct {published...}")
        // The choice of the lowest versions is an unstable feature of cargo, which this variable enables on stable.
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_TARGET_DIR", target(shell)?.join("lowest-versions"))
        .run()?;
    Ok(())
}

/// The arguments that name the published crates.
fn published() -> impl Iterator<Item = &'static str> {
    PUBLISHED.iter().flat_map(|name| ["--package", name])
}

//! Programs from crates.io that the tasks call, each in a fixed version, so that a new version does not change the result of a
//! check.

use std::env;
use std::path::PathBuf;

use anyhow::Result;
use xshell::{PushEnv, Shell, cmd};

use crate::target;

/// The arguments of `cargo install` for a tool.
type Tool = &'static [&'static str];

pub(crate) const DENY: Tool = &["cargo-deny@0.20.2"];
pub(crate) const HACK: Tool = &["cargo-hack@0.6.46"];
pub(crate) const MACHETE: Tool = &["cargo-machete@0.9.2"];
/// Without its server.
pub(crate) const MDBOOK: Tool = &["mdbook@0.5.4", "--no-default-features", "--features", "search"];
pub(crate) const MINIMAL_VERSIONS: Tool = &["cargo-minimal-versions@0.1.38"];

/// Builds the tools that the user's cache folder lacks; other checkouts share the folder. They are first on the `PATH` for as
/// long as the returned value lives.
pub(crate) fn install<'a>(shell: &'a Shell, tools: &[Tool]) -> Result<PushEnv<'a>> {
    let cache = env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| Some(env::home_dir()?.join(".cache")));
    let folder = cache.map_or_else(|| target(shell), Ok)?.join("td-kernel-xtask");
    let path = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([folder.join("bin")].into_iter().chain(env::split_paths(&path)))?;
    let path = shell.push_env("PATH", path);
    for &tool in tools {
        // Cargo does nothing if this version is installed. Optimising a tool takes longer than it saves.
        cmd!(shell, "cargo install --locked --debug --config profile.dev.debug=false --root {folder} {tool...}")
            .env("CARGO_TARGET_DIR", target(shell)?.join("tools"))
            .run()?;
    }
    Ok(path)
}

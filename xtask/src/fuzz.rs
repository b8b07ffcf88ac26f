//! `cargo xtask fuzz`: runs each fuzzer for some time.

use anyhow::{Result, ensure};
use xshell::{Shell, cmd};

use crate::target;

/// The targets, and the maximum size of an input in bytes: longer inputs only slow the search.
const TARGETS: [(&str, u32); 3] = [("attribute", 1024), ("body", 512), ("cache", 256)];

/// Fuzzes `chosen`, or all targets one after another.
pub(crate) fn run(shell: &Shell, chosen: Option<&str>, seconds: u32) -> Result<()> {
    let is_chosen = |target: &str| chosen.is_none_or(|chosen| chosen == target);
    let targets: Vec<_> = TARGETS.into_iter().filter(|(target, _)| is_chosen(target)).collect();
    ensure!(
        !targets.is_empty(),
        "the fuzz targets are {}",
        TARGETS.map(|(name, _)| name).join(", ")
    );
    for (name, length) in targets {
        // New inputs go to the first folder, so that the repository keeps only a few.
        let found = target(shell)?.join("fuzz").join(name);
        shell.create_dir(&found)?;
        let build = target(shell)?.join("libfuzzer");
        let limits = [format!("-max_total_time={seconds}"), format!("-max_len={length}")];
        let folder = shell.current_dir().join("fuzz");
        let corpus = folder.join("corpus").join(name);
        let words = folder.join(format!("{name}.dict"));
        let words = shell.path_exists(&words).then(|| format!("-dict={}", words.display()));
        // Sanitizers look for errors that safe code does not have, and need a nightly toolchain. With cfg(fuzzing), proc-macro2
        // drops the positions of tokens.
        cmd!(
            shell,
            "cargo fuzz run --fuzz-dir {folder}/libfuzzer --sanitizer none --no-cfg-fuzzing --target-dir {build}
             {name} {found} {corpus} --
             {words...} {limits...} -print_final_stats=1"
        )
        .run()?;
    }
    Ok(())
}

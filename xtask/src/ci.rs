//! `cargo xtask ci`: the checks of a change. Each step runs even if an earlier one failed, so that one run shows every failure.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use xshell::{Cmd, Shell, cmd};

use crate::{
    EXAMPLES, bundle, commands, docs, draw, guide, modules, site, snapshots, supply, target, test,
};

pub(crate) fn run(shell: &Shell, every: bool) -> Result<()> {
    // A developer's shell may have other values, which rewrite expected results or accept wrong ones.
    shell.set_var("INSTA_UPDATE", "no");
    shell.set_var("INSTA_FORCE_PASS", "0");
    shell.set_var("TRYBUILD", "wip");
    let features = test::features(every);
    let mut steps = Steps::default();

    steps.run("format", cmd!(shell, "cargo fmt --all --check"));
    let lints = cmd!(shell, "cargo clippy --workspace --all-targets {features...} -- -D warnings");
    steps.run("lints", lints);
    // "All targets" leaves out the GPU's tests, like a plain `cargo test`. The bundle has them with few and with all combinations.
    steps.step("lints of the GPU's tests", || {
        let tests = ["--package", "td-kernel-tests", "--test", "gpu"];
        [false, true].into_iter().try_for_each(|every| {
            let features = test::features(every);
            Ok(cmd!(shell, "cargo clippy {tests...} {features...} -- -D warnings").run()?)
        })
    });
    steps.step("pictures", || draw::run(shell, true));
    steps.step("tables", || docs::run(shell, true));
    steps.step("modules", || modules::check(shell));

    steps.step("tests", || {
        snapshots::check(shell, || test::run(shell, every, &["--no-fail-fast".into()]))
    });
    steps.step("oldest NVRTC", || test::run_with_oldest_nvrtc(shell, every));

    steps.run("documentation", documentation(shell, &[]));
    steps.step("guide", || guide::run(shell, true));
    steps.step("site", || site::run(shell));
    // Built with the tests' features, so that nothing is built twice.
    steps.run("examples", cmd!(shell, "cargo build --workspace --examples"));
    for example in EXAMPLES {
        let program = target(shell)?.join("debug/examples").join(example);
        steps.run(&format!("example {example}"), cmd!(shell, "{program} --device cpu"));
    }

    steps.step("new crates", || commands::in_new_crates(shell));

    steps.step("dependencies", || supply::run(shell));
    steps.step("oldest Rust", || supply::check_oldest_rust(shell));
    steps.step("packages", || supply::package(shell, every));
    steps.step("cluster", || cluster(shell, every));
    if every {
        // The steps above compile or check the same targets with the same features, and need not optimise them.
        steps.step("bundle", || bundle::run(shell));
        steps.step("features", || supply::check_features(shell));
        steps.step("lowest versions", || supply::check_lowest_versions(shell));
        let fuzz = "fuzz/libfuzzer/Cargo.toml";
        steps.run("fuzz targets", cmd!(shell, "cargo check --manifest-path {fuzz}"));
    }
    steps.finish()
}

/// `cargo xtask cluster`: the crate for several machines, a workspace of its own. Its tests run as several ranks.
pub(crate) fn cluster(shell: &Shell, every: bool) -> Result<()> {
    let workspace = ["--manifest-path", "cluster/Cargo.toml"];
    let features = test::features(every);
    cmd!(shell, "cargo fmt {workspace...} --check").run()?;
    cmd!(shell, "cargo clippy {workspace...} --locked --all-targets {features...} -- -D warnings")
        .run()?;
    cmd!(shell, "cargo test {workspace...} --locked {features...}").run()?;
    documentation(shell, &workspace).run()?;
    Ok(())
}

fn documentation<'a>(shell: &'a Shell, workspace: &[&str]) -> Cmd<'a> {
    cmd!(shell, "cargo doc --workspace --no-deps {workspace...}").env("RUSTDOCFLAGS", "-D warnings")
}

/// Steps that continue after a failure.
#[derive(Default)]
struct Steps {
    done: Vec<(String, bool, Duration)>,
}

impl Steps {
    fn run(&mut self, name: &str, command: Cmd) {
        self.step(name, || Ok(command.run()?));
    }

    fn step(&mut self, name: &str, act: impl FnOnce() -> Result<()>) {
        println!("\n== {name}");
        let start = Instant::now();
        let outcome = act();
        if let Err(error) = &outcome {
            eprintln!("error: {error:#}");
        }
        self.done.push((name.to_owned(), outcome.is_ok(), start.elapsed()));
    }

    /// Prints all steps, and fails if one of them has failed.
    fn finish(self) -> Result<()> {
        println!("\n{:20}  result  seconds", "step");
        for (name, passed, spent) in &self.done {
            println!(
                "{name:20}  {:6}  {:7}",
                if *passed { "ok" } else { "FAILED" },
                spent.as_secs()
            );
        }
        let failed = self.done.iter().filter(|(_, passed, _)| !passed);
        let failed: Vec<_> = failed.map(|(name, ..)| name.as_str()).collect();
        ensure!(failed.is_empty(), "failed: {}", failed.join(", "));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_step_is_named_and_others_run() {
        let mut steps = Steps::default();
        let mut runs = 0;
        steps.step("first", || anyhow::bail!("wrong"));
        steps.step("second", || {
            runs += 1;
            Ok(())
        });
        let shell = Shell::new().unwrap();
        steps.run("third", cmd!(shell, "td-kernel-no-such-program"));
        assert_eq!(runs, 1);
        assert_eq!(steps.finish().unwrap_err().to_string(), "failed: first, third");
    }
}

//! Where and with what figures were taken.

use serde::{Deserialize, Serialize};
use td_kernel::{Device, nvrtc};

use crate::Failure;
use crate::measure::gpu::driver_version;

/// A GPU or none, and what runs on it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Machine {
    pub(crate) device: String,
    pub(crate) driver: String,
    pub(crate) nvrtc: String,
    /// The operating system and the processor's architecture.
    pub(crate) system: String,
    /// The version of this program, and so of the crates that it is built from.
    pub(crate) version: String,
    /// The commit, if it was told.
    pub(crate) commit: Option<String>,
    pub(crate) command: String,
}

impl Machine {
    /// This one, with a GPU, the CPU device, or neither, where kernels are only compiled.
    pub(crate) fn of(device: Option<&Device>, commit: Option<String>) -> Result<Machine, Failure> {
        let none = || "none".to_owned();
        let is_gpu = device.is_some_and(|device| !device.is_cpu());
        let nvrtc = match device {
            Some(device) if device.is_cpu() => none(),
            _ => {
                let (major, minor) = nvrtc::version()?;
                format!("{major}.{minor}")
            }
        };
        Ok(Machine {
            device: device.map_or_else(|| "no GPU".to_owned(), |device| device.name().to_owned()),
            driver: if is_gpu { driver_version() } else { none() },
            nvrtc,
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            version: env!("CARGO_PKG_VERSION").into(),
            commit,
            command: command(std::env::args().skip(1)),
        })
    }

    /// Where the figures were taken, in a line.
    pub(crate) fn line(&self) -> String {
        let Machine { device, driver, nvrtc, system, version, commit, .. } = self;
        let commit = commit.as_ref().map(|commit| format!(", commit {commit}")).unwrap_or_default();
        format!("{device}, driver {driver}, NVRTC {nvrtc}, {system}, td-kernel {version}{commit}")
    }
}

/// The command as one would give it elsewhere: where its files are, and what is noted beside it, is left out.
fn command(words: impl Iterator<Item = String>) -> String {
    let (mut text, mut words) = ("td-bench".to_owned(), words);
    while let Some(word) = words.next() {
        if ["--output", "--python", "--commit", "--folder"].contains(&word.as_str()) {
            words.next();
        } else {
            text += &format!(" {word}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_names_no_place() {
        let words = ["figures", "--output", "/a/b", "--quick"].map(str::to_owned);
        assert_eq!(command(words.into_iter()), "td-bench figures --quick");
    }
}

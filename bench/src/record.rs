//! What a measurement leaves behind: JSON that says what it is and where it was taken, written whole or
//! not at all.

mod text;

use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use td_kernel::nvrtc;

use crate::Failure;
use crate::measure::gpu::Gpu;

/// Figures that have a file of their own.
pub(crate) trait Record: Serialize + DeserializeOwned {
    /// The file's name in the folder of a run.
    const FILE: &'static str;
    /// What the file says that it is, so that another one is not taken for it.
    const WHAT: &'static str;
    /// The command that makes it.
    const COMMAND: &'static str;
}

/// Where and with what figures were taken.
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

/// A file.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct File<T> {
    what: String,
    pub(crate) machine: Machine,
    pub(crate) figures: T,
}

impl Machine {
    /// This one.
    pub(crate) fn of(gpu: &Gpu, commit: Option<String>) -> Result<Machine, Failure> {
        let (major, minor) = nvrtc::version()?;
        let mut machine = Machine::without_gpu(gpu.device.name().to_owned(), commit);
        machine.driver = gpu.driver();
        machine.nvrtc = format!("{major}.{minor}");
        Ok(machine)
    }

    /// This one, as far as it can be told where no GPU is used.
    pub(crate) fn without_gpu(device: String, commit: Option<String>) -> Machine {
        Machine {
            device,
            driver: "none".into(),
            nvrtc: "none".into(),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            version: env!("CARGO_PKG_VERSION").into(),
            commit,
            command: command(std::env::args().skip(1)),
        }
    }

    /// Where the figures were taken, in a line.
    pub(crate) fn line(&self) -> String {
        let commit = self.commit.as_deref().map(|commit| format!(", commit {commit}"));
        format!(
            "{}, driver {}, NVRTC {}, {}, td-kernel {}{}",
            self.device,
            self.driver,
            self.nvrtc,
            self.system,
            self.version,
            commit.unwrap_or_default()
        )
    }
}

impl<T: Record> File<T> {
    pub(crate) fn new(machine: Machine, figures: T) -> File<T> {
        File { what: T::WHAT.into(), machine, figures }
    }

    pub(crate) fn path(folder: &Path) -> PathBuf {
        folder.join(T::FILE)
    }

    /// Writes the file into a folder, which is made if need be. An earlier one is replaced in one step, so
    /// that whatever happens there is a whole one.
    pub(crate) fn write(&self, folder: &Path) -> Result<(), Failure> {
        let path = File::<T>::path(folder);
        let failed = |error| format!("cannot write {}: {error}", path.display());
        std::fs::create_dir_all(folder).map_err(failed)?;
        self.write_to(&path)
    }

    /// The same under a name of its own, in a folder that is there.
    pub(crate) fn write_to(&self, path: &Path) -> Result<(), Failure> {
        let failed = |error| format!("cannot write {}: {error}", path.display());
        let new = path.with_extension("json.new");
        std::fs::write(&new, text::of(&serde_json::to_value(self)?)).map_err(failed)?;
        std::fs::rename(&new, path).map_err(failed)?;
        Ok(())
    }

    /// The file in a folder; `None` where there is none.
    pub(crate) fn read(folder: &Path) -> Result<Option<File<T>>, Failure> {
        File::read_from(&File::<T>::path(folder))
    }

    /// The file of this name; `None` where there is none.
    pub(crate) fn read_from(path: &Path) -> Result<Option<File<T>>, Failure> {
        match std::fs::read_to_string(path) {
            Ok(text) => parse(&text).map(Some).map_err(|error| {
                format!(
                    "{}: {error}\n to do: give what `{}` of this version wrote",
                    path.display(),
                    T::COMMAND
                )
                .into()
            }),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(format!("cannot read {}: {error}", path.display()).into()),
        }
    }
}

fn parse<T: Record>(text: &str) -> Result<File<T>, String> {
    let value: Value =
        serde_json::from_str(text).map_err(|error| format!("this is not JSON: {error}"))?;
    if value["what"] != T::WHAT {
        return Err(format!("`what` is not {:?}, so these are other figures", T::WHAT));
    }
    serde_json::from_value(value).map_err(|error| format!("the figures are not whole: {error}"))
}

/// The command as one would give it elsewhere: where its files are, and what is noted beside it, is left out.
pub(crate) fn command(words: impl Iterator<Item = String>) -> String {
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

/// A number with as many digits as a measurement has, which keeps files short.
pub(crate) fn rounded(number: f64) -> f64 {
    format!("{number:.4e}").parse().unwrap_or(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Sample {
        rows: Vec<[f64; 2]>,
    }

    impl Record for Sample {
        const FILE: &'static str = "sample.json";
        const WHAT: &'static str = "a sample, format 1";
        const COMMAND: &'static str = "td-bench sample";
    }

    #[test]
    fn what_is_written_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("new");
        assert!(File::<Sample>::read(&inner).unwrap().is_none());
        let machine = Machine::without_gpu("a GPU".into(), Some("abc".into()));
        File::new(machine.clone(), Sample { rows: vec![[1.0, 0.5]] }).write(&inner).unwrap();
        let file = File::<Sample>::read(&inner).unwrap().unwrap();
        assert_eq!((file.machine, file.figures.rows), (machine, vec![[1.0, 0.5]]));
        assert_eq!(std::fs::read_dir(&inner).unwrap().count(), 1);
    }

    #[test]
    fn other_files_are_refused_in_words() {
        let folder = tempfile::tempdir().unwrap();
        for (text, message) in [
            ("{", "this is not JSON"),
            ("{\"what\": \"else\"}", "`what` is not \"a sample, format 1\""),
            ("{\"what\": \"a sample, format 1\"}", "the figures are not whole: missing field"),
        ] {
            std::fs::write(folder.path().join("sample.json"), text).unwrap();
            let error = File::<Sample>::read(folder.path()).unwrap_err().to_string();
            assert!(error.contains(message) && error.contains("td-bench sample"), "{error}");
        }
    }

    #[test]
    fn a_command_names_no_place() {
        let words = ["figures", "--output", "/a/b", "--quick"].map(str::to_owned);
        assert_eq!(command(words.into_iter()), "td-bench figures --quick");
    }

    #[test]
    fn numbers_keep_five_digits() {
        assert_eq!(rounded(0.001_234_567), 0.001_234_6);
        assert_eq!(rounded(123_456.0), 123_460.0);
    }
}

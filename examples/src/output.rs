//! Output files: they appear when they are complete, and replace existing files only with `--force`.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use tempfile::NamedTempFile;

use crate::Result;

/// A file that gets its name when it is complete. It is created before the work, so that a bad path fails early.
#[derive(Debug)]
pub struct Output {
    path: PathBuf,
    force: bool,
    file: NamedTempFile,
}

impl Output {
    /// The file of this name; an error if it exists, unless `force` is set.
    pub fn new(path: &Path, force: bool) -> Result<Output> {
        Output::check(path, force)?;
        // Links are followed.
        let target = path.canonicalize().unwrap_or_else(|_| path.into());
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // The usual permissions of a new file: tempfile's are for its owner only.
            builder.permissions(PermissionsExt::from_mode(0o666));
        }
        let file = builder.tempfile_in(folder(&target));
        let error = |error: io::Error| format!("cannot write {}: {}", path.display(), error.kind());
        let file = file.map_err(error)?;
        Ok(Output { path: target, force, file })
    }

    /// Like `new`, for an optional path.
    pub fn maybe(path: &Option<PathBuf>, force: bool) -> Result<Option<Output>> {
        path.as_ref().map(|path| Output::new(path, force)).transpose()
    }

    /// An error if a file cannot have this name.
    pub fn check(path: &Path, force: bool) -> Result<()> {
        let problem = match (path.exists(), path.is_file()) {
            (true, false) => "is not a file",
            (true, _) if !force => "exists already: --force replaces it",
            (false, _) if !folder(path).is_dir() => {
                &format!("cannot be written: there is no folder {}", folder(path).display())
            }
            _ => return Ok(()),
        };
        Err(format!("{} {problem}", path.display()).into())
    }

    /// The file to write to.
    pub fn file(&self) -> &File {
        self.file.as_file()
    }

    /// Writes bytes after the others.
    pub fn write(&self, bytes: &[u8]) -> Result<()> {
        Ok(self.file().write_all(bytes).map_err(|error| self.failed(error))?)
    }

    /// An error about writing the file, with its name.
    pub fn failed(&self, error: impl Display) -> String {
        format!("cannot write {}: {error}", self.path.display())
    }

    /// Renames the file to its final name.
    pub fn finish(self) -> Result<()> {
        let Output { path, force, file } = self;
        let named = if force { file.persist(&path) } else { file.persist_noclobber(&path) };
        named.map_err(|error| format!("cannot write {}: {}", path.display(), error.error))?;
        Ok(())
    }

    /// Writes a table of comma-separated values with this header, and finishes the file.
    pub fn csv<H: AsRef<[u8]>, R: IntoIterator<Item: AsRef<[u8]>>>(
        self,
        header: impl IntoIterator<Item = H>,
        rows: impl IntoIterator<Item = R>,
    ) -> Result<()> {
        let mut writer = csv::Writer::from_writer(self.file());
        let written = writer
            .write_record(header)
            .and_then(|()| rows.into_iter().try_for_each(|row| writer.write_record(row)));
        written.map_err(|error| self.failed(error))?;
        writer.flush().map_err(|error| self.failed(error))?;
        drop(writer);
        self.finish()
    }
}

/// The folder of a file.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The path of a file without links. The file may be missing.
pub(crate) fn canonical(path: &Path) -> PathBuf {
    let folder = || Some(folder(path).canonicalize().ok()?.join(path.file_name()?));
    path.canonicalize().ok().or_else(folder).unwrap_or_else(|| path.into())
}

/// The option `--layout`: how the values of all pairs are laid out in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Layout {
    /// The rows of the lower triangle: (1, 0), (2, 0), (2, 1), (3, 0), …
    #[default]
    Packed,
    /// The rows of the upper triangle, as SciPy's pdist: (0, 1), (0, 2), … (1, 2), …
    Condensed,
    /// The whole matrix
    Square,
}

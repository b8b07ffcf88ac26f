//! Output files: never overwritten unasked, never half written.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use ndarray::ArrayViewD;
use ndarray_npy::WriteNpyExt;
use tempfile::NamedTempFile;

use crate::{Error, Result};

/// What a function that fills a file may fail with.
type AnyError = Box<dyn std::error::Error + Send + Sync>;

/// A file to be written at the end, whose name is checked at the start: long work should not fail
/// for want of a place for its result.
#[derive(Debug)]
pub struct NewFile {
    path: PathBuf,
    folder: PathBuf,
    replace: bool,
}

impl NewFile {
    /// The file of this name. One that is there is replaced if `replace` says so.
    ///
    /// # Errors
    ///
    /// Its folder is not there, or the name is taken.
    pub fn new(path: &Path, replace: bool) -> Result<NewFile> {
        let folder = match path.parent() {
            Some(folder) if folder.as_os_str().is_empty() => Path::new("."),
            Some(folder) => folder,
            None => return Err(Error::NotAFile { path: path.into() }),
        };
        if !folder.is_dir() {
            return Err(Error::NoFolder { path: path.into(), folder: folder.into() });
        }
        match fs::symlink_metadata(path) {
            // A name that is not there, or that cannot be looked at, which writing will tell.
            Err(_) => {}
            // To replace a device, as /dev/null is, would be fatal.
            Ok(found) if !found.is_file() && !found.is_symlink() => {
                return Err(Error::NotAFile { path: path.into() });
            }
            Ok(_) if replace => {}
            Ok(_) => return Err(Error::Exists { path: path.into() }),
        }
        Ok(NewFile { path: path.into(), folder: folder.into(), replace })
    }

    /// The files of these names, where there is one.
    ///
    /// # Errors
    ///
    /// One of the names cannot be used, or both are the same.
    pub fn pair(
        first: Option<&Path>,
        second: Option<&Path>,
        replace: bool,
    ) -> Result<(Option<NewFile>, Option<NewFile>)> {
        let open = |path: Option<&Path>| path.map(|path| NewFile::new(path, replace)).transpose();
        let (first, second) = (open(first)?, open(second)?);
        match (&first, &second) {
            (Some(first), Some(second)) if first.is(second) => {
                Err(Error::SameOutput { path: first.path.clone() })
            }
            _ => Ok((first, second)),
        }
    }

    fn is(&self, other: &NewFile) -> bool {
        let same_folder = match (self.folder.canonicalize(), other.folder.canonicalize()) {
            (Ok(folder), Ok(others)) => folder == others,
            _ => self.folder == other.folder,
        };
        same_folder && self.path.file_name() == other.path.file_name()
    }

    /// Its name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes what `fill` writes: to a file of another name in the same folder, which gets this
    /// name once it is complete.
    ///
    /// # Errors
    ///
    /// The file cannot be written, or the name has been taken meanwhile.
    pub fn write(
        &self,
        fill: impl FnOnce(&mut BufWriter<File>) -> std::result::Result<(), AnyError>,
    ) -> Result<()> {
        self.try_write(fill).map_err(|reason| Error::Write { path: self.path.clone(), reason })
    }

    fn try_write(
        &self,
        fill: impl FnOnce(&mut BufWriter<File>) -> std::result::Result<(), AnyError>,
    ) -> std::result::Result<(), AnyError> {
        let (file, temporary) = temporary_file(&self.folder)?.into_parts();
        let mut writer = BufWriter::new(file);
        fill(&mut writer)?;
        writer.flush()?;
        drop(writer);
        match self.replace {
            true => temporary.persist(&self.path)?,
            false => temporary.persist_noclobber(&self.path)?,
        }
        Ok(())
    }

    /// Writes an array of this shape, by rows, in NumPy's format.
    ///
    /// # Errors
    ///
    /// As for [`write`](NewFile::write); or the shape does not fit the values.
    pub fn write_npy(&self, shape: &[usize], values: &[f32]) -> Result<()> {
        self.write(|writer| {
            let array = ArrayViewD::from_shape(shape, values)?;
            Ok(array.write_npy(writer)?)
        })
    }
}

/// A new file in `folder`, which removes itself unless it gets another name.
fn temporary_file(folder: &Path) -> std::io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".unfinished-");
    // By default the owner alone could read it. The user's mask still applies.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

#[cfg(test)]
mod tests {
    use ndarray::Array2;
    use ndarray_npy::read_npy;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn an_array_is_read_back_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.npy");
        let values = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        let file = NewFile::new(&path, false).unwrap();
        file.write_npy(&[2, 3], &values).unwrap();
        let array: Array2<f32> = read_npy(&path).unwrap();
        assert_eq!(array.shape(), [2, 3]);
        assert_eq!(array.as_slice().unwrap(), values);
        assert_eq!(names(folder.path()), ["a.npy"]);
    }

    #[test]
    fn nothing_is_overwritten_unasked() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let early = NewFile::new(&path, false).unwrap();
        fs::write(&path, "precious").unwrap();
        let error = NewFile::new(&path, false).unwrap_err().to_string();
        assert!(error.contains("a.txt exists already"), "{error}");
        // It was not there yet when the program started.
        let error = early.write(|_| Ok(())).unwrap_err().to_string();
        assert!(error.contains("cannot write"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
        let replacing = NewFile::new(&path, true).unwrap();
        replacing.write(|writer| Ok(writer.write_all(b"new")?)).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    }

    #[test]
    fn a_failure_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let file = NewFile::new(&path, false).unwrap();
        let error = file
            .write(|writer| {
                writer.write_all(b"half")?;
                Err("the source ran dry".into())
            })
            .unwrap_err();
        let text = error.to_string();
        assert!(text.ends_with("a.txt: the source ran dry"), "{text}");
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn names_that_cannot_be_files_are_refused_at_the_start() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("nowhere/a.npy");
        let error = NewFile::new(&missing, true).unwrap_err().to_string();
        assert!(error.contains("there is no folder"), "{error}");
        assert!(error.contains("nowhere"), "{error}");
        let mut taken = vec![folder.path(), Path::new("/")];
        if cfg!(unix) {
            taken.push(Path::new("/dev/null"));
        }
        for taken in taken {
            let error = NewFile::new(taken, true).unwrap_err();
            assert!(matches!(error, Error::NotAFile { .. }), "{error}");
        }
    }

    #[test]
    fn one_file_is_not_two_outputs() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.npy");
        let detour = folder.path().join(".").join("a.npy");
        let error = NewFile::pair(Some(&path), Some(&detour), true).unwrap_err();
        assert!(matches!(error, Error::SameOutput { .. }), "{error}");
        let other = folder.path().join("b.npy");
        assert!(NewFile::pair(Some(&path), Some(&other), false).is_ok());
    }
}

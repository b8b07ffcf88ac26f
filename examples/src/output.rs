//! Output files: never overwritten without permission, never left half written.

use std::fs::{self, File};
use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use ndarray_npy::WritableElement;

use crate::identity::{is_standard_stream, same_file};
use crate::source::is_standard_input;
use crate::text::shown;
use crate::unfinished::Unfinished;
use crate::{AnyError, Error, Result, npy};

/// A file to be written at the end. It is created at the start under another name, so that long work does not fail only
/// because its result cannot be written.
#[derive(Debug)]
pub struct NewFile {
    /// The name that the user gave.
    path: PathBuf,
    /// Where the file goes: another name if `path` is a link.
    target: PathBuf,
    folder: PathBuf,
    replace: bool,
    /// The unfinished file, until it gets its name.
    unfinished: Mutex<Option<Unfinished>>,
}

impl NewFile {
    /// The file of this name. An existing file is replaced if `replace` says so; of a link, the file that it leads to.
    ///
    /// # Errors
    ///
    /// The name is taken, or is that of standard output; its folder does not exist, or no file can be created there.
    pub fn new(path: &Path, replace: bool) -> Result<NewFile> {
        if is_standard_input(path) {
            // As an output, it would be standard output, where the report goes.
            return Err(Error::StandardStream { path: path.into() });
        }
        let target = target(path, replace)?;
        let folder = match target.parent() {
            Some(folder) if folder.as_os_str().is_empty() => Path::new(".").into(),
            Some(folder) => folder.to_owned(),
            None => return Err(Error::NotAFile { path: path.into() }),
        };
        if !folder.is_dir() {
            return Err(Error::NoFolder { path: path.into(), folder });
        }
        let unfinished = Unfinished::new(&folder).map_err(|error| Error::Write {
            path: path.into(),
            reason: format!("cannot create a file in {}: {error}", shown(&folder)).into(),
        })?;
        let unfinished = Mutex::new(Some(unfinished));
        Ok(NewFile { path: path.into(), target, folder, replace, unfinished })
    }

    /// The files of these names, where there is one.
    ///
    /// # Errors
    ///
    /// One of the names cannot be used, two are the same file, or one is that of an input.
    pub fn all<const N: usize>(
        paths: [Option<&Path>; N],
        inputs: &[Option<&Path>],
        replace: bool,
    ) -> Result<[Option<NewFile>; N]> {
        NewFile::each(paths, inputs, [replace; N])
    }

    /// The files of these names, where there is one; each has its own answer to whether it may be replaced.
    ///
    /// # Errors
    ///
    /// Those of [`all`](NewFile::all).
    pub fn each<const N: usize>(
        paths: [Option<&Path>; N],
        inputs: &[Option<&Path>],
        replace: [bool; N],
    ) -> Result<[Option<NewFile>; N]> {
        let mut files = [const { None::<NewFile> }; N];
        for (at, (path, replace)) in paths.into_iter().zip(replace).enumerate() {
            let Some(path) = path else { continue };
            if let Some(input) = inputs.iter().flatten().find(|input| same_file(input, path)) {
                return Err(Error::IsInput { path: path.into(), input: input.into() });
            }
            let file = NewFile::new(path, replace)?;
            if let Some(other) = files.iter().flatten().find(|other| file.is(other)) {
                return Err(Error::SameOutput {
                    path: other.path.clone(),
                    other: file.path.clone(),
                });
            }
            files[at] = Some(file);
        }
        Ok(files)
    }

    /// Removes the temporary file, which is made again for [`write`](NewFile::write): work that a later process resumes may be
    /// killed at any time, and would leave it.
    pub fn defer(&self) {
        let mut unfinished = self.unfinished.lock().unwrap_or_else(PoisonError::into_inner);
        *unfinished = None;
    }

    /// Refuses names of files for arrays that say that they are another kind of file.
    ///
    /// # Errors
    ///
    /// A name does not end in `.npy`.
    pub fn expect_npy<const N: usize>(files: [&Option<NewFile>; N]) -> Result<()> {
        let is_npy = |path: &Path| {
            let ending = path.extension().and_then(|ending| ending.to_str());
            ending.is_some_and(|ending| ending.eq_ignore_ascii_case("npy"))
        };
        match files.into_iter().flatten().find(|file| !is_npy(&file.path)) {
            Some(file) => Err(Error::NotNpy { path: file.path.clone() }),
            None => Ok(()),
        }
    }

    fn is(&self, other: &NewFile) -> bool {
        let same_name = self.target.file_name() == other.target.file_name();
        same_file(&self.target, &other.target)
            || (same_name && same_file(&self.folder, &other.folder))
    }

    /// Its name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where the file goes: its name, or where the link of this name leads.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Lets `fill` write to a file of another name in the same folder, which gets its final name once it is complete.
    ///
    /// # Errors
    ///
    /// The file cannot be written, or the name has been taken since; or `fill` returns an [`Error`], which is then returned
    /// as it is.
    pub fn write(
        &self,
        fill: impl FnOnce(&mut BufWriter<File>) -> std::result::Result<(), AnyError>,
    ) -> Result<()> {
        // What fills a file may also do the work of which it is the result: an error of the work is not about the file.
        self.try_write(fill).map_err(|reason| match reason.downcast::<Error>() {
            Ok(error) => *error,
            Err(reason) => Error::Write { path: self.path.clone(), reason },
        })
    }

    fn try_write(
        &self,
        fill: impl FnOnce(&mut BufWriter<File>) -> std::result::Result<(), AnyError>,
    ) -> std::result::Result<(), AnyError> {
        let kept = self.unfinished.lock().unwrap_or_else(PoisonError::into_inner).take();
        let unfinished = match kept {
            Some(unfinished) => unfinished,
            // It was written before, and is now written again.
            None => Unfinished::new(&self.folder)?,
        };
        let mut writer = BufWriter::new(unfinished.open()?);
        fill(&mut writer)?;
        writer.flush()?;
        let file = writer.into_inner()?;
        if self.replace
            && let Ok(old) = fs::metadata(&self.target)
        {
            // Users who could not read the old file still cannot read the new one. Where this is not possible, the
            // user's mask decides, as for any new file.
            let _ = file.set_permissions(old.permissions());
        }
        drop(file);
        Ok(unfinished.finish(&self.target, self.replace)?)
    }

    /// Writes an array of this shape, by rows, in NumPy's format.
    ///
    /// # Errors
    ///
    /// The errors of [`write`](NewFile::write); or the shape does not fit the values.
    pub fn write_npy<T: WritableElement>(&self, shape: &[usize], values: &[T]) -> Result<()> {
        self.write(|writer| npy::write(writer, shape, values))
    }
}

/// Where a file of this name goes, if it is allowed there.
fn target(path: &Path, replace: bool) -> Result<PathBuf> {
    let failed = |error: std::io::Error| Error::Write { path: path.into(), reason: error.into() };
    // The name does not exist, or cannot be looked at; creating the file will report the latter.
    let Ok(found) = fs::symlink_metadata(path) else { return Ok(path.into()) };
    let is_link = found.is_symlink();
    let leads_to = match fs::metadata(path) {
        Ok(leads_to) => leads_to,
        Err(error) if is_link && error.kind() == ErrorKind::NotFound => {
            return Err(Error::LinkToNothing { path: path.into() });
        }
        Err(error) => return Err(failed(error)),
    };
    if !leads_to.is_file() {
        // Replacing a device such as /dev/null would be fatal.
        return Err(Error::NotAFile { path: path.into() });
    }
    if is_standard_stream(path) {
        return Err(Error::StandardStream { path: path.into() });
    }
    match (replace, is_link) {
        (false, _) => Err(Error::Exists { path: path.into() }),
        (true, true) => path.canonicalize().map_err(failed),
        (true, false) => Ok(path.into()),
    }
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
        // Writing it again needs `replace`.
        assert!(file.write_npy(&[6], &values).is_err());
        let file = NewFile::new(&path, true).unwrap();
        for shape in [[1, 6], [6, 1]] {
            file.write_npy(&shape, &values).unwrap();
            assert_eq!(read_npy::<_, Array2<f32>>(&path).unwrap().shape(), shape);
        }
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
        // It did not exist yet when the program started.
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
        drop(file);
        let text = error.to_string();
        assert!(text.ends_with("a.txt: the source ran dry"), "{text}");
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn an_error_of_the_work_is_not_about_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = NewFile::new(&folder.path().join("a.txt"), false).unwrap();
        let error = file.write(|_| Err(Error::HostMemory { needed: 7 }.into())).unwrap_err();
        assert!(matches!(error, Error::HostMemory { needed: 7 }), "{error}");
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

    /// The name of an unfinished file tells nobody anything.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_folder_that_takes_no_files_is_told_with_the_name_that_was_given() {
        let error = NewFile::new(Path::new("/proc/a.npy"), false).unwrap_err().to_string();
        let words = "cannot write /proc/a.npy: cannot create a file in /proc: No such file";
        assert!(error.starts_with(words), "{error}");
        assert!(!error.contains("unfinished"), "{error}");
    }

    #[test]
    fn an_array_is_in_a_file_for_arrays() {
        let folder = tempfile::tempdir().unwrap();
        for (name, is_fine) in
            [("a.npy", true), ("a.NPY", true), ("a.txt", false), ("a", false), (".npy", false)]
        {
            let file = Some(NewFile::new(&folder.path().join(name), false).unwrap());
            assert_eq!(NewFile::expect_npy([&None, &file]).is_ok(), is_fine, "{name}");
        }
        let file = Some(NewFile::new(&folder.path().join("a.txt"), false).unwrap());
        let error = NewFile::expect_npy([&file]).unwrap_err().to_string();
        assert!(
            error.ends_with("a.txt: it is an array in NumPy's format: let the name end in .npy")
        );
        drop(file);
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn standard_output_is_no_output() {
        for replace in [false, true] {
            let error = NewFile::new(Path::new("-"), replace).unwrap_err();
            assert!(matches!(error, Error::StandardStream { .. }), "{error}");
        }
    }

    #[test]
    fn one_file_is_not_two_outputs() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.npy");
        let detour = folder.path().join(".").join("a.npy");
        let other = folder.path().join("b.npy");
        let open = |paths: [&Path; 3]| NewFile::all(paths.map(Some), &[None], true);
        for paths in [[&path, &other, &detour], [&path, &detour, &other], [&other, &path, &detour]]
        {
            let error = open(paths.map(|path| path.as_path())).unwrap_err();
            assert!(matches!(error, Error::SameOutput { .. }), "{error}");
        }
        assert!(open([&path, &other, &folder.path().join("c.npy")]).is_ok());
        assert!(names(folder.path()).is_empty());
    }
}

//! A file and its journal until the file is complete, `NAME.part` and `NAME.part.journal`: finds and locks what an interrupted
//! start has left. A start is one process, or several that join the first.

use std::fs::{self, File};
use std::io;
use std::ops::Range;
use std::path::{Display, Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use super::array::Array;
use super::disk::{expect_file, if_found, with_ending};
use super::journal::{self, Done, left};
use super::lock::Locked;
use super::step::ResumeStep;
use super::work::difference;
use crate::{Error, ErrorKind, Result, Shape};

/// A file in NumPy's format that can be continued after an interruption: from [`Chunks::npy_file`](crate::Chunks::npy_file). The
/// [module](crate::npy) shows how processes write it together: one start at a time, until the file is complete or they are
/// interrupted.
#[derive(Clone, Debug)]
pub struct NpyFile {
    pub(super) output: PathBuf,
    /// The name of the output until it is complete.
    pub(super) part: PathBuf,
    pub(super) journal: PathBuf,
    pub(super) work: String,
    pub(super) array: Array,
    /// The kernel's name, if it has outputs besides the values.
    gathers: Option<&'static str>,
    pub(super) resume: bool,
    replace: bool,
    max_wait: Duration,
    pub(super) at_step: fn(ResumeStep),
}

/// The existing state of a file, before any change: from [`NpyFile::find`]. An unfinished file stays locked until this value is
/// dropped.
#[derive(Debug)]
pub struct Partial<'f> {
    pub(super) file: &'f NpyFile,
    /// The unfinished file, or the finished one if it already has its name.
    pub(super) part: Option<Locked>,
    pub(super) is_named: bool,
    /// Whether there was a journal of this work.
    pub(super) had_journal: bool,
    pub(super) done: Vec<Done>,
}

impl NpyFile {
    pub(super) fn new(
        path: &Path,
        work: String,
        array: Array,
        gathers: Option<&'static str>,
    ) -> NpyFile {
        NpyFile {
            output: path.to_owned(),
            part: with_ending(path, ".part"),
            journal: with_ending(path, ".part.journal"),
            work,
            array,
            gathers,
            resume: false,
            replace: false,
            max_wait: Duration::ZERO,
            at_step: |_| (),
        }
    }

    /// The output, the unfinished file and the journal, as messages show them.
    fn names(&self) -> [Display<'_>; 3] {
        [&self.output, &self.part, &self.journal].map(|path| path.display())
    }

    /// Whether to continue an interrupted start, as far as its journal goes. Otherwise all rows are computed.
    #[must_use]
    pub fn resume(self, resume: bool) -> Self {
        NpyFile { resume, ..self }
    }

    /// Whether to replace an existing file of this name, and without [`resume`](Self::resume) also what an interrupted start
    /// has left.
    #[must_use]
    pub fn replace(self, replace: bool) -> Self {
        NpyFile { replace, ..self }
    }

    /// Sets how long to wait for processes of an earlier start to end, and for a file system to show what another machine has
    /// written. By default there is no wait.
    #[must_use]
    pub fn max_wait(self, time: Duration) -> Self {
        NpyFile { max_wait: time, ..self }
    }

    /// The shape whose rows the file has.
    pub fn shape(&self) -> Shape {
        self.array.shape
    }

    /// The rows of the complete file.
    pub fn rows(&self) -> &Range<usize> {
        &self.array.rows
    }

    /// The lines that identify the work: the shape, the type of the values, the kernel, the kind of device, the input, and this
    /// crate's version.
    pub fn work(&self) -> &str {
        &self.work
    }

    /// Describes the first difference of another file's [work](Self::work) from this one's.
    pub fn difference(&self, work: &str) -> Option<String> {
        difference(work, &self.work)
    }

    /// Finds what an earlier start has left, without changing anything. One process calls it; others [`join`](Self::join) it.
    ///
    /// # Errors
    ///
    /// The output or the unfinished file already exists; a journal is for other work; another process is writing the file; the
    /// kernel has outputs besides the values and is to be resumed; or a file cannot be read.
    pub fn find(&self) -> Result<Partial<'_>> {
        if let (true, Some(kernel)) = (self.resume, self.gathers) {
            let problem = "it has other outputs than the values of chunks, and what an earlier process added to them is lost: use \
                           `write_npy`, or compute them with a separate kernel";
            return Err(Error::arguments(problem).of_kernel(kernel));
        }
        self.expect_free()?;
        let had_journal = self.journal.exists();
        let found =
            |part, is_named, done| Ok(Partial { file: self, part, is_named, had_journal, done });
        if !self.resume || !had_journal {
            return found(None, false, Vec::new());
        }
        // Before any wait, so that other work is an early error. It is read again when no other process writes.
        let done = self.noted()?;
        if let Some(part) = self.lock(false)? {
            let done = self.verified(&part, self.noted()?).map_err(self.failed("read", &self.part));
            return found(Some(part), false, done?);
        }
        let unread = self.failed("read", &self.output);
        match self.lock_output()? {
            // Another start has ended meanwhile.
            _ if !self.journal.exists() => self.find(),
            // The file already had its name.
            Some(named) if self.is_finished(&named, &done).map_err(unread)? => {
                found(Some(named), true, done)
            }
            None if !self.output.exists() => found(None, false, Vec::new()),
            // No chunk is lost.
            _ if done.is_empty() && self.replace => found(None, false, Vec::new()),
            _ => {
                let [output, part, journal] = self.names();
                Err(taken(format!(
                    "{part} is missing, and {output} is not the file that {journal} describes: remove the journal to start over and \
                     replace that file, or write to another file"
                )))
            }
        }
    }

    /// An error if the output or one of the files beside it already exists.
    pub(super) fn expect_free(&self) -> Result<()> {
        let NpyFile { output, part, journal, resume, replace, .. } = self;
        let [output_name, part_name, journal_name] = self.names();
        expect_file(output).map_err(self.failed("write", output))?;
        // A start may have been interrupted between renaming the complete file and removing the journal.
        let may_be_finished = *resume && journal.exists() && !part.exists();
        // An empty file is left by a start that was interrupted before it had a journal.
        let is_foreign = part.metadata().is_ok_and(|found| found.len() > 0 || !found.is_file());
        Err(taken(if output.exists() && !replace && !may_be_finished {
            format!(
                "{output_name} exists already: choose another name, or replace it with `replace(true)`"
            )
        } else if journal.exists() && !resume && !replace {
            format!(
                "an interrupted job left part of {output_name}, and {journal_name} lists its finished chunks: continue it with \
                 `resume(true)`, or replace it with `replace(true)`"
            )
        } else if is_foreign && !journal.exists() && (*resume || !replace) {
            format!(
                "{part_name} has no journal, so its contents are unknown: remove it, or write to another file"
            )
        } else {
            return Ok(());
        }))
    }

    /// The chunks in the journal.
    fn noted(&self) -> Result<Vec<Done>> {
        let text = if_found(fs::read(&self.journal)).map_err(self.failed("read", &self.journal))?;
        let Some(text) = text else { return Ok(Vec::new()) };
        journal::read(&text, &self.work).map_err(|difference| {
            let [_, part, journal] = self.names();
            taken(format!(
                "{journal} is the journal of other work: {difference}. To continue that work, use its arguments. To start over, \
                 remove {journal} and {part}. Or write to another file"
            ))
        })
    }

    /// The chunks whose bytes are in a file. A file of another length has none.
    fn verified(&self, file: &File, mut done: Vec<Done>) -> io::Result<Vec<Done>> {
        let (array, Range { start, end }) = (&self.array, self.array.rows.clone());
        if !array.has_length(file)? {
            return Ok(Vec::new());
        }
        let mut verified = Vec::new();
        done.retain(|Done { rows, .. }| start <= rows.start && rows.end <= end);
        for done in done {
            if array.checksum(file, &done.rows)? == done.checksum {
                verified.push(done);
            }
        }
        Ok(verified)
    }

    /// Whether a file is the finished one, with all its chunks.
    fn is_finished(&self, file: &File, done: &[Done]) -> io::Result<bool> {
        Ok(left(&self.array.rows, done).is_empty()
            && self.array.has_length(file)?
            && self.array.has_header(file)?
            && self.verified(file, done.to_vec())?.len() == done.len())
    }

    /// Opens the unfinished file once no process of another start uses it; `None` if it does not exist and `make` is false.
    pub(super) fn lock(&self, make: bool) -> Result<Option<Locked>> {
        let mut options = File::options();
        options.read(true).write(true).create(make).truncate(false);
        let locked = self.lock_once_free(&self.part, || {
            let opened = options.open(&self.part);
            let found = if make { opened.map(Some) } else { if_found(opened) };
            found.map_err(self.failed("open", &self.part))
        })?;
        if locked.is_some() {
            // That start may still have to remove its journal, which must not be the one of this start.
            self.lock_output()?;
        }
        Ok(locked)
    }

    /// Opens the output once the start that renamed it has ended; `None` if it cannot be opened.
    fn lock_output(&self) -> Result<Option<Locked>> {
        // A file that this user cannot read is not from a start of theirs.
        self.lock_once_free(&self.output, || Ok(File::open(&self.output).ok()))
    }

    fn lock_once_free(
        &self,
        path: &Path,
        open: impl Fn() -> Result<Option<File>>,
    ) -> Result<Option<Locked>> {
        let locked = self.wait(|| {
            let Some(file) = open()? else { return Ok(Some(None)) };
            // Another start may have ended and renamed this file meanwhile. Then the file that now has the name is needed.
            Ok(Locked::first(file).filter(|locked| locked.has_name(path)).map(Some))
        });
        locked?.ok_or_else(|| Error::in_use(path))
    }

    /// Repeats `attempt` until it has a result or the time is over.
    pub(super) fn wait<T>(
        &self,
        mut attempt: impl FnMut() -> Result<Option<T>>,
    ) -> Result<Option<T>> {
        let start = Instant::now();
        loop {
            match attempt()? {
                None if start.elapsed() < self.max_wait => thread::sleep(Duration::from_millis(50)),
                outcome => return Ok(outcome),
            }
        }
    }

    /// The error of a system call on this file. Its message begins with the output's name, which users know.
    pub(super) fn failed(&self, action: &str, path: &Path) -> impl FnOnce(io::Error) -> Error {
        move |reason| {
            let error = Error::io(action, path, reason);
            if path == self.output { error } else { error.writing(&self.output) }
        }
    }
}

impl Partial<'_> {
    /// The rows that are left, in order.
    pub fn left(&self) -> Vec<Range<usize>> {
        left(&self.file.array.rows, &self.done)
    }
}

/// The error for an existing file that may not be replaced or continued.
fn taken(problem: String) -> Error {
    Error::new(ErrorKind::Exists, problem)
}

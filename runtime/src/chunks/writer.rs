//! Writes the chunks of a file. Each is forced to the disk, then recorded in the journal.

#[cfg(test)]
#[cfg(unix)]
mod tests;

use std::fs::{self, File};
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;
use std::path::Path;
use std::process;
use std::time::SystemTime;

use sha2::{Digest, Sha256};

use super::disk::{if_found, sync_folder};
use super::journal::{Done, Journal};
use super::lock::Locked;
use super::step::ResumeStep;
use super::unfinished::{NpyFile, Partial};
use super::work::{checksum, values_of};
use super::{Chunk, NpyValue};
use crate::{Error, ErrorKind, Result, Shape};

/// An unfinished file and its journal, as opened by one process: from [`Partial::begin`] and [`NpyFile::join`]. While it
/// exists, no process outside of this start can write the file.
#[derive(Debug)]
pub struct NpyWriter<'f> {
    file: &'f NpyFile,
    part: Locked,
    /// `None` if the file already has its name.
    journal: Option<Journal>,
    ticket: [u64; 2],
}

impl<'f> Partial<'f> {
    /// Reserves the space for all values, or continues the file that was found, as the first of `processes` processes.
    ///
    /// # Errors
    ///
    /// Another process has started on the file meanwhile; the disk is too small; or a file cannot be written.
    pub fn begin(self, processes: usize) -> Result<NpyWriter<'f>> {
        let Partial { file, part, is_named, had_journal, done } = self;
        let part = match part {
            Some(part) if is_named => {
                return Ok(NpyWriter { file, part, journal: None, ticket: [0; 2] });
            }
            Some(part) => part,
            None => new_part(file, had_journal)?,
        };
        // The system seeds the hash with random numbers, so no other start has this one.
        let start = RandomState::new().hash_one((SystemTime::now(), process::id()));
        let ticket = [start, done.len() as u64];
        match done[..] {
            [] => (file.at_step)(ResumeStep::PartCreated),
            // The chunks' checksums do not cover the header.
            _ => file.array.write_header(&part).map_err(file.failed("write", &file.part))?,
        }
        // Before values are written, since they make the journal of an earlier start wrong. The positions of records depend on
        // the number of processes.
        let journal = Journal::create(&file.journal, &file.work, ticket[0], &done, processes);
        let journal = journal.map_err(file.failed("create", &file.journal))?;
        if done.is_empty() {
            (file.at_step)(ResumeStep::JournalCreated);
            let begun = file.array.begin(&part).and_then(|()| part.sync_all());
            begun.map_err(|reason| {
                // They hold no results, and the space may be needed.
                let _ = fs::remove_file(&file.part);
                let _ = fs::remove_file(&file.journal);
                file.failed("write", &file.part)(reason)
            })?;
        }
        (file.at_step)(ResumeStep::Started);
        Ok(NpyWriter { file, part, journal: Some(journal), ticket })
    }
}

/// An empty unfinished file.
fn new_part(file: &NpyFile, had_journal: bool) -> Result<Locked> {
    // It exists, since `lock` creates it.
    let part = file.lock(true)?.ok_or_else(|| Error::in_use(&file.part))?;
    // Another start may have left a journal since `find` looked for one.
    if file.resume && !had_journal && file.journal.exists() {
        return Err(Error::in_use(&file.part));
    }
    // Another start may have ended meanwhile.
    file.expect_free().inspect_err(|_| {
        if part.metadata().is_ok_and(|found| found.len() == 0) {
            let _ = fs::remove_file(&file.part);
        }
    })?;
    Ok(part)
}

impl NpyFile {
    /// Opens the file of the process with this [ticket](NpyWriter::ticket), as process `place[0]` of `place[1]`. The process
    /// that has begun the file is process 0.
    ///
    /// # Errors
    ///
    /// The files of this name are not those that the other process has made: this machine has another folder there. Or a file
    /// cannot be opened.
    pub fn join(&self, ticket: [u64; 2], place: [usize; 2]) -> Result<NpyWriter<'_>> {
        let [process, of] = place;
        if process == 0 || process >= of {
            return Err(Error::arguments(format!(
                "process {process} of {of} cannot join a file: process 0 starts the file, and processes 1 to {} join it",
                of.saturating_sub(1)
            )));
        }
        let NpyFile { part, journal, work, array, .. } = self;
        let other = |path: &Path| {
            let problem = format!(
                "{} is missing, or is not the file that process 0 made, so this machine sees another folder: write to a folder that \
                 all machines share under the same name",
                path.display()
            );
            Err(Error::new(ErrorKind::Io, problem))
        };
        // First, since then the other files are the other process's too.
        let found = self.wait(|| {
            Journal::open(journal, work, ticket, place).map_err(self.failed("open", journal))
        });
        let Some(found) = found? else { return other(journal) };
        let opened = if_found(File::options().read(true).write(true).open(part));
        let Some(opened) = opened.map_err(self.failed("open", part))? else { return other(part) };
        if !array.has_length(&opened).map_err(self.failed("read", part))? {
            return other(part);
        }
        Ok(NpyWriter { file: self, part: Locked::joined(opened), journal: Some(found), ticket })
    }
}

impl NpyWriter<'_> {
    /// Two numbers that other processes [`join`](NpyFile::join) with.
    pub fn ticket(&self) -> [u64; 2] {
        self.ticket
    }

    /// Writes a chunk to its position. When this returns, it is on the disk and in the journal.
    ///
    /// # Errors
    ///
    /// The chunk has other rows or another type than the file, or the file or its journal cannot be written.
    pub fn write<T: NpyValue>(&mut self, chunk: &Chunk<'_, T>) -> Result<()> {
        let NpyFile { array, part, journal: path, work, .. } = self.file;
        if !array.has(chunk) {
            let name = |values: &str, rows: &_, shape: Shape| {
                format!("{values} of rows {rows:?} of {shape}")
            };
            let expected = name(&array.values, &array.rows, array.shape);
            let found = name(&values_of::<T>(), &chunk.rows, chunk.shape);
            return Err(Error::arguments(format!(
                "the file is for {expected}, but this chunk has {found}: write the chunk to a file of its own"
            )));
        }
        let mut hash = Sha256::new();
        let written = array.write(&self.part, chunk, |bytes| hash.update(bytes));
        written.map_err(self.file.failed("write", part))?;
        (self.file.at_step)(ResumeStep::ChunkWritten);
        self.part.sync_data().map_err(self.file.failed("write", part))?;
        let done = Done { rows: chunk.rows.clone(), checksum: checksum(hash) };
        if let Some(journal) = &mut self.journal {
            journal.note(work, &done).map_err(self.file.failed("write", path))?;
        }
        (self.file.at_step)(ResumeStep::ChunkNoted);
        Ok(())
    }

    /// Reads the chunk of these rows from the file into `values`, which has room for it.
    pub(super) fn read<'v, T: NpyValue>(
        &self,
        rows: Range<usize>,
        values: &'v mut [T],
    ) -> Result<Chunk<'v, T>> {
        let NpyFile { array, part, .. } = self.file;
        let shape = array.shape;
        let values = values
            .get_mut(..shape.values(&rows))
            .ok_or_else(|| std::io::Error::other("the chunk is larger than the memory for it"))
            .map_err(self.file.failed("read", part))?;
        array.read(&self.part, &rows, values).map_err(self.file.failed("read", part))?;
        Ok(Chunk { start: shape.start(rows.start), rows, values, shape })
    }

    /// Gives the file its name, and removes the journal. The process that has begun the file calls this, after all processes
    /// have written all of their chunks.
    ///
    /// # Errors
    ///
    /// The file cannot be renamed, or its journal cannot be removed.
    pub fn finish(self) -> Result<()> {
        let NpyFile { output, part, journal, .. } = self.file;
        if self.journal.is_some() {
            self.part.sync_all().map_err(self.file.failed("write", part))?;
            fs::rename(part, output).map_err(self.file.failed("rename", part))?;
            (self.file.at_step)(ResumeStep::Renamed);
        }
        sync_folder(output).map_err(self.file.failed("write", output))?;
        // If the process that renamed the file was still running, it has removed the journal.
        if_found(fs::remove_file(journal)).map_err(self.file.failed("remove", journal))?;
        Ok(())
    }
}

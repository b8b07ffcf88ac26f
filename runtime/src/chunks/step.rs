//! The steps of a start on its file.

/// The last step of a start on its file: for tests that end a process there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResumeStep {
    /// An empty unfinished file exists, without a journal.
    PartCreated,
    /// A journal without chunks exists; the unfinished file's space is not reserved yet.
    JournalCreated,
    /// The unfinished file, with its space, and the journal of this start exist.
    Started,
    /// A chunk is in the file, but not in the journal.
    ChunkWritten,
    /// The chunk is in the journal too.
    ChunkNoted,
    /// The file has its name; the journal still exists.
    Renamed,
}

//! The steps of a start with its file.

/// What a start has just done with its file: for tests that end a process there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResumeStep {
    /// There is an empty unfinished file without a journal.
    PartCreated,
    /// There is a journal without bands, and the unfinished file does not have its space yet.
    JournalCreated,
    /// There is an unfinished file with its space, and the journal of this start.
    Begun,
    /// A band is in the file, and not in the journal.
    BandWritten,
    /// The band is in the journal, too.
    BandNoted,
    /// The file has its name, and the journal is still there.
    Renamed,
}

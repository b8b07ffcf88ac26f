//! What code under test logs.

use std::io::{self, Seek};

/// The warnings and errors logged on this thread while `work` runs.
pub(crate) fn warnings(work: impl FnOnce()) -> String {
    let mut log = tempfile::tempfile().unwrap();
    let subscriber = tracing_subscriber::fmt()
        .with_ansi(false)
        .with_max_level(tracing::Level::WARN)
        .with_writer(log.try_clone().unwrap())
        .finish();
    tracing::subscriber::with_default(subscriber, work);
    log.rewind().unwrap();
    io::read_to_string(log).unwrap()
}

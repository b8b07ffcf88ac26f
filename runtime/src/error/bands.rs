//! The causes of errors of bands.

/// What is wrong with bands of rows.
#[derive(thiserror::Error, Debug)]
pub(crate) enum BandsCause {
    #[error(
        "row {row} has {longest} bytes, and a band has room for {bytes}: give `memory` {memory} bytes and `host_memory` {host} bytes or more, or leave them out"
    )]
    LongRow { row: usize, longest: usize, bytes: usize, memory: usize, host: usize },

    #[error("there are no more bands after an error: {failure}")]
    Failed { failure: String },
}

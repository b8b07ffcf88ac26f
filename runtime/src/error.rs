//! Everything that can go wrong at run time, one variant a cause.

use std::path::PathBuf;

/// The result of every fallible call of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong, in words that say what to do about it.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No C++ compiler was found, so the CPU device has nothing to compile kernels with.
    #[error(
        "no C++ compiler found for the CPU device\n  tried: {}\n  install one (Debian and Ubuntu: `apt install g++`; Fedora: `dnf install gcc-c++`; macOS: `xcode-select --install`), or name one in $CXX",
        tried.join(", ")
    )]
    NoCompiler {
        /// The programs that were tried, in order.
        tried: Vec<String>,
    },

    /// A kernel did not compile, with NVRTC or with the system's C++ compiler.
    #[error("kernel `{kernel}` does not compile ({compiler}):\n{log}")]
    Compile {
        /// The kernel, as the user named it.
        kernel: String,
        /// The compiler that refused it.
        compiler: String,
        /// What the compiler said, with lines of the user's own file.
        log: String,
    },

    /// A file or a program could not be used.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried: "write", "run", "load".
        action: &'static str,
        /// The file or the program.
        path: PathBuf,
        /// The system's answer.
        source: std::io::Error,
    },

    /// Some threads of a block wait at a barrier that the others never reach.
    #[error(
        "kernel `{kernel}`: {waiting} of {threads} threads of block ({}, {}) wait forever at a barrier or a warp function that the others have left behind",
        block[0],
        block[1]
    )]
    Deadlock {
        /// The kernel, as the user named it.
        kernel: String,
        /// The block, as (x, y) in the grid.
        block: [u32; 2],
        /// How many threads wait.
        waiting: usize,
        /// How many threads the block has.
        threads: usize,
    },
}

// `unwrap` and `main` print `Debug`, and people read that: it says the same as `Display`.
impl std::fmt::Debug for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

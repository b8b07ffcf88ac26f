//! A compiled kernel, loaded.

use std::error::Error as _;
use std::ffi::c_void;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use td_kernel_emulator::{Cause, Counter, Failure, Grid, Run};

use crate::host::methods::debug;
use crate::types::info::PARAMETERS;
use crate::{Error, ErrorKind, Result};

/// The prefix of all functions that a library exports for its kernels.
pub(super) const EXPORTED: &str = "td_cpu_";

/// The prefix of an exported [`Run`], before the function's name.
const RUN: &str = "td_cpu_run_";

/// The size of the kernel's parameter at an index; 0 past the last parameter.
type ParameterSize = unsafe extern "C" fn(u32) -> u32;

/// The prefix of an exported [`ParameterSize`], before the function's name.
const PARAMETERS_OF: &str = "td_cpu_parameters_";

/// A compiled kernel, loaded into the process. Several operating system threads can launch it at once: a launch changes only
/// its own state.
pub(crate) struct Program {
    kernel: String,
    run: Run,
    /// The sizes of the kernel's parameters, in bytes.
    parameters: Vec<usize>,
    /// The size of a thread's stack.
    stack: usize,
    // Unloads the library when the last of its functions is dropped; `run` is not called after that.
    library: Arc<Library>,
}

/// A library and its path.
struct Library {
    library: libloading::Library,
    path: PathBuf,
}

/// CUDA's limits, so that a GPU accepts what the CPU backend accepts.
const MAX_THREADS: u64 = 1024;
const LARGEST_BLOCK: [u32; 3] = [1024, 1024, 64];
const LARGEST_GRID: [u32; 3] = [i32::MAX as u32, 65_535, 65_535];

impl Program {
    /// Loads the function `entry` of a library from `build`, whose threads need stacks of `stack` bytes.
    pub(super) fn load(kernel: &str, entry: &str, path: &Path, stack: usize) -> Result<Program> {
        // SAFETY: the library is the kernel that was just compiled. Loading it runs no code but the kernel author's.
        let library =
            unsafe { libloading::Library::new(path) }.map_err(|error| not_loaded(path, &error))?;
        let library = Library { library, path: path.to_owned() };
        Program::of(kernel, entry, Arc::new(library), stack)
    }

    /// Another function of the same library.
    pub(super) fn other(&self, entry: &str) -> Result<Program> {
        Program::of(&self.kernel, entry, self.library.clone(), self.stack)
    }

    fn of(kernel: &str, entry: &str, whole: Arc<Library>, stack: usize) -> Result<Program> {
        let Library { library, path } = &*whole;
        let failed = |error| not_loaded(path, &error);
        // SAFETY: `TD_CPU_ENTRY` or `TD_CPU_LOOPS` in the shim defines this symbol with this type.
        let run = unsafe { library.get::<Run>(format!("{RUN}{entry}").as_bytes()) };
        let run = run.map(|run| *run).map_err(failed)?;
        // SAFETY: they define this symbol too, with this type.
        let size =
            unsafe { library.get::<ParameterSize>(format!("{PARAMETERS_OF}{entry}").as_bytes()) };
        let size = size.map(|size| *size).map_err(failed)?;
        // SAFETY: it returns a compiled-in number for any index.
        let sizes = (0..).map(|index| unsafe { size(index) } as usize);
        let parameters: Vec<usize> = sizes.take_while(|size| *size > 0).collect();
        let bytes: usize = parameters.iter().sum();
        if bytes > PARAMETERS {
            let problem = format!(
                "its parameters take {bytes} bytes, but at most {PARAMETERS} are allowed, as on a GPU: pass large values as slices"
            );
            return Err(Error::compile(kernel, "for the CPU", problem));
        }
        Ok(Program { kernel: kernel.to_owned(), run, parameters, stack, library: whole })
    }

    /// The sizes of the kernel's parameters, in bytes.
    pub(crate) fn parameters(&self) -> &[usize] {
        &self.parameters
    }

    /// Runs the kernel over the whole grid, counts its blocks, and returns when all have run.
    ///
    /// # Safety
    ///
    /// `arguments` must hold one pointer for each parameter of the kernel, to a value of that parameter's type, which need not
    /// be aligned. With these values and this grid, the kernel must stay within its memory, must not overflow its stack by an
    /// array of unknown size or by recursion, and must not have a data race.
    pub(crate) unsafe fn launch(
        &self,
        grid: [u32; 3],
        block: [u32; 3],
        arguments: &[*mut c_void],
        counter: &Counter,
    ) -> Result<()> {
        self.check("a grid", grid, LARGEST_GRID)?;
        self.check("a block", block, LARGEST_BLOCK)?;
        let threads: u64 = block.iter().map(|&size| u64::from(size)).product();
        if threads > MAX_THREADS {
            return Err(
                self.refused(format!("a block has at most {MAX_THREADS} threads, not {threads}"))
            );
        }
        let grid = Grid { run: self.run, size: grid, block, arguments, stack: self.stack };
        // SAFETY: the caller's promise; the library stays loaded while this value exists, and its stacks are as large as the
        // compiler reports.
        let outcome = unsafe { grid.run(counter) };
        outcome.map_err(|failure| self.failed(failure, threads as usize))
    }

    fn check(&self, what: &str, size: [u32; 3], largest: [u32; 3]) -> Result<()> {
        let fits = |(size, largest): (u32, u32)| (1..=largest).contains(&size);
        if size.into_iter().zip(largest).all(fits) {
            return Ok(());
        }
        Err(self.refused(format!(
            "{what} is at least 1 x 1 x 1 and at most {} x {} x {}, not {} x {} x {}",
            largest[0], largest[1], largest[2], size[0], size[1], size[2]
        )))
    }

    fn refused(&self, reason: String) -> Error {
        Error::refused(&self.kernel, reason)
    }

    fn failed(&self, failure: Failure, threads: usize) -> Error {
        let [x, y, _] = failure.block;
        let error = match failure.cause {
            Cause::Size => {
                return self.refused("the grid is larger than any GPU supports".to_owned());
            }
            Cause::Deadlock { waiting } => Error::new(
                ErrorKind::Deadlock,
                format!(
                    "{waiting} of {threads} threads of block ({x}, {y}) wait forever at a barrier or a warp function that other threads never reach"
                ),
            ),
            Cause::Forked => Error::new(
                ErrorKind::Forked,
                "this process was forked after its parent had launched kernels on the CPU, so it lacks the parent's worker threads: launch only before the fork or only after it, or execute the program again in the child",
            ),
            Cause::NoStack(reason) => Error::new(
                ErrorKind::OutOfHostMemory,
                format!("cannot allocate stacks for its threads: {reason}"),
            ),
        };
        error.of_kernel(self.kernel.clone())
    }
}

fn not_loaded(path: &Path, error: &libloading::Error) -> Error {
    // libloading has the loader's message as the source of its error.
    let words = error.source().map_or_else(|| error.to_string(), ToString::to_string);
    Error::io("load", path, io::Error::other(explained(&words)))
}

/// A loader's message, with advice if the system forbids executing a library.
pub(super) fn explained(words: &str) -> String {
    let refusals = ["failed to map segment", "not permitted", "Permission denied"];
    if !refusals.iter().any(|refusal| words.contains(refusal)) {
        return words.to_owned();
    }
    format!(
        "{words}\n  the folder may be mounted `noexec`: set $TMPDIR to a folder from which libraries may be loaded"
    )
}

debug!([] Program, self: kernel = self.kernel);

//! Everything that can go wrong at run time, one variant a cause.

#[cfg(test)]
mod tests;

use std::ops::Range;
use std::path::PathBuf;

use cudarc::driver::DriverError;
use cudarc::nvrtc::result::NvrtcError;
use td_kernel_maps::Root;

/// What to do about an NVRTC that is too old.
const NEWER_NVRTC: &str = "install a newer CUDA toolkit, or `pip install nvidia-cuda-nvrtc` in a virtual environment, and name the library of that one in $TD_KERNEL_NVRTC, or none to have it looked for";

/// The result of every fallible call of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong, in words that say what to do about it.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no driver for a GPU.
    #[error(
        "no NVIDIA driver found\n  tried: {}\n  install the driver of your GPU, or run on the CPU instead",
        tried.join(", ")
    )]
    NoDriver {
        /// The libraries that were tried, in order.
        tried: Vec<String>,
    },

    /// The driver lacks a function that this crate calls.
    #[error("the NVIDIA driver has no function `{function}`: install one for CUDA 11.2 or newer")]
    OldDriver {
        /// The function.
        function: &'static str,
    },

    /// There is a driver, but no such GPU.
    #[error(
        "there is no GPU {ordinal}: the driver counts {count}, from 0 on; without one, run on the CPU instead"
    )]
    NoGpu {
        /// The GPU that was asked for.
        ordinal: usize,
        /// How many there are.
        count: usize,
    },

    /// NVRTC, which compiles kernels for a GPU, was not found.
    #[error(
        "NVRTC not found, which compiles kernels for a GPU\n  tried: {}\n  install the CUDA toolkit, or `pip install nvidia-cuda-nvrtc` in a virtual environment, or name the library in $TD_KERNEL_NVRTC",
        tried.join("\n         ")
    )]
    NoNvrtc {
        /// The files that were tried, in order, each with the loader's answer.
        tried: Vec<String>,
    },

    /// NVRTC was found, but the system's loader gives cudarc another library of that name.
    #[error(
        "NVRTC was found as {}, but another one comes first on the system's library path: remove that one, or name it in $TD_KERNEL_NVRTC",
        wanted.display()
    )]
    OtherNvrtc {
        /// The library that was found.
        wanted: PathBuf,
    },

    /// A library lacks a function of NVRTC's that this crate calls.
    #[error(
        "{} has no function `{function}`, so it is not NVRTC, or one of long before CUDA {}.{}: {NEWER_NVRTC}",
        path.display(),
        oldest.0,
        oldest.1
    )]
    NotNvrtc {
        /// The library.
        path: PathBuf,
        /// The function.
        function: &'static str,
        /// The oldest version that is supported, as (major, minor).
        oldest: (u32, u32),
    },

    /// NVRTC is older than the oldest version that is supported.
    #[error(
        "{} is NVRTC {}.{}, and the oldest one that kernels are compiled with is {}.{}: {NEWER_NVRTC}",
        path.display(),
        version.0,
        version.1,
        oldest.0,
        oldest.1
    )]
    OldNvrtc {
        /// The library.
        path: PathBuf,
        /// Its version, as (major, minor).
        version: (u32, u32),
        /// The oldest version that is supported, as (major, minor).
        oldest: (u32, u32),
    },

    /// The GPU is older than the oldest that is supported.
    #[error(
        "compute capability {}.{} (sm_{architecture}) is not supported: kernels run on GPUs of {}.{} (sm_{oldest}) and later; without one, run on the CPU instead",
        architecture / 10,
        architecture % 10,
        oldest / 10,
        oldest % 10
    )]
    OldGpu {
        /// The GPU's architecture, as 90 for compute capability 9.0.
        architecture: u32,
        /// The oldest one that is supported.
        oldest: u32,
    },

    /// NVRTC failed, other than by refusing a kernel.
    #[error("NVRTC cannot {action}: {:?}", code.0)]
    Nvrtc {
        /// What was tried.
        action: &'static str,
        /// Its answer.
        code: NvrtcError,
    },

    /// NVRTC does not know the GPU's architecture.
    #[error(
        "this NVRTC does not compile for sm_{architecture}, but for {known:?}: CUDA 13 has dropped GPUs before sm_75, so install CUDA 12, or `pip install nvidia-cuda-nvrtc-cu12` in a virtual environment, and name that library in $TD_KERNEL_NVRTC"
    )]
    UnknownArchitecture {
        /// The GPU's architecture, as 90 for compute capability 9.0.
        architecture: u32,
        /// Those that NVRTC knows.
        known: Vec<u32>,
    },

    /// The GPU's driver failed.
    #[error("cannot {action}: {words}")]
    Driver {
        /// What was tried.
        action: &'static str,
        /// The driver's answer.
        code: DriverError,
        /// What the driver calls it, in words: asked for at once, because an error may be printed where there is
        /// no driver any more.
        words: String,
    },

    /// There is not enough memory on the device.
    #[error(
        "not enough memory on the device: {needed} bytes needed{}",
        free.map(|free| format!(", {free} free")).unwrap_or_default()
    )]
    OutOfMemory {
        /// The bytes that were asked for.
        needed: usize,
        /// The bytes that were free, where the device can tell.
        free: Option<usize>,
    },

    /// There is not enough memory on the host for a copy of what is on the device, or for a matrix made of one.
    #[error("not enough memory on the host: {needed} bytes needed")]
    HostMemory {
        /// The bytes that were asked for.
        needed: usize,
    },

    /// A copy to the host was given a slice of another length.
    #[error("{length} elements are copied into a slice of {found}: give it one of {length}")]
    CopyLength {
        /// How many elements there are on the device.
        length: usize,
        /// The slice's length.
        found: usize,
    },

    /// More elements than an address space can hold.
    #[error("{elements} elements of {size} bytes, or their pairs, are more than memory can hold")]
    TooLarge {
        /// The number of elements.
        elements: usize,
        /// The size of one, in bytes.
        size: usize,
    },

    /// Two arguments disagree about n.
    #[error(
        "kernel `{kernel}`: `{argument}` has {found} elements, but `{first}` says that there are {expected}"
    )]
    Lengths {
        /// The kernel.
        kernel: &'static str,
        /// The argument that disagrees.
        argument: &'static str,
        /// What it says.
        found: usize,
        /// The argument that told n first.
        first: &'static str,
        /// What that one says.
        expected: usize,
    },

    /// A packed argument has not one slot for each pair.
    #[error(
        "kernel `{kernel}`: `{argument}` has {found} slots, but {n} elements have {expected} pairs"
    )]
    PackedLength {
        /// The kernel.
        kernel: &'static str,
        /// The argument.
        argument: &'static str,
        /// The number of elements.
        n: usize,
        /// The number of pairs.
        expected: usize,
        /// The number of slots.
        found: usize,
    },

    /// A square has another length than n elements need.
    #[error(
        "kernel `{kernel}`: `{argument}` has {found} values, and {n} elements have {expected}: use `device.square({n})`"
    )]
    SquareLength {
        /// The kernel.
        kernel: &'static str,
        /// The argument.
        argument: &'static str,
        /// The number of elements.
        n: usize,
        /// n².
        expected: usize,
        /// The number of values.
        found: usize,
    },

    /// A range of rows that there are no slots for.
    #[error(
        "rows {rows:?} are no range of the rows of {elements} elements: write a..b with a <= b <= {elements}"
    )]
    PackedRange {
        /// The range.
        rows: Range<usize>,
        /// The number of elements.
        elements: usize,
    },

    /// A kernel is launched for a range of rows that its elements do not have.
    #[error(
        "kernel `{kernel}`: rows {rows:?} are no range of the rows of {n} elements: write `kernel.rows(a..b)` with a <= b <= {n}"
    )]
    LaunchRows {
        /// The kernel.
        kernel: &'static str,
        /// The range.
        rows: Range<usize>,
        /// The number of elements.
        n: usize,
    },

    /// A kernel has no text for a range of rows.
    #[error("kernel `{kernel}` cannot be launched for a range of rows: {why}")]
    NoRows {
        /// The kernel.
        kernel: &'static str,
        /// Why, and what to write instead.
        why: String,
    },

    /// A packed argument lacks rows that the launch visits.
    #[error(
        "kernel `{kernel}`: `{argument}` has slots for rows {found:?}, but the launch visits rows {visited:?}: give it `device.packed_rows(n, {visited:?})` (with the diagonal, `packed_rows_with_diagonal`), or launch `kernel.rows({found:?})`"
    )]
    MissingRows {
        /// The kernel.
        kernel: &'static str,
        /// The argument.
        argument: &'static str,
        /// The rows that it has.
        found: Range<usize>,
        /// The rows that the launch visits.
        visited: Range<usize>,
    },

    /// Slots without a shape have not one slot for each pair of the rows.
    #[error(
        "kernel `{kernel}`: `{argument}` has {found} slots, but rows {rows:?} have {expected} pairs: give it a slice of as many"
    )]
    RowsLength {
        /// The kernel.
        kernel: &'static str,
        /// The argument.
        argument: &'static str,
        /// The rows.
        rows: Range<usize>,
        /// The number of their pairs.
        expected: usize,
        /// The number of slots.
        found: usize,
    },

    /// The packed arguments of one launch begin at different rows.
    #[error(
        "kernel `{kernel}`: `{argument}` begins at row {found}, but `{first}` at row {expected}: packed arguments of one launch begin at the same row: make both for the same rows"
    )]
    FirstRows {
        /// The kernel.
        kernel: &'static str,
        /// The argument that begins at another row.
        argument: &'static str,
        /// That row.
        found: usize,
        /// The first packed argument.
        first: &'static str,
        /// The row that it begins at.
        expected: usize,
    },

    /// Slots of cudarc's alone have to tell n, and have only some rows.
    #[error(
        "kernel `{kernel}`: `{argument}` is a slice of slots for rows {rows:?}, which does not tell how many elements there are: give it `device.packed_rows(n, {rows:?})` (with the diagonal, `packed_rows_with_diagonal`)"
    )]
    RowsOfNoN {
        /// The kernel.
        kernel: &'static str,
        /// The argument.
        argument: &'static str,
        /// The rows.
        rows: Range<usize>,
    },

    /// Slots of cudarc's alone have to tell n, and cannot.
    #[error(
        "kernel `{kernel}`: `{argument}` has {length} slots, which no number of elements has as pairs"
    )]
    SlotsOfNoN {
        /// The kernel.
        kernel: &'static str,
        /// The argument.
        argument: &'static str,
        /// The number of slots.
        length: usize,
    },

    /// A packed argument has the diagonal and the kernel has not, or the other way round.
    #[error(
        "kernel `{kernel}`: `{argument}` {}: use `{}`",
        if *kernel_has { "has no slots for the pairs (i, i), which the kernel visits" } else { "has slots for the pairs (i, i), which the kernel does not visit" },
        if *kernel_has { "device.packed_with_diagonal(n)` or `device.packed_rows_with_diagonal(n, rows)" } else { "device.packed(n)` or `device.packed_rows(n, rows)" }
    )]
    WrongDiagonal {
        /// The kernel.
        kernel: &'static str,
        /// The argument.
        argument: &'static str,
        /// Whether the kernel visits the pairs (i, i).
        kernel_has: bool,
    },

    /// The number of values is not that of the pairs of any number of elements.
    #[error("{length} values are no condensed matrix: n elements have n (n - 1) / 2 pairs")]
    NotATriangle {
        /// The number of values.
        length: usize,
    },

    /// An argument lies on another device than the kernel.
    #[error(
        "kernel `{kernel}`: `{argument}` lies on {found}, but the kernel was loaded for {device}"
    )]
    WrongDevice {
        /// The kernel.
        kernel: &'static str,
        /// The argument.
        argument: &'static str,
        /// The kernel's device.
        device: String,
        /// The argument's device.
        found: String,
    },

    /// A stream belongs to another device than the kernel.
    #[error(
        "kernel `{kernel}`: the stream does not belong to {device}, for which the kernel was loaded"
    )]
    WrongStream {
        /// The kernel.
        kernel: &'static str,
        /// The kernel's device.
        device: String,
    },

    /// An argument starts at an address that its type cannot have in CUDA.
    #[error(
        "kernel `{kernel}`: `{argument}` starts at address {address:#x}, but its elements are loaded as one and need a multiple of {alignment} bytes: start the view at such an element"
    )]
    Misaligned {
        /// The kernel.
        kernel: &'static str,
        /// The argument.
        argument: &'static str,
        /// The alignment that CUDA assumes, in bytes.
        alignment: usize,
        /// Where the argument starts.
        address: u64,
    },

    /// n is more than the map, or its root, does exactly.
    #[error(
        "kernel `{kernel}`: n = {n} is more than the map {map}{} can do exactly here, which is n = {most} at most: {instead}",
        root.map(|root| format!(" with the root {root}")).unwrap_or_default()
    )]
    PastMap {
        /// The kernel.
        kernel: &'static str,
        /// The map.
        map: &'static str,
        /// Its root, if it takes one.
        root: Option<Root>,
        /// The number of elements.
        n: usize,
        /// The most that it does.
        most: usize,
        /// What to write instead.
        instead: &'static str,
    },

    /// A range of rows goes further than the map, or its root, does exactly.
    #[error(
        "kernel `{kernel}`: rows {rows:?} go further than the map {map}{} can do exactly here, which is to row {most} at most: {instead}",
        root.map(|root| format!(" with the root {root}")).unwrap_or_default()
    )]
    RowsPastMap {
        /// The kernel.
        kernel: &'static str,
        /// The map.
        map: &'static str,
        /// Its root, if it takes one.
        root: Option<Root>,
        /// The rows.
        rows: Range<usize>,
        /// The furthest end that a range can have.
        most: usize,
        /// What to write instead.
        instead: &'static str,
    },

    /// A kernel's code has other parameters than its launch passes.
    #[error(
        "kernel `{kernel}` was compiled with parameters of {compiled:?} bytes, but a launch passes {passed:?}: use the same version of td-kernel and its macros"
    )]
    Parameters {
        /// The kernel.
        kernel: &'static str,
        /// The sizes of the parameters in its code, in bytes.
        compiled: Vec<usize>,
        /// The sizes of what the launch passes.
        passed: Vec<usize>,
    },

    /// A kernel has fewer variants than some text says.
    #[error(
        "kernel `{kernel}` has no variant {variant}: use the same version of td-kernel and its macros"
    )]
    NoVariant {
        /// The kernel.
        kernel: &'static str,
        /// The variant.
        variant: usize,
    },

    /// A tuning had nothing to time.
    #[error(
        "kernel `{kernel}` cannot be tuned without pairs: give it the data that it is to be fast for"
    )]
    NothingToTune {
        /// The kernel.
        kernel: &'static str,
    },

    /// A kernel was generated with a map that this version does not have.
    #[error(
        "the macro knows a map `{map}` that this version of td-kernel does not: use the same version of both"
    )]
    UnknownMap {
        /// The map.
        map: &'static str,
    },

    /// More pairs were pushed than there was room for.
    #[error(
        "{needed} pairs were pushed, but there is room for {capacity}: use `device.pairs({needed})`"
    )]
    PairsOverflow {
        /// The room that would have done.
        needed: u64,
        /// The room that there was.
        capacity: usize,
    },

    /// A total is more than its type holds.
    #[error(
        "the total is {total}, which is more than a `Sum<{summand}>` holds: use a `Sum<{wider}>`"
    )]
    SumOverflow {
        /// The total.
        total: i128,
        /// The type of the sum.
        summand: &'static str,
        /// The type that holds it.
        wider: &'static str,
    },

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
    #[error("cannot {action} {}: {reason}", path.display())]
    Io {
        /// What was tried: "write", "run", "load".
        action: &'static str,
        /// The file or the program.
        path: PathBuf,
        /// The system's answer. It is in the message, and so no `source` of the error.
        reason: std::io::Error,
    },

    /// A launch on the CPU in a process that was forked after another launch.
    #[error(
        "kernel `{kernel}`: this process was forked from one that had launched kernels on the CPU, and whose threads it does not have: launch before the fork only, or after it only, or start the program anew in the child"
    )]
    Forked {
        /// The kernel, as the user named it.
        kernel: String,
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

impl Error {
    /// Turns an error of the driver into one that says what was tried.
    pub(crate) fn driver(action: &'static str) -> impl FnOnce(DriverError) -> Error {
        move |code| Error::Driver { action, code, words: driver_words(&code) }
    }

    /// What to say when no page-locked memory was given.
    pub(crate) fn pinned(needed: usize, error: DriverError) -> Error {
        match error.0 {
            cudarc::driver::sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY => Error::HostMemory { needed },
            _ => Error::driver("allocate pinned memory")(error),
        }
    }

    /// Turns an error of NVRTC into one that says what was tried.
    pub(crate) fn nvrtc(action: &'static str) -> impl FnOnce(NvrtcError) -> Error {
        move |code| Error::Nvrtc { action, code }
    }
}

/// The driver's name for an error, and its words.
fn driver_words(error: &DriverError) -> String {
    // Without a driver cudarc would panic, where it only asks for words.
    if crate::driver::probe().is_err() {
        return format!("{:?}", error.0);
    }
    let text = error.error_string().map(|text| text.to_string_lossy().into_owned());
    let name = error.error_name().map(|name| name.to_string_lossy().into_owned());
    match (name, text) {
        (Ok(name), Ok(text)) => format!("{text} ({name})"),
        _ => format!("{:?}", error.0),
    }
}

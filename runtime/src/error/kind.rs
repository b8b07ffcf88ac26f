//! The kinds of errors.

use std::fmt;

#[cfg(doc)]
use super::Error;

/// What a program decides by when a call fails: see [`Error::kind`].
///
/// ```
/// use td_kernel::{Device, ErrorKind};
///
/// let device = Device::cpu()?;
/// // As much as there is, within a factor of 2.
/// let mut elements = 1_usize << 62;
/// let buffer = loop {
///     match device.zeroed::<u8>(elements) {
///         Err(error) if error.kind() == ErrorKind::OutOfDeviceMemory => elements /= 2,
///         other => break other?,
///     }
/// };
/// assert_eq!(buffer.len(), elements);
/// # Ok::<(), td_kernel::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// There is no GPU to run on: no driver, none of that number, or one too old. The CPU device may do instead.
    NoGpu,
    /// There is no compiler that works: NVRTC or the C++ compiler is missing or too old, does not know the GPU, or
    /// fails by itself.
    NoCompiler,
    /// A kernel does not compile: [`Error::compiler_log`] has the compiler's words.
    Compile,
    /// There is not enough memory on the device: [`Error::bytes_needed`] and [`Error::bytes_free`].
    OutOfDeviceMemory,
    /// There is not enough memory on the host: [`Error::bytes_needed`].
    OutOfHostMemory,
    /// More bytes than an address space has.
    TooLarge,
    /// Arguments do not fit each other, the kernel or the number of elements.
    Arguments,
    /// The kernel cannot be launched for a range of rows: its map, its space or its outputs have none.
    NoRows,
    /// An argument or a stream belongs to another device than the kernel, or an output to another [part](crate::Devices::part_of)
    /// of the devices.
    WrongDevice,
    /// n, or a row, is more than the kernel's map does exactly, or a rectangle is more than a grid takes: [`Error::max_elements`] and
    /// [`Error::max_row_end`].
    PastMap,
    /// More pairs were pushed than a list has room for: [`Error::pairs_needed`] and [`Error::capacity`].
    PairsOverflow,
    /// A total is more than its type holds: [`Error::total`].
    SumOverflow,
    /// The macro that generated a kernel and this crate are of different versions.
    VersionMismatch,
    /// The device failed, perhaps in a kernel launched before: [`Error::driver_code`]. After a kernel's fault a GPU
    /// is lost to the process.
    DeviceFailed,
    /// A file or a program cannot be used: [`Error::io_error`]. Or another process uses the file.
    Io,
    /// A file that a result would replace or continue is there, and may not be: the output itself, or what an interrupted process has
    /// left of it, perhaps of other work.
    Exists,
    /// A launch on the CPU in a process that was forked after another launch.
    Forked,
    /// Threads of a block wait for ever at a barrier that others never reach. Only the CPU device can tell.
    Deadlock,
    /// An error of a closure that this crate has called: see [`Error::other`].
    Other,
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ErrorKind::NoGpu => "no GPU",
            ErrorKind::NoCompiler => "no compiler",
            ErrorKind::Compile => "a kernel does not compile",
            ErrorKind::OutOfDeviceMemory => "out of device memory",
            ErrorKind::OutOfHostMemory => "out of host memory",
            ErrorKind::TooLarge => "more than an address space has",
            ErrorKind::Arguments => "arguments do not fit",
            ErrorKind::NoRows => "no launch for a range of rows",
            ErrorKind::WrongDevice => "another device",
            ErrorKind::PastMap => "more elements than the map does exactly",
            ErrorKind::PairsOverflow => "more pairs than a list has room for",
            ErrorKind::SumOverflow => "a total that does not fit its type",
            ErrorKind::VersionMismatch => "another version of the macro",
            ErrorKind::DeviceFailed => "the device failed",
            ErrorKind::Io => "a file or a program cannot be used",
            ErrorKind::Exists => "a file exists",
            ErrorKind::Forked => "a forked process",
            ErrorKind::Deadlock => "a deadlock",
            ErrorKind::Other => "another error",
        })
    }
}

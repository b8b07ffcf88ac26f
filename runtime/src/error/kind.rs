//! The kinds of errors.

use std::fmt;

#[cfg(doc)]
use super::Error;

/// What a program can decide by when a call fails: see [`Error::kind`].
///
/// ```
/// use td_kernel::{Device, ErrorKind};
///
/// let device = Device::cpu()?;
/// // As much as is available, within a factor of 2.
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
    /// There is no GPU to run on: no driver or one that does not start, no GPU of that number, or it is too old. The CPU may do
    /// instead. If the driver does not start, [`Error::driver_code`] is its reason.
    NoGpu,
    /// No compiler works: NVRTC or the C++ compiler is missing or too old, does not support the GPU, or fails by itself.
    NoCompiler,
    /// A kernel does not compile: [`Error::compiler_log`] has the compiler's messages.
    Compile,
    /// There is not enough memory on the device: [`Error::needed`] and [`Error::limit`] are bytes.
    OutOfDeviceMemory,
    /// There is not enough memory on the host: [`Error::needed`] is in bytes.
    OutOfHostMemory,
    /// More bytes than an address space has.
    TooLarge,
    /// Arguments do not fit each other, the kernel or the number of elements.
    Arguments,
    /// The kernel cannot be launched for a range of rows, or by several devices, which divide its rows: its map, its space or its
    /// outputs do not support it, or it visits a list.
    NoRows,
    /// An argument or a stream belongs to another device than the kernel, or an output to another
    /// [part](crate::Devices::part_of) of the devices.
    WrongDevice,
    /// n or a row is too large for the kernel's map to be exact, and [`Error::limit`] is the largest n or end of rows; or a
    /// rectangle is larger than a grid.
    MapLimitExceeded,
    /// More pairs were pushed on a list than it has room for: [`Error::needed`] is their number.
    PairsOverflow,
    /// A total does not fit its type: [`Error::total`].
    SumOverflow,
    /// The macro that generated a kernel and this crate are of different versions.
    VersionMismatch,
    /// The device failed, perhaps in an earlier kernel: [`Error::driver_code`]. After a kernel's fault, the process can no
    /// longer use the GPU.
    DeviceFailed,
    /// A file or a program cannot be used: [`Error::io_error`]. Or another process uses the file.
    Io,
    /// A file exists that a result may not replace or continue: the output itself, or what an interrupted process has left of
    /// it, perhaps for other work.
    Exists,
    /// A launch on the CPU in a process that was forked after another launch.
    Forked,
    /// Threads of a block wait forever at a barrier that others never reach. Only the CPU can detect this.
    Deadlock,
    /// An error of a closure that this crate has called: see [`Error::other`].
    Other,
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ErrorKind::NoGpu => "no usable GPU",
            ErrorKind::NoCompiler => "no working compiler",
            ErrorKind::Compile => "a kernel does not compile",
            ErrorKind::OutOfDeviceMemory => "out of device memory",
            ErrorKind::OutOfHostMemory => "out of host memory",
            ErrorKind::TooLarge => "larger than the address space",
            ErrorKind::Arguments => "invalid arguments",
            ErrorKind::NoRows => "the kernel does not support ranges of rows",
            ErrorKind::WrongDevice => "wrong device",
            ErrorKind::MapLimitExceeded => "too many elements for the map",
            ErrorKind::PairsOverflow => "more pairs than the capacity of the list",
            ErrorKind::SumOverflow => "a sum overflows",
            ErrorKind::VersionMismatch => "td-kernel and its macros have different versions",
            ErrorKind::DeviceFailed => "the device failed",
            ErrorKind::Io => "a file or a program cannot be used",
            ErrorKind::Exists => "a file already exists",
            ErrorKind::Forked => "a launch in a forked process",
            ErrorKind::Deadlock => "a deadlock",
            ErrorKind::Other => "other error",
        })
    }
}

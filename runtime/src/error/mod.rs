//! All errors at run time. An [`Error`] has the kernel and argument that it is about, the problem, and what to do about it.
//! Each message is written where its problem is found; those that several places need are in `common.rs`.
//!
//! Uses no other layer.

mod ask;
mod common;
mod kind;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt;
use std::io;

use cudarc::driver::DriverError;

pub(crate) use self::common::counted;
pub use self::kind::ErrorKind;

/// The result of every fallible call of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong, with a message that says what to do about it.
///
/// The message is for people. A program uses the [kind](Error::kind), and the values that it can compute with:
///
/// ```
/// use td_kernel::{Device, ErrorKind};
///
/// let device = Device::cpu()?;
/// let error = device.zeroed::<u8>(1 << 47).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::OutOfDeviceMemory);
/// assert_eq!(error.needed(), Some(1 << 47));
/// assert!(error.to_string().starts_with("not enough memory on the device: 140737488355328 bytes needed"));
/// # Ok::<(), td_kernel::Error>(())
/// ```
// One pointer, so that a `Result` is no larger than its value needs.
pub struct Error(Box<Parts>);

struct Parts {
    kind: ErrorKind,
    /// The index and name of the one of several devices that failed.
    device: Option<(usize, String)>,
    kernel: Option<Cow<'static, str>>,
    argument: Option<&'static str>,
    problem: Cow<'static, str>,
    detail: Detail,
}

/// The values in the message, for programs to compute with.
#[derive(Debug)]
pub(crate) enum Detail {
    None,
    /// Bytes, pairs or elements: how many are needed, and how many are possible.
    Amounts {
        needed: Option<usize>,
        limit: Option<usize>,
    },
    Total(i128),
    CompilerLog(String),
    Driver(DriverError),
    Io(io::Error),
    /// The kernel visits the pairs (i, i), but the argument has no slots for them.
    Diagonal,
    Other(Box<dyn std::error::Error + Send + Sync>),
}

impl Error {
    /// Wraps an error of the caller's own, for a closure that this crate calls: [`Target::timed`](crate::Target::timed), `tune`
    /// of a kernel, or the module `testing`. The message and the source are those of `error`.
    ///
    /// ```
    /// use td_kernel::{Device, Error, ErrorKind};
    ///
    /// let device = Device::cpu()?;
    /// let error = device.timed(|| "seven".parse::<u32>().map_err(Error::other)).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::Other);
    /// assert_eq!(error.to_string(), "invalid digit found in string");
    /// assert!(error.get_ref().is_some_and(|error| error.is::<std::num::ParseIntError>()));
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// An `Error` of this crate is returned unchanged.
    pub fn other(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
        match error.into().downcast::<Error>() {
            Ok(own) => *own,
            Err(other) => {
                Error::new(ErrorKind::Other, other.to_string()).with(Detail::Other(other))
            }
        }
    }

    pub(crate) fn new(kind: ErrorKind, problem: impl Into<Cow<'static, str>>) -> Error {
        let (problem, detail) = (problem.into(), Detail::None);
        Error(Box::new(Parts { kind, device: None, kernel: None, argument: None, problem, detail }))
    }

    /// The error, about this kernel.
    pub(crate) fn of_kernel(mut self, kernel: impl Into<Cow<'static, str>>) -> Error {
        self.0.kernel = Some(kernel.into());
        self
    }

    /// The error, about this argument of a kernel.
    pub(crate) fn about(self, kernel: &'static str, argument: &'static str) -> Error {
        let mut error = self.of_kernel(kernel);
        error.0.argument = Some(argument);
        error
    }

    pub(crate) fn with(mut self, detail: Detail) -> Error {
        self.0.detail = detail;
        self
    }

    /// The error, from this one of several devices.
    pub(crate) fn on_device(mut self, index: usize, device: &str) -> Error {
        self.0.device = Some((index, device.to_owned()));
        self
    }

    pub(crate) fn detail(&self) -> &Detail {
        &self.0.detail
    }
}

impl Parts {
    /// The message without the advice to run on the CPU.
    fn write(&self, f: &mut dyn fmt::Write) -> fmt::Result {
        if let Some((index, name)) = &self.device {
            write!(f, "on device {index} ({name}): ")?;
        }
        if let Some(kernel) = &self.kernel {
            write!(f, "kernel `{kernel}`: ")?;
        }
        if let Some(argument) = &self.argument {
            write!(f, "`{argument}` ")?;
        }
        f.write_str(&self.problem)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write(f)?;
        match (self.0.kind, cfg!(feature = "cpu")) {
            (ErrorKind::NoGpu, true) => f.write_str("; without a GPU, run on the CPU instead"),
            (ErrorKind::NoGpu, false) => f.write_str(
                "; without a GPU, enable the feature `cpu` of td-kernel and run on the CPU",
            ),
            _ => Ok(()),
        }
    }
}

// `unwrap` and `main` print `Debug` for people to read, so it equals `Display`.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        // Only errors of the caller have a source. Those of the system are in the message.
        let Detail::Other(error) = &self.0.detail else { return None };
        error.source()
    }
}

//! Everything that can go wrong at run time: an [`Error`] that can grow, and inside it the [`Cause`].
//!
//! Uses no other layer.

mod ask;
mod bands;
mod call;
mod cause;
mod devices;
mod features;
mod kind;
mod machine;
mod matrix;
mod rectangle;
#[cfg(test)]
mod tests;

use std::fmt;

pub(crate) use self::bands::BandsCause;
pub(crate) use self::cause::Cause;
pub(crate) use self::devices::DevicesCause;
pub(crate) use self::features::FeaturesCause;
pub use self::kind::ErrorKind;
pub(crate) use self::machine::MachineCause;
pub(crate) use self::matrix::MatrixCause;
pub(crate) use self::rectangle::RectangleCause;

/// The result of every fallible call of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong, in words that say what to do about it.
///
/// The message is for people. A program asks for the [kind](Error::kind), and for what it would compute with:
///
/// ```
/// use td_kernel::{Device, ErrorKind};
///
/// let device = Device::cpu()?;
/// let error = device.zeroed::<u8>(1 << 47).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::OutOfDeviceMemory);
/// assert_eq!(error.bytes_needed(), Some(1 << 47));
/// assert!(error.to_string().starts_with("not enough memory on the device: 140737488355328 bytes needed"));
/// # Ok::<(), td_kernel::Error>(())
/// ```
// One pointer, so that a `Result` is no larger than its value needs.
pub struct Error(Box<Cause>);

impl Error {
    /// An error of the caller's own, for a closure that this crate calls: [`Device::timed`](crate::Device::timed),
    /// `tune` of a kernel, or the module `testing`. Its message and its source are those of `error`.
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
    /// An `Error` of this crate stays what it is.
    pub fn other(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
        match error.into().downcast::<Error>() {
            Ok(own) => *own,
            Err(other) => Error::new(Cause::Other(other)),
        }
    }

    /// The error that [`other`](Error::other) was given.
    pub fn get_ref(&self) -> Option<&(dyn std::error::Error + Send + Sync + 'static)> {
        match self.cause() {
            Cause::Other(error) => Some(&**error),
            _ => None,
        }
    }

    /// The error that [`other`](Error::other) was given.
    ///
    /// # Errors
    ///
    /// It was given none: this error.
    pub fn into_inner(
        self,
    ) -> std::result::Result<Box<dyn std::error::Error + Send + Sync>, Error> {
        match *self.0 {
            Cause::Other(error) => Ok(error),
            cause => Err(Error::new(cause)),
        }
    }

    pub(crate) fn new(cause: Cause) -> Error {
        Error(Box::new(cause))
    }

    /// The cause; of an error on one of several devices, the cause there.
    pub(crate) fn cause(&self) -> &Cause {
        match &*self.0 {
            Cause::Devices(DevicesCause::OnDevice { error, .. }) => error.cause(),
            cause => cause,
        }
    }
}

// Not `From`: with two types that become an `Error`, `?` in a user's closure would no longer tell rustc which one
// its `Ok` goes with, and every such closure would have to name its result.
#[allow(clippy::from_over_into)]
impl Into<Error> for Cause {
    fn into(self) -> Error {
        Error::new(self)
    }
}

// As for `Cause`.
#[allow(clippy::from_over_into)]
impl Into<Error> for BandsCause {
    fn into(self) -> Error {
        Error::new(Cause::Bands(self))
    }
}

// As for `Cause`.
#[allow(clippy::from_over_into)]
impl Into<Error> for MachineCause {
    fn into(self) -> Error {
        Error::new(Cause::Machine(self))
    }
}

// As for `Cause`.
#[allow(clippy::from_over_into)]
impl Into<Error> for DevicesCause {
    fn into(self) -> Error {
        Error::new(Cause::Devices(self))
    }
}

// As for `Cause`.
#[allow(clippy::from_over_into)]
impl Into<Error> for FeaturesCause {
    fn into(self) -> Error {
        Error::new(Cause::Features(self))
    }
}

// As for `Cause`.
#[allow(clippy::from_over_into)]
impl Into<Error> for MatrixCause {
    fn into(self) -> Error {
        Error::new(Cause::Matrix(self))
    }
}

// As for `Cause`.
#[allow(clippy::from_over_into)]
impl Into<Error> for RectangleCause {
    fn into(self) -> Error {
        Error::new(Cause::Rectangle(self))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

// `unwrap` and `main` print `Debug`, and people read that: it says the same as `Display`.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source()
    }
}

//! The details of an error, for programs.

use std::io;

use super::{Detail, Error, ErrorKind};

impl Error {
    /// The kind of error.
    ///
    /// ```
    /// use td_kernel::{Device, ErrorKind};
    ///
    /// let device = match Device::cuda(0) {
    ///     Err(error) if error.kind() == ErrorKind::NoGpu => Device::cpu(),
    ///     other => other,
    /// }?;
    /// # drop(device);
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The kernel that the error is about.
    pub fn kernel(&self) -> Option<&str> {
        self.0.kernel.as_deref()
    }

    /// The argument of the launch that the error is about, by its name in the kernel.
    pub fn argument(&self) -> Option<&str> {
        self.0.argument
    }

    /// The index, from 0, and the name of the one of several devices that failed.
    ///
    /// The rest of the error, its [kind](Error::kind) for example, is as if that device had been the only one.
    pub fn device(&self) -> Option<(usize, &str)> {
        self.0.device.as_ref().map(|(index, name)| (*index, &**name))
    }

    /// What is needed: bytes if memory is exhausted, the capacity of a list that is too short.
    pub fn needed(&self) -> Option<usize> {
        let Detail::Amounts { needed, .. } = self.detail() else { return None };
        *needed
    }

    /// What is possible: the free bytes of a device if it reports them, the capacity of a list that is too short, or the largest
    /// n, or end of a range of rows, for which the kernel's map is exact.
    pub fn limit(&self) -> Option<usize> {
        let Detail::Amounts { limit, .. } = self.detail() else { return None };
        *limit
    }

    /// The total that does not fit a [`Sum`](crate::Sum).
    pub fn total(&self) -> Option<i128> {
        let Detail::Total(total) = self.detail() else { return None };
        Some(*total)
    }

    /// The compiler's messages about a kernel, with lines of the user's file.
    pub fn compiler_log(&self) -> Option<&str> {
        let Detail::CompilerLog(log) = self.detail() else { return None };
        Some(log)
    }

    /// The driver's code for the failure, as in CUDA's `CUresult`: 700 is an illegal address.
    pub fn driver_code(&self) -> Option<i32> {
        let Detail::Driver(code) = self.detail() else { return None };
        i32::try_from(code.0 as u32).ok()
    }

    /// The system's error about a file or a program. It is part of the message, so it is not a `source`.
    pub fn io_error(&self) -> Option<&io::Error> {
        let Detail::Io(reason) = self.detail() else { return None };
        Some(reason)
    }

    /// The error that was passed to [`other`](Error::other).
    pub fn get_ref(&self) -> Option<&(dyn std::error::Error + Send + Sync + 'static)> {
        let Detail::Other(error) = self.detail() else { return None };
        Some(&**error)
    }

    /// The message without the advice to run on the CPU, for when the CPU is already used.
    #[doc(hidden)]
    pub fn without_advice(&self) -> String {
        let mut message = String::new();
        // Writing to a String cannot fail.
        let _ = self.0.write(&mut message);
        message
    }
}

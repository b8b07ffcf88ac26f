//! What a program can ask an error for.

use std::io;

use super::{Detail, Error, ErrorKind};

impl Error {
    /// What kind of error it is.
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

    /// The kernel that the error is about, as the user named it.
    pub fn kernel(&self) -> Option<&str> {
        self.0.kernel.as_deref()
    }

    /// The argument of the launch that the error is about, by its name in the kernel.
    pub fn argument(&self) -> Option<&str> {
        self.0.argument
    }

    /// The index among several devices of the one that failed, counted from 0, and its name.
    ///
    /// What else the error tells, its [kind](Error::kind) for example, is as if that device had been the only one.
    pub fn device(&self) -> Option<(usize, &str)> {
        self.0.device.as_ref().map(|(index, name)| (*index, &**name))
    }

    /// The bytes that there is not enough memory for, on the device or on the host.
    pub fn bytes_needed(&self) -> Option<usize> {
        match self.detail() {
            Detail::Memory { needed, .. } => Some(*needed),
            _ => None,
        }
    }

    /// The bytes that were free on a device without enough memory, where it can tell.
    pub fn bytes_free(&self) -> Option<usize> {
        match self.detail() {
            Detail::Memory { free, .. } => *free,
            _ => None,
        }
    }

    /// The pairs that were pushed on a list without room for them: the capacity that would have done.
    pub fn pairs_needed(&self) -> Option<u64> {
        match self.detail() {
            Detail::List { needed, .. } => Some(*needed),
            _ => None,
        }
    }

    /// The room of a list that more pairs were pushed on.
    pub fn capacity(&self) -> Option<usize> {
        match self.detail() {
            Detail::List { capacity, .. } => Some(*capacity),
            _ => None,
        }
    }

    /// The largest n that the kernel's map does exactly, where n was more.
    pub fn max_elements(&self) -> Option<usize> {
        match self.detail() {
            Detail::MaxElements(most) => Some(*most),
            _ => None,
        }
    }

    /// The furthest end of a range of rows that the kernel's map does exactly, where the range went further.
    pub fn max_row_end(&self) -> Option<usize> {
        match self.detail() {
            Detail::MaxRowEnd(most) => Some(*most),
            _ => None,
        }
    }

    /// The total that a [`Sum`](crate::Sum) does not hold.
    pub fn total(&self) -> Option<i128> {
        match self.detail() {
            Detail::Total(total) => Some(*total),
            _ => None,
        }
    }

    /// What the compiler said to a kernel, with lines of the user's own file.
    pub fn compiler_log(&self) -> Option<&str> {
        match self.detail() {
            Detail::CompilerLog(log) => Some(log),
            _ => None,
        }
    }

    /// The driver's number for what failed, as in CUDA's `CUresult`: 700 is an illegal address.
    pub fn driver_code(&self) -> Option<i32> {
        match self.detail() {
            Detail::Driver { code, .. } => i32::try_from(code.0 as u32).ok(),
            _ => None,
        }
    }

    /// The driver's words for what failed.
    pub fn driver_words(&self) -> Option<&str> {
        match self.detail() {
            Detail::Driver { words, .. } => Some(words),
            _ => None,
        }
    }

    /// What the system said to the use of a file or a program. The message has it, and so it is no `source`.
    pub fn io_error(&self) -> Option<&io::Error> {
        match self.detail() {
            Detail::Io(reason) => Some(reason),
            _ => None,
        }
    }

    /// The error that [`other`](Error::other) was given.
    pub fn get_ref(&self) -> Option<&(dyn std::error::Error + Send + Sync + 'static)> {
        match self.detail() {
            Detail::Other(error) => Some(&**error),
            _ => None,
        }
    }

    /// The error that [`other`](Error::other) was given.
    ///
    /// # Errors
    ///
    /// It was given none: this error.
    pub fn into_inner(self) -> Result<Box<dyn std::error::Error + Send + Sync>, Error> {
        match *self.0 {
            super::Parts { detail: Detail::Other(error), .. } => Ok(error),
            parts => Err(Error(Box::new(parts))),
        }
    }

    /// Whether kernels could run on the CPU instead.
    pub(crate) fn is_without_gpu(&self) -> bool {
        matches!(self.detail(), Detail::NoGpu)
    }

    /// The message without the advice to run on the CPU, for where the CPU is used already.
    #[doc(hidden)]
    pub fn without_advice(&self) -> String {
        let mut message = String::new();
        // Writing to a String cannot fail.
        let _ = self.0.write(&mut message);
        message
    }
}

//! Errors that several places report.

use std::borrow::Cow;
use std::io;
use std::path::Path;

use super::{Detail, Error, ErrorKind};

impl Error {
    /// Arguments that do not fit.
    pub(crate) fn arguments(problem: impl Into<Cow<'static, str>>) -> Error {
        Error::new(ErrorKind::Arguments, problem)
    }

    pub(crate) fn out_of_device_memory(needed: usize, free: Option<usize>) -> Error {
        let there = free.map(|free| format!(", {free} free")).unwrap_or_default();
        let problem =
            format!("not enough memory on the device: {} needed{there}", counted(needed, "byte"));
        Error::new(ErrorKind::OutOfDeviceMemory, problem)
            .with(Detail::Amounts { needed: Some(needed), limit: free })
    }

    /// For a host copy of device memory, or a matrix made from one.
    pub(crate) fn out_of_host_memory(needed: usize) -> Error {
        let problem = format!("not enough memory on the host: {} needed", counted(needed, "byte"));
        Error::new(ErrorKind::OutOfHostMemory, problem)
            .with(Detail::Amounts { needed: Some(needed), limit: None })
    }

    pub(crate) fn too_large(elements: usize, size: usize) -> Error {
        let problem = format!(
            "{} of {}, or their pairs, are more than memory can hold",
            counted(elements, "element"),
            counted(size, "byte")
        );
        Error::new(ErrorKind::TooLarge, problem)
    }

    pub(crate) fn copy_length(length: usize, found: usize) -> Error {
        Error::arguments(format!(
            "cannot copy {length} elements into a slice of {found}: pass a slice of {length}"
        ))
    }

    /// A stream of another device than the kernel's.
    pub(crate) fn wrong_stream(kernel: &'static str, device: &str) -> Error {
        let problem =
            format!("it was loaded for {device}, but the stream belongs to another device");
        Error::new(ErrorKind::WrongDevice, problem).of_kernel(kernel)
    }

    /// A file or a program could not be used, for this reason.
    pub(crate) fn io(action: &str, path: impl AsRef<Path>, reason: io::Error) -> Error {
        let problem = format!("cannot {action} {}: {reason}", path.as_ref().display());
        Error::new(ErrorKind::Io, problem).with(Detail::Io(reason))
    }

    /// This error, as the reason why the file of this name cannot be written.
    pub(crate) fn writing(mut self, path: &Path) -> Error {
        self.0.problem = format!("cannot write {}: {}", path.display(), self.0.problem).into();
        self
    }

    /// Another process has the file locked.
    pub(crate) fn in_use(file: &Path) -> Error {
        let problem =
            format!("another process is writing {}: wait until it ends, or end it", file.display());
        Error::new(ErrorKind::Io, problem)
    }

    /// There is no usable GPU. The message ends with the advice to run on the CPU.
    pub(crate) fn no_gpu(problem: impl Into<Cow<'static, str>>) -> Error {
        Error::new(ErrorKind::NoGpu, problem)
    }

    pub(crate) fn no_compiler(problem: impl Into<Cow<'static, str>>) -> Error {
        Error::new(ErrorKind::NoCompiler, problem)
    }

    pub(crate) fn compile(kernel: &str, compiler: &str, log: String) -> Error {
        let problem = format!("it does not compile ({compiler}):\n{log}");
        let error = Error::new(ErrorKind::Compile, problem).of_kernel(kernel.to_owned());
        error.with(Detail::CompilerLog(log))
    }

    /// A device rejects a launch.
    pub(crate) fn refused(kernel: &str, reason: impl std::fmt::Display) -> Error {
        Error::arguments(format!("it cannot be launched: {reason}")).of_kernel(kernel.to_owned())
    }

    pub(crate) fn unknown_map(map: &str) -> Error {
        Error::version(&format!("the map `{map}` does not exist in this version"))
    }

    /// The macro that generated a kernel has another version than this crate.
    pub(crate) fn version(problem: &str) -> Error {
        let problem = format!("{problem}: use the same version of td-kernel and its macros");
        Error::new(ErrorKind::VersionMismatch, problem)
    }
}

/// A count with its noun, `one` in the singular.
pub(crate) fn counted(count: usize, one: &str) -> String {
    format!("{count} {one}{}", if count == 1 { "" } else { "s" })
}

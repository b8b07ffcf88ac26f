//! What a program can ask an error for.

use super::{BandsCause, Cause, DevicesCause, Error, FeaturesCause, MachineCause, machine};

impl Error {
    /// The bytes that there is not enough memory for, on the device or on the host.
    pub fn bytes_needed(&self) -> Option<usize> {
        match self.cause() {
            Cause::OutOfMemory { needed, .. } | Cause::HostMemory { needed } => Some(*needed),
            _ => None,
        }
    }

    /// The bytes that were free on a device without enough memory, where it can tell.
    pub fn bytes_free(&self) -> Option<usize> {
        match self.cause() {
            Cause::OutOfMemory { free, .. } => *free,
            _ => None,
        }
    }

    /// The pairs that were pushed on a list without room for them: the capacity that would have done.
    pub fn pairs_needed(&self) -> Option<u64> {
        match self.cause() {
            Cause::PairsOverflow { needed, .. } => Some(*needed),
            _ => None,
        }
    }

    /// The room of a list that more pairs were pushed on.
    pub fn capacity(&self) -> Option<usize> {
        match self.cause() {
            Cause::PairsOverflow { capacity, .. } => Some(*capacity),
            _ => None,
        }
    }

    /// The largest n that the kernel's map does exactly, where n was more.
    pub fn max_elements(&self) -> Option<usize> {
        match self.cause() {
            Cause::PastMap { most, .. } => Some(*most),
            _ => None,
        }
    }

    /// The furthest end of a range of rows that the kernel's map does exactly, where the range went further.
    pub fn max_row_end(&self) -> Option<usize> {
        match self.cause() {
            Cause::RowsPastMap { most, .. } => Some(*most),
            _ => None,
        }
    }

    /// The total that a [`Sum`](crate::Sum) does not hold.
    pub fn total(&self) -> Option<i128> {
        match self.cause() {
            Cause::SumOverflow { total, .. } => Some(*total),
            _ => None,
        }
    }

    /// What the compiler said to a kernel, with lines of the user's own file.
    pub fn compiler_log(&self) -> Option<&str> {
        match self.cause() {
            Cause::Compile { log, .. } => Some(log),
            _ => None,
        }
    }

    /// The driver's number for what failed, as in CUDA's `CUresult`: 700 is an illegal address.
    pub fn driver_code(&self) -> Option<i32> {
        match self.cause() {
            Cause::Driver { code, .. } => i32::try_from(code.0 as u32).ok(),
            _ => None,
        }
    }

    /// The driver's words for what failed.
    pub fn driver_words(&self) -> Option<&str> {
        match self.cause() {
            Cause::Driver { words, .. } => Some(words),
            _ => None,
        }
    }

    /// What the system said to the use of a file or a program. The message has it, and so it is no `source`.
    pub fn io_error(&self) -> Option<&std::io::Error> {
        match self.cause() {
            Cause::Io { reason, .. } | Cause::Bands(BandsCause::Beside { reason, .. }) => {
                Some(reason)
            }
            _ => None,
        }
    }

    /// The message without the advice to run on the CPU, for where the CPU is used already.
    #[doc(hidden)]
    pub fn without_advice(&self) -> String {
        machine::without_advice(&self.to_string()).to_owned()
    }

    /// The kernel that the error is about, as the user named it.
    pub fn kernel(&self) -> Option<&str> {
        match self.cause() {
            Cause::Lengths { kernel, .. }
            | Cause::PackedLength { kernel, .. }
            | Cause::SquareLength { kernel, .. }
            | Cause::LaunchRows { kernel, .. }
            | Cause::NoRows { kernel, .. }
            | Cause::MissingRows { kernel, .. }
            | Cause::RowsLength { kernel, .. }
            | Cause::FirstRows { kernel, .. }
            | Cause::RowsOfNoN { kernel, .. }
            | Cause::SlotsOfNoN { kernel, .. }
            | Cause::WrongDiagonal { kernel, .. }
            | Cause::WrongDevice { kernel, .. }
            | Cause::WrongStream { kernel, .. }
            | Cause::Misaligned { kernel, .. }
            | Cause::PastMap { kernel, .. }
            | Cause::RowsPastMap { kernel, .. }
            | Cause::Parameters { kernel, .. }
            | Cause::OtherKernel { kernel, .. }
            | Cause::NoVariant { kernel, .. }
            | Cause::ExactSumFull { kernel, .. }
            | Cause::FullQueue { kernel, .. }
            | Cause::NothingToTune { kernel } => Some(kernel),
            Cause::Features(FeaturesCause::Widths { kernel, .. }) => Some(kernel),
            Cause::Devices(cause) => cause.kernel(),
            Cause::Bands(BandsCause::Gathers { kernel }) => Some(kernel),
            Cause::Rectangle(cause) => Some(cause.kernel()),
            Cause::Compile { kernel, .. }
            | Cause::Machine(MachineCause::NoLibrary { kernel, .. })
            | Cause::Forked { kernel }
            | Cause::Deadlock { kernel, .. } => Some(kernel),
            _ => None,
        }
    }

    /// The argument of the launch that the error is about, by its name in the kernel.
    pub fn argument(&self) -> Option<&str> {
        match self.cause() {
            Cause::Lengths { argument, .. }
            | Cause::PackedLength { argument, .. }
            | Cause::SquareLength { argument, .. }
            | Cause::MissingRows { argument, .. }
            | Cause::RowsLength { argument, .. }
            | Cause::FirstRows { argument, .. }
            | Cause::RowsOfNoN { argument, .. }
            | Cause::SlotsOfNoN { argument, .. }
            | Cause::WrongDiagonal { argument, .. }
            | Cause::WrongDevice { argument, .. }
            | Cause::ExactSumFull { argument, .. }
            | Cause::FullQueue { argument, .. }
            | Cause::Misaligned { argument, .. } => Some(argument),
            Cause::Features(FeaturesCause::Widths { argument, .. }) => Some(argument),
            Cause::Devices(cause) => cause.argument(),
            Cause::Rectangle(cause) => cause.argument(),
            _ => None,
        }
    }

    /// The index among several devices of the one that failed, counted from 0, and its name.
    ///
    /// What else the error tells, its [kind](Error::kind) for example, is as if that device had been the only one.
    pub fn device(&self) -> Option<(usize, &str)> {
        match &*self.0 {
            Cause::Devices(DevicesCause::OnDevice { index, device, .. }) => Some((*index, device)),
            _ => None,
        }
    }

    /// The error, as one of this device among several.
    pub(crate) fn on_device(self, index: usize, device: &str) -> Error {
        DevicesCause::OnDevice { index, device: device.to_owned(), error: self }.into()
    }
}

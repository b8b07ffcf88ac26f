//! The option `--device`.

use clap::ValueEnum;
use td_kernel::Device;

/// Where kernels run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum DeviceChoice {
    /// The first GPU; where there is none, the CPU, with a warning
    #[default]
    Auto,
    /// The first GPU; where there is none, an error
    Cuda,
    /// The CPU, which needs a C++ compiler and is slow
    Cpu,
}

impl DeviceChoice {
    /// The device.
    ///
    /// # Errors
    ///
    /// There is no such device, or it fails.
    pub fn open(self) -> td_kernel::Result<Device> {
        match self {
            DeviceChoice::Auto => Device::best(),
            DeviceChoice::Cuda => Device::cuda(0),
            DeviceChoice::Cpu => Device::cpu(),
        }
    }
}

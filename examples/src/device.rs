//! The choice of a device.

use clap::ValueEnum;
use td_kernel::{Device, Devices, Result, Target};

/// The option `--device`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum DeviceChoice {
    /// The first GPU; without one the CPU, with a warning
    #[default]
    Auto,
    /// The first GPU; without one an error
    Cuda,
    /// The CPU, which needs a C++ compiler and is slow
    Cpu,
}

impl DeviceChoice {
    /// The device.
    pub fn open(self) -> Result<Device> {
        match self {
            DeviceChoice::Auto => Device::best(),
            DeviceChoice::Cuda => Device::cuda(0),
            DeviceChoice::Cpu => Device::cpu(),
        }
    }

    /// `count` devices: the first GPUs, or the CPU several times.
    pub fn open_together(self, count: usize) -> Result<Target> {
        let first = self.open()?;
        let devices = match (count, first.is_cpu()) {
            (1, _) => return Ok(first.into()),
            (_, true) => Devices::cpu(count)?,
            (_, false) => Devices::new((0..count).map(Device::cuda).collect::<Result<Vec<_>>>()?)?,
        };
        Ok(devices.into())
    }
}

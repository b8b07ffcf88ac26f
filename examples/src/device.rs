//! The option `--device`.

use clap::ValueEnum;
use td_kernel::{Device, Devices};

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

    /// So many devices of this kind as one, GPUs from the first on; the CPU is there as often as is asked for.
    ///
    /// # Errors
    ///
    /// There are not so many GPUs, there is no such device, one fails, or none is asked for.
    pub fn open_together(self, count: u32) -> td_kernel::Result<Device> {
        let first = self.open()?;
        let devices = (0..count as usize).map(|at| match at {
            0 => Ok(first.clone()),
            _ if first.is_cpu() => Ok(first.clone()),
            _ => Device::cuda(at),
        });
        match count {
            1 => Ok(first),
            _ => {
                let devices = Devices::new(devices.collect::<td_kernel::Result<Vec<_>>>()?)?;
                Ok(Device::clone(&devices))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cpu_stands_for_several_devices() {
        for count in [1, 2, 5] {
            let device = DeviceChoice::Cpu.open_together(count).unwrap();
            assert!(device.is_cpu());
            assert_eq!(device.name().starts_with(&format!("{count} x CPU (")), count > 1);
        }
        assert!(DeviceChoice::Cpu.open_together(0).is_err());
    }
}

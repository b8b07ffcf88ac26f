//! Where an argument's elements are, and whether a kernel can have them there.

use std::sync::Arc;

use cudarc::driver::CudaStream;

use super::{Launch, Value};
use crate::cuda::order::{self, Use};
use crate::device::Target;
use crate::error::Cause;
use crate::{DeviceType, Error, Result, View, ViewMut};

/// Where an argument's elements are, on the device of the launch.
pub(super) struct ArgumentAddress<'a> {
    pub(super) address: u64,
    length: usize,
    /// To be recorded when the launch is on its stream.
    used: Option<Use<'a>>,
    /// The memory's stream, where cudarc's events do not order it with the launch's.
    stranger: Option<Arc<CudaStream>>,
}

impl ArgumentAddress<'_> {
    fn without_events(address: u64, length: usize) -> Self {
        ArgumentAddress { address, length, used: None, stranger: None }
    }
}

impl<'a> Launch<'a> {
    /// Takes the address of elements that the kernel reads; gives their number.
    pub(super) fn read<T: DeviceType>(
        &mut self,
        name: &'static str,
        view: View<'a, T>,
    ) -> Result<usize> {
        let address = self.address(name, view)?;
        self.push::<T>(name, address)
    }

    /// Where elements that the kernel reads are.
    pub(super) fn address<'b, T>(
        &self,
        name: &'static str,
        view: View<'b, T>,
    ) -> Result<ArgumentAddress<'b>>
    where
        'a: 'b,
    {
        Ok(match view {
            View::Empty => ArgumentAddress::without_events(0, 0),
            View::Cpu(elements) => {
                self.expect_cpu(name)?;
                ArgumentAddress::without_events(elements.as_ptr() as u64, elements.len())
            }
            View::Cuda(elements) => {
                let (stream, stranger) = self.streams(name, elements.stream())?;
                let (address, guard) = elements.device_ptr(stream);
                ArgumentAddress { address, length: elements.len(), used: Use::of(guard), stranger }
            }
        })
    }

    /// Takes the address of elements that the kernel writes; gives their number.
    pub(super) fn write<T: DeviceType>(
        &mut self,
        name: &'static str,
        view: ViewMut<'a, T>,
    ) -> Result<usize> {
        let address = match view {
            ViewMut::Empty => ArgumentAddress::without_events(0, 0),
            ViewMut::Cpu(elements) => {
                self.expect_cpu(name)?;
                ArgumentAddress::without_events(elements.as_mut_ptr() as u64, elements.len())
            }
            ViewMut::Cuda(elements) => {
                let (stream, stranger) = self.streams(name, elements.stream())?;
                let length = elements.len();
                let (address, guard) = elements.device_ptr_mut(stream);
                ArgumentAddress { address, length, used: Use::of(guard), stranger }
            }
        };
        self.written.push(address.address);
        self.push::<T>(name, address)
    }

    fn push<T: DeviceType>(
        &mut self,
        name: &'static str,
        argument: ArgumentAddress<'a>,
    ) -> Result<usize> {
        let ArgumentAddress { address, length, used, stranger } = argument;
        self.uses.extend(used);
        self.strangers.extend(stranger);
        if !address.is_multiple_of(T::ALIGNMENT as u64) {
            return Err(Cause::Misaligned {
                kernel: self.kernel.info.name,
                argument: name,
                alignment: T::ALIGNMENT,
                address,
            }
            .into());
        }
        self.values.push(Value::Word(address));
        Ok(length)
    }

    fn expect_cpu(&self, name: &'static str) -> Result<()> {
        match self.kernel.device.target() {
            Target::Cpu(_) => Ok(()),
            Target::Cuda(_) => Err(self.wrong_device(name, "the CPU".into())),
        }
    }

    /// The stream of the launch, where that of the memory is of the same context; and that of the memory, where
    /// the two had to be ordered here.
    fn streams(
        &self,
        name: &'static str,
        home: &Arc<CudaStream>,
    ) -> Result<(&'a CudaStream, Option<Arc<CudaStream>>)> {
        let context = home.context();
        match &self.kernel.stream {
            Some(stream) if stream.context() == context => {
                if order::share_events(stream, home) {
                    return Ok((stream, None));
                }
                // The launch is recorded, and what another handle does with the memory waits for it.
                if let Target::Cuda(gpu) = self.kernel.device.target() {
                    gpu.keeper.keep(&gpu.stream)?;
                }
                order::follow(stream, home)?;
                Ok((stream, Some(home.clone())))
            }
            _ => Err(self.wrong_device(name, format!("GPU {}", context.ordinal()))),
        }
    }

    fn wrong_device(&self, argument: &'static str, found: String) -> Error {
        let device = self.kernel.device.name().to_owned();
        Cause::WrongDevice { kernel: self.kernel.info.name, argument, device, found }.into()
    }
}

//! Where an argument's elements are, and whether a kernel can have them there.

use cudarc::driver::{CudaContext, CudaStream, SyncOnDrop};

use super::{Launch, Value};
use crate::device::Target;
use crate::{DeviceType, Error, Result, View, ViewMut};

/// Where an argument's elements are, on the device of the launch.
pub(super) struct Place<'a> {
    pub(super) address: u64,
    length: usize,
    guard: Option<SyncOnDrop<'a>>,
}

impl<'a> Launch<'a> {
    /// Takes the address of elements that the kernel reads; gives their number.
    pub(super) fn read<T: DeviceType>(
        &mut self,
        name: &'static str,
        view: View<'a, T>,
    ) -> Result<usize> {
        let place = self.place(name, view)?;
        self.push::<T>(name, place)
    }

    /// Where elements that the kernel reads are.
    pub(super) fn place<'b, T>(&self, name: &'static str, view: View<'b, T>) -> Result<Place<'b>>
    where
        'a: 'b,
    {
        Ok(match view {
            View::Empty => Place { address: 0, length: 0, guard: None },
            View::Cpu(elements) => {
                self.expect_cpu(name)?;
                Place { address: elements.as_ptr() as u64, length: elements.len(), guard: None }
            }
            View::Cuda(elements) => {
                let stream = self.expect_context(name, elements.stream().context())?;
                let (address, guard) = elements.device_ptr(stream);
                Place { address, length: elements.len(), guard: Some(guard) }
            }
        })
    }

    /// Takes the address of elements that the kernel writes; gives their number.
    pub(super) fn write<T: DeviceType>(
        &mut self,
        name: &'static str,
        view: ViewMut<'a, T>,
    ) -> Result<usize> {
        let place = match view {
            ViewMut::Empty => Place { address: 0, length: 0, guard: None },
            ViewMut::Cpu(elements) => {
                self.expect_cpu(name)?;
                Place { address: elements.as_mut_ptr() as u64, length: elements.len(), guard: None }
            }
            ViewMut::Cuda(elements) => {
                let stream = self.expect_context(name, elements.stream().context())?;
                let length = elements.len();
                let (address, guard) = elements.device_ptr_mut(stream);
                Place { address, length, guard: Some(guard) }
            }
        };
        self.push::<T>(name, place)
    }

    fn push<T: DeviceType>(&mut self, name: &'static str, place: Place<'a>) -> Result<usize> {
        let Place { address, length, guard } = place;
        self.guards.extend(guard);
        if !address.is_multiple_of(T::ALIGNMENT as u64) {
            return Err(Error::Misaligned {
                kernel: self.kernel.spec.name,
                argument: name,
                alignment: T::ALIGNMENT,
                address,
            });
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

    /// The stream of the launch, where `context` is its own.
    fn expect_context(&self, name: &'static str, context: &CudaContext) -> Result<&'a CudaStream> {
        match &self.kernel.stream {
            Some(stream) if **stream.context() == *context => Ok(stream),
            _ => Err(self.wrong_device(name, format!("GPU {}", context.ordinal()))),
        }
    }

    fn wrong_device(&self, argument: &'static str, found: String) -> Error {
        let device = self.kernel.device.name().to_owned();
        Error::WrongDevice { kernel: self.kernel.spec.name, argument, device, found }
    }
}

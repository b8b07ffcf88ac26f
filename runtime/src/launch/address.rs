//! The address of an argument's elements, and whether a kernel can have them there.

use std::sync::Arc;

use cudarc::driver::CudaStream;

use super::{Launch, Value};
use crate::error::Cause;
use crate::kernel::Kernel;
use crate::order::Access;
use crate::view::{Home, View, ViewMut};
use crate::{DeviceType, Result};

impl<'a> Launch<'a> {
    /// Takes the address of elements that the kernel reads; returns their number.
    pub(super) fn read<T: DeviceType>(
        &mut self,
        name: &'static str,
        view: View<'a, T>,
    ) -> Result<usize> {
        let length = view.len();
        let access = self.access(name, view)?;
        let address = self.keep::<T>(name, access)?;
        self.values.push(Value::Word(address));
        Ok(length)
    }

    /// Takes the address of elements that the kernel writes; returns their number.
    pub(super) fn write<T: DeviceType>(
        &mut self,
        name: &'static str,
        view: ViewMut<'a, T>,
    ) -> Result<usize> {
        let length = view.len();
        let foreign = self.join(name, &view.home())?;
        let access = self.expect(view.access(self.stream(), foreign))?;
        let address = self.keep::<T>(name, access)?;
        self.values.push(Value::Word(address));
        #[cfg(feature = "testing")]
        self.written.push(address);
        Ok(length)
    }

    /// The address of elements that the kernel reads.
    pub(super) fn access<'b, T>(&self, name: &'static str, view: View<'b, T>) -> Result<Access<'b>>
    where
        'a: 'b,
    {
        let foreign = self.join(name, &view.home())?;
        self.expect(view.access(self.stream(), foreign))
    }

    /// Checks that the kernel can use this memory. Where cudarc does not order the launch after the memory's stream,
    /// makes the launch wait for that stream, and returns it.
    pub(super) fn join(
        &self,
        argument: &'static str,
        home: &Home<'_>,
    ) -> Result<Option<Arc<CudaStream>>> {
        let Kernel { info, device, .. } = self.kernel;
        if !device.backend().owns(home) {
            let (device, found) = (device.name().to_owned(), home.to_string());
            return Err(Cause::WrongDevice { kernel: info.name, argument, device, found }.into());
        }
        device.backend().join(self.stream(), home)
    }

    /// The access; an error where it is `None`, for memory of a GPU without a stream of the kernel.
    pub(super) fn expect<'b>(&self, access: Option<Access<'b>>) -> Result<Access<'b>> {
        let Kernel { info, device, .. } = self.kernel;
        let none = || Cause::WrongStream { kernel: info.name, device: device.name().into() }.into();
        access.ok_or_else(none)
    }

    /// Keeps an access for the launch; returns its address.
    fn keep<T: DeviceType>(&mut self, argument: &'static str, access: Access<'a>) -> Result<u64> {
        let (address, alignment) = (access.address, T::ALIGNMENT);
        self.accesses.push(access);
        if !address.is_multiple_of(alignment as u64) {
            let kernel = self.kernel.info.name;
            return Err(Cause::Misaligned { kernel, argument, alignment, address }.into());
        }
        Ok(address)
    }
}

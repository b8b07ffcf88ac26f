//! The address of an argument's elements, and whether a kernel can have them there.

use super::{Launch, Value};
use crate::error::Cause;
use crate::kernel::Kernel;
use crate::order::Access;
use crate::view::{Home, View, ViewMut};
use crate::{DeviceType, Error, Result};

impl<'a> Launch<'a> {
    /// Takes the address of elements that the kernel reads; gives their number.
    pub(super) fn read<T: DeviceType>(
        &mut self,
        name: &'static str,
        view: View<'a, T>,
    ) -> Result<usize> {
        let (home, length) = (view.home(), view.len());
        self.expect_here(name, &home)?;
        let address = self.take::<T>(name, &home, view.access(self.stream()))?;
        self.values.push(Value::Word(address));
        Ok(length)
    }

    /// Takes the address of elements that the kernel writes; gives their number.
    pub(super) fn write<T: DeviceType>(
        &mut self,
        name: &'static str,
        view: ViewMut<'a, T>,
    ) -> Result<usize> {
        let (home, length) = (view.home(), view.len());
        self.expect_here(name, &home)?;
        let address = self.take::<T>(name, &home, view.access(self.stream()))?;
        self.values.push(Value::Written(address));
        Ok(length)
    }

    fn expect_here(&self, argument: &'static str, home: &Home) -> Result<()> {
        let is_here = self.kernel.device.backend().owns(home);
        if is_here { Ok(()) } else { Err(self.elsewhere(argument, home)) }
    }

    fn elsewhere(&self, argument: &'static str, home: &Home) -> Error {
        let Kernel { info, device, .. } = self.kernel;
        let (device, found) = (device.name().to_owned(), home.to_string());
        Cause::WrongDevice { kernel: info.name, argument, device, found }.into()
    }

    /// Takes an access to memory, which is kept for the launch; gives its address.
    fn take<T: DeviceType>(
        &mut self,
        argument: &'static str,
        home: &Home,
        access: Option<Access<'a>>,
    ) -> Result<u64> {
        let Kernel { info, device, .. } = self.kernel;
        let access = access.ok_or_else(|| self.elsewhere(argument, home))?;
        let access = match (home, self.stream()) {
            (Home::Gpu(home), Some(stream)) => {
                access.after(stream, home, || device.backend().keep_order())?
            }
            _ => access,
        };
        let (kernel, address, alignment) = (info.name, access.address, T::ALIGNMENT);
        self.accesses.push(access);
        if !address.is_multiple_of(alignment as u64) {
            return Err(Cause::Misaligned { kernel, argument, alignment, address }.into());
        }
        Ok(address)
    }
}

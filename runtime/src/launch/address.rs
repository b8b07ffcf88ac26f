//! The addresses of an argument's elements, and whether a kernel can have them there.
//!
//! Of the elements' type only the alignment matters here, and so nearly nothing is generic: what is, is compiled in the
//! user's crate for each type.

use std::sync::Arc;

use cudarc::driver::CudaStream;
use smallvec::SmallVec;

use super::ready::stream;
use super::{Launch, Value};
use crate::ErrorKind;
use crate::backend::order::Access;
use crate::backend::view::{Byte, Home, View, ViewMut};
use crate::kernel::Kernel;
use crate::memory::Memory;
use crate::{DeviceType, Error, Result};

/// The address of the same argument on each device of a launch.
pub(super) type Addresses = SmallVec<[u64; 1]>;

impl<'a> Launch<'a> {
    /// Takes the addresses of elements that the kernel reads, of which each device has a copy; returns their number.
    pub(super) fn read<T: DeviceType>(
        &mut self,
        name: &'static str,
        view: View<'a, T>,
    ) -> Result<usize> {
        let length = view.len();
        self.read_bytes(name, T::ALIGNMENT, view.untyped())?;
        Ok(length)
    }

    fn read_bytes(
        &mut self,
        name: &'static str,
        alignment: usize,
        view: View<'a, Byte>,
    ) -> Result<()> {
        let mut addresses = Addresses::new();
        for (at, view) in self.split(name, view)?.into_iter().enumerate() {
            let access = self.access(at, name, view)?;
            addresses.push(self.keep(name, at, alignment, access)?);
        }
        self.values.push(Value::addresses(&addresses));
        Ok(())
    }

    /// Takes the address of elements that the kernel writes; returns their number. Several devices would each write
    /// others, of which nothing tells how to make one: that is an error.
    pub(super) fn write<T: DeviceType>(
        &mut self,
        name: &'static str,
        view: ViewMut<'a, T>,
    ) -> Result<usize> {
        let length = view.len();
        // SAFETY: only a kernel writes to the bytes, and what it writes are values.
        self.write_bytes(name, T::ALIGNMENT, unsafe { view.untyped() })?;
        Ok(length)
    }

    fn write_bytes(
        &mut self,
        name: &'static str,
        alignment: usize,
        view: ViewMut<'a, Byte>,
    ) -> Result<()> {
        if self.kernel.device.is_several() {
            let devices = self.kernel.device.name();
            let problem = format!(
                "would be written by each of {devices}, and nothing tells how to make one of their copies: write a result of elements, as in `#[each] {name}: &mut Sum<T>`, or launch it on one device"
            );
            return Err(Error::arguments(problem).about(self.kernel.info.name, name));
        }
        self.written_on_each(name, alignment, view).map(drop)
    }

    /// Takes the address of slots for pairs; returns their number. Of several devices, the one that has them runs the launch:
    /// so it is with bands, and other slots are an error.
    pub(super) fn store<T: DeviceType>(
        &mut self,
        name: &'static str,
        view: ViewMut<'a, T>,
    ) -> Result<usize> {
        // SAFETY: only a kernel writes to the bytes, and what it writes are values.
        let bytes = self.store_bytes(name, T::ALIGNMENT, unsafe { view.untyped() })?;
        // No type has elements without bytes; but to divide by zero would end the process.
        Ok(bytes.checked_div(size_of::<T>()).unwrap_or_default())
    }

    /// Returns how many bytes are where the launch runs.
    fn store_bytes(
        &mut self,
        name: &'static str,
        alignment: usize,
        view: ViewMut<'a, Byte>,
    ) -> Result<usize> {
        if !self.kernel.device.is_several() {
            let length = view.len();
            self.write_bytes(name, alignment, view)?;
            return Ok(length);
        }
        let lengths: SmallVec<[usize; 8]> = match &view {
            ViewMut::Several(views) => views.iter().map(ViewMut::len).collect(),
            _ => return Err(self.kernel.stores(name)),
        };
        let mut there = lengths.iter().enumerate().filter(|(_, length)| **length > 0);
        let (first, second) = (there.next(), there.next());
        // Slots of no pairs are nowhere; a launch for no pairs does nothing on any device.
        let Some((at, length)) = first else {
            return self.written_on_each(name, alignment, view).map(|_| 0);
        };
        if second.is_some() || self.only.is_some_and(|only| only != at) {
            return Err(self.kernel.stores(name));
        }
        self.only = Some(at);
        self.written_on_each(name, alignment, view)?;
        Ok(*length)
    }

    /// Takes the addresses of memory in which each device gathers what its own pairs give. Who downloads the memory puts
    /// together what the devices have.
    pub(super) fn gather<T: DeviceType>(
        &mut self,
        name: &'static str,
        memory: &'a mut Memory<T>,
    ) -> Result<Addresses> {
        self.expect_place(name, memory)?;
        self.gathered.extend(memory.complete().cloned());
        // SAFETY: only a kernel writes to the bytes, and what it writes are values.
        self.written_on_each(name, T::ALIGNMENT, unsafe { memory.untyped_mut() })
    }

    /// Checks that what gathers is for the same part of the devices as the kernel: in a list of the whole devices, the pairs
    /// of a part would look like all pairs.
    pub(super) fn expect_place<T>(&self, name: &'static str, memory: &Memory<T>) -> Result<()> {
        let (found, place) = (memory.place(), self.kernel.device.backend().place());
        let count = self.kernel.devices().len();
        // Memory on another number of devices is refused by what takes its addresses.
        if found == place || memory.devices() != count {
            return Ok(());
        }
        let (kernel, argument) = (self.kernel.info.name, name);
        let problem = format!(
            "is for devices {}..{} of {} that share each launch, but the kernel was loaded for devices {}..{} of {}, which visit other pairs: make the output and load the kernel by the same `Devices`, those that `part_of` returned",
            found[0],
            found[0] + count,
            found[1],
            place[0],
            place[0] + count,
            place[1]
        );
        Err(Error::new(ErrorKind::WrongDevice, problem).about(kernel, argument))
    }

    /// Takes the addresses of elements that the kernel writes.
    fn written_on_each(
        &mut self,
        name: &'static str,
        alignment: usize,
        view: ViewMut<'a, Byte>,
    ) -> Result<Addresses> {
        let views = view.on_each(self.kernel.devices().len());
        let views = views.map_err(|found| self.kernel.elsewhere(name, found))?;
        self.has_outputs = true;
        let mut addresses = Addresses::new();
        for (at, view) in views.into_iter().enumerate() {
            let foreign = self.kernel.join(at, name, &view.home())?;
            let access = self.kernel.expect(at, view.access(self.stream(at), foreign))?;
            addresses.push(self.keep(name, at, alignment, access)?);
        }
        self.values.push(Value::addresses(&addresses));
        #[cfg(feature = "testing")]
        self.written.extend(&addresses);
        Ok(addresses)
    }

    /// The elements on each device; an error where they are not on the kernel's.
    fn split<'b>(
        &self,
        name: &'static str,
        view: View<'b, Byte>,
    ) -> Result<SmallVec<[View<'b, Byte>; 1]>> {
        let views = view.on_each(self.kernel.devices().len());
        views.map_err(|found| self.kernel.elsewhere(name, found))
    }

    /// Checks that elements are where the kernel runs.
    pub(super) fn expect_there(&self, name: &'static str, view: View<'_, Byte>) -> Result<()> {
        for (at, view) in self.split(name, view)?.into_iter().enumerate() {
            self.kernel.join(at, name, &view.home())?;
        }
        Ok(())
    }

    /// The address of elements that the kernel reads, on the device of this index.
    pub(super) fn access<'b>(
        &self,
        at: usize,
        name: &'static str,
        view: View<'b, Byte>,
    ) -> Result<Access<'b>>
    where
        'a: 'b,
    {
        let foreign = self.kernel.join(at, name, &view.home())?;
        self.kernel.expect(at, view.access(self.stream(at), foreign))
    }

    /// Keeps an access for the launch; returns its address.
    fn keep(
        &mut self,
        argument: &'static str,
        at: usize,
        alignment: usize,
        access: Access<'a>,
    ) -> Result<u64> {
        let address = access.address;
        self.accesses.push((at, access));
        if !address.is_multiple_of(alignment as u64) {
            let kernel = self.kernel.info.name;
            let problem = format!(
                "starts at address {address:#x}, but its elements are loaded as one and need a multiple of {alignment} bytes: start the view at such an element"
            );
            return Err(Error::arguments(problem).about(kernel, argument));
        }
        Ok(address)
    }
}

impl Kernel {
    /// The error for slots that are not those of a band on one of the kernel's devices.
    fn stores(&self, argument: &'static str) -> Error {
        let (kernel, devices) = (self.info.name, self.device.name().to_owned());
        let problem = format!(
            "has a value for each pair and is on one device at most, but the kernel is launched on {devices}: write `kernel.bands(…)`, whose bands go to all of these; or load it for each, as in `for device in devices.iter()`, and launch `kernel.rows(a..b)` there, into `device.packed_rows(n, a..b)` or `device.matrix_rows(rows, columns, a..b)`"
        );
        Error::arguments(problem).about(kernel, argument)
    }

    /// Checks that the kernel can use this memory on the device of this index. Where cudarc does not order the launch after
    /// the memory's stream, makes the launch wait for that stream, and returns it.
    pub(super) fn join(
        &self,
        at: usize,
        argument: &'static str,
        home: &Home<'_>,
    ) -> Result<Option<Arc<CudaStream>>> {
        let device = &self.devices()[at];
        if !device.backend().owns(home) {
            return Err(self.elsewhere(argument, home.to_string()));
        }
        let joined = device.backend().join(stream(self, at).map(|stream| &**stream), home);
        joined.map_err(|error| self.named(at, error))
    }

    /// The address of a device's own word, for a launch on the device of this index that uses it next.
    pub(super) fn own_access<'b>(
        &'b self,
        at: usize,
        word: &'b mut Memory<u32>,
    ) -> Result<Access<'b>> {
        let stream = stream(self, at).map(|stream| &**stream);
        let foreign = self.devices()[at].backend().join(stream, &word.view().home())?;
        // SAFETY: only a kernel writes to the bytes, and what it writes are values.
        self.expect(at, unsafe { word.untyped_mut() }.access(stream, foreign))
    }

    /// The error for an argument that is not where the kernel runs.
    fn elsewhere(&self, argument: &'static str, found: String) -> Error {
        let (kernel, device) = (self.info.name, self.device.name().to_owned());
        let (by, devices) = match self.devices().len() {
            1 => ("that `Device`", "device"),
            _ => ("these `Devices`", "devices"),
        };
        let problem = format!(
            "lies on {found}, but the kernel was loaded for {device}: make it by {by}, as `{devices}.upload(&values)` does"
        );
        Error::new(ErrorKind::WrongDevice, problem).about(kernel, argument)
    }

    /// The access; an error where it is `None`, for memory of a GPU without a stream of the kernel.
    pub(super) fn expect<'b>(&self, at: usize, access: Option<Access<'b>>) -> Result<Access<'b>> {
        let device = &self.devices()[at];
        let none = || self.wrong_stream(device);
        access.ok_or_else(none)
    }
}

//! Binds the addresses of an argument's elements, and checks that the kernel's devices own them.
//!
//! Only the alignment of the elements' type matters here, so almost nothing is generic: generic code is compiled in the user's
//! crate for each type.

use smallvec::{SmallVec, smallvec};

use crate::backend::order::Access;
use crate::backend::view::{Byte, View, ViewMut};
use crate::group::launch::Launch;
use crate::memory::Memory;
use crate::types::info::OTHERS;
use crate::{DeviceType, Error, ErrorKind, Result};

/// The address of one argument on each device of a launch.
pub(crate) type Addresses = SmallVec<[u64; 1]>;

impl<'a> Launch<'a> {
    /// Takes the addresses of elements that the kernel reads, copied to each device; returns their number.
    pub(crate) fn read<T: DeviceType>(
        &mut self,
        name: &'static str,
        view: View<'a, T>,
    ) -> Result<usize> {
        let length = view.len();
        let addresses = self.addresses_of(name, T::ALIGNMENT, view.untyped())?;
        self.push_addresses(&addresses);
        Ok(length)
    }

    /// The addresses of bytes that the kernel reads, on each device.
    pub(in crate::group::launch) fn addresses_of(
        &mut self,
        name: &'static str,
        alignment: usize,
        view: View<'a, Byte>,
    ) -> Result<Addresses> {
        let views = view.on_each(self.kernel.devices().len());
        let views = views
            .map_err(|found| self.kernel.device.elsewhere(self.kernel.info.name, name, &found))?;
        let mut addresses = Addresses::new();
        for (at, view) in views.into_iter().enumerate() {
            let access = self.kernel.on(at).read(name, view);
            addresses.push(self.keep(name, at, alignment, access)?);
        }
        Ok(addresses)
    }

    /// Takes the address of elements that the kernel writes; returns their number. Several devices do not load such a kernel,
    /// because each would write different elements, which cannot be combined.
    pub(super) fn write<T: DeviceType>(
        &mut self,
        name: &'static str,
        view: ViewMut<'a, T>,
    ) -> Result<usize> {
        if self.kernel.device.is_several() {
            return Err(self.wrong(name, "cannot be written by several devices, although the kernel was loaded for them: this is an error in td-kernel".to_owned()));
        }
        let length = view.len();
        // SAFETY: only a kernel writes to the bytes, and what it writes are values.
        self.written_on_each(name, T::ALIGNMENT, unsafe { view.untyped() })?;
        Ok(length)
    }

    /// Takes the addresses of slots for pairs; returns their bytes. With several devices, the one that has the slots runs the
    /// launch: this is for chunks, and other slots are an error. Of many sets, each device has the slots of its own pairs: then
    /// these are the bytes on each.
    pub(super) fn store(
        &mut self,
        name: &'static str,
        alignment: usize,
        view: ViewMut<'a, Byte>,
    ) -> Result<SmallVec<[usize; 8]>> {
        if !self.kernel.device.is_several() {
            let length = view.len();
            self.written_on_each(name, alignment, view)?;
            return Ok(smallvec![length]);
        }
        let ViewMut::Several(views) = &view else { return Err(self.stores(name)) };
        let lengths: SmallVec<[usize; 8]> = views.iter().map(ViewMut::len).collect();
        if self.kernel.is_of_sets() {
            self.written_on_each(name, alignment, view)?;
            return Ok(lengths);
        }
        let mut there = lengths.iter().enumerate().filter(|(_, length)| **length > 0);
        let (first, second) = (there.next(), there.next());
        // Slots of no pairs are on no device; a launch for no pairs does nothing anywhere.
        let Some((at, length)) = first else {
            return self.written_on_each(name, alignment, view).map(|_| SmallVec::new());
        };
        if second.is_some() || self.only.is_some_and(|only| only != at) {
            return Err(self.stores(name));
        }
        self.only = Some(at);
        self.written_on_each(name, alignment, view)?;
        Ok(smallvec![*length])
    }

    /// Takes the addresses of memory in which each device gathers the results of its own pairs. A download combines them.
    pub(super) fn gather<T: DeviceType>(
        &mut self,
        name: &'static str,
        memory: &'a mut Memory<T>,
    ) -> Result<Addresses> {
        let addresses = self.gather_beside(name, memory)?;
        self.push_addresses(&addresses);
        Ok(addresses)
    }

    /// The addresses of such memory that the kernel does not take itself.
    pub(super) fn gather_beside<T: DeviceType>(
        &mut self,
        name: &'static str,
        memory: &'a mut Memory<T>,
    ) -> Result<Addresses> {
        self.expect_place(name, memory)?;
        self.failures.extend(memory.failure().cloned());
        // SAFETY: only a kernel writes to the bytes, and what it writes are values.
        self.addresses_to_write(name, T::ALIGNMENT, unsafe { memory.untyped_mut() })
    }

    /// Checks that memory is on the kernel's devices, before more is allocated beside it.
    pub(super) fn expect_there<T: DeviceType>(
        &self,
        name: &'static str,
        memory: &Memory<T>,
    ) -> Result<()> {
        self.expect_place(name, memory)?;
        let views = memory.view().untyped().on_each(self.kernel.devices().len());
        let views = views
            .map_err(|found| self.kernel.device.elsewhere(self.kernel.info.name, name, &found))?;
        for (at, view) in views.into_iter().enumerate() {
            let joined = self.kernel.on(at).join(name, &view.space());
            joined.map_err(|error| self.named(at, error))?;
        }
        Ok(())
    }

    /// Checks that gathered memory is for the same part of the devices as the kernel: in a list of all devices, the pairs of a
    /// part would look like all pairs.
    fn expect_place<T>(&self, name: &'static str, memory: &Memory<T>) -> Result<()> {
        let (found, place) = (memory.place(), self.kernel.device.backend().place());
        let count = self.kernel.devices().len();
        // Memory on another number of devices is rejected when its addresses are taken.
        if found == place || memory.devices() != count {
            return Ok(());
        }
        let part = |[first, of]: [usize; 2]| format!("devices {first}..{} of {of}", first + count);
        let problem = format!(
            "is for {} that share each launch, but the kernel was loaded for {}, which visit other pairs: make the output and load the kernel with the same `Devices`, those that `part_of` returned",
            part(found),
            part(place)
        );
        let error = Error::new(ErrorKind::WrongDevice, problem);
        Err(error.about(self.kernel.info.name, name))
    }

    /// Takes the addresses of elements that the kernel writes.
    fn written_on_each(
        &mut self,
        name: &'static str,
        alignment: usize,
        view: ViewMut<'a, Byte>,
    ) -> Result<Addresses> {
        let addresses = self.addresses_to_write(name, alignment, view)?;
        self.push_addresses(&addresses);
        Ok(addresses)
    }

    /// The addresses of elements that the kernel writes.
    pub(in crate::group::launch) fn addresses_to_write(
        &mut self,
        name: &'static str,
        alignment: usize,
        view: ViewMut<'a, Byte>,
    ) -> Result<Addresses> {
        let views = view.on_each(self.kernel.devices().len());
        let views = views
            .map_err(|found| self.kernel.device.elsewhere(self.kernel.info.name, name, &found))?;
        self.has_outputs = true;
        let mut addresses = Addresses::new();
        for (at, view) in views.into_iter().enumerate() {
            let access = self.kernel.on(at).write(name, view);
            addresses.push(self.keep(name, at, alignment, access)?);
        }
        #[cfg(feature = "testing")]
        self.written.extend(&addresses);
        Ok(addresses)
    }

    /// An error on the device of this index. Memory on a wrong device is not a failure of that device.
    fn named(&self, at: usize, error: Error) -> Error {
        match error.kind() {
            ErrorKind::WrongDevice => error,
            _ => self.kernel.device.named(at, error),
        }
    }

    /// Keeps an access for the launch; returns its address.
    fn keep(
        &mut self,
        argument: &'static str,
        at: usize,
        alignment: usize,
        access: Result<Access<'a>>,
    ) -> Result<u64> {
        let access = access.map_err(|error| self.named(at, error))?;
        let address = access.address;
        self.accesses.push((at, access));
        if !address.is_multiple_of(alignment as u64) {
            let problem = format!(
                "starts at address {address:#x}, but each element is loaded whole and must be aligned to {alignment} bytes: start the view at an aligned element"
            );
            return Err(self.wrong(argument, problem));
        }
        Ok(address)
    }

    /// The error for slots that are not those of a chunk on one of the kernel's devices.
    pub(in crate::group::launch) fn stores(&self, argument: &'static str) -> Error {
        if self.kernel.is_of_sets() {
            return self.wrong(argument, "has a value for each pair, and each device visits some of the pairs: use `devices.packed_sets(&sets)`, or with two `Sets` `devices.matrix_sets(&rows, &columns)`".to_owned());
        }
        let (device, [.., shared]) = (&self.kernel.device, &OTHERS);
        let shared = shared.divided.filter(|_| device.is_part());
        let why = shared.or(self.kernel.refused().divided).unwrap_or_default();
        let devices = device.name();
        self.wrong(argument, format!("cannot be shared by {devices}, because {why}"))
    }
}

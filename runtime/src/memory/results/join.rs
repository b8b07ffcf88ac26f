//! What joins states of a user's type: a function of a kernel, since only its prelude can join them.

use std::ffi::c_void;
use std::sync::Arc;

use crate::backend::view::{Byte, ViewMut};
use crate::backend::{Backend, Loaded, pointer};
use crate::memory::Memory;
use crate::types::info::MERGE_BLOCK;
use crate::{DeviceType, Error, Result, Target};

/// Joins the states of several devices, on one of them.
#[derive(Clone)]
pub(crate) struct Join {
    /// The function, on this device.
    pub(crate) code: Arc<dyn Loaded>,
    pub(crate) device: Target,
    /// Whether it is one of the CPU's loops.
    pub(crate) is_loops: bool,
    /// Whether there is one state of all pairs, instead of one for each element.
    pub(crate) is_of_all: bool,
}

impl Join {
    /// The states of all devices, joined in the order of the devices.
    pub(super) fn joined<S: DeviceType>(&self, states: &Memory<S>, start: S) -> Result<Vec<S>> {
        let backend = self.device.backend();
        let count = states.len();
        if self.is_of_all {
            let mut parts = Memory::upload(backend, &states.download_all()?)?;
            let mut total = Memory::upload(backend, &[start])?;
            let start = pointer(&start);
            // SAFETY: these are the parameters of the function for the state of all pairs: it joins the first ones to the total.
            unsafe { self.launch(1, parts.len(), &mut parts, &mut total, &[start]) }?;
            return total.download();
        }
        let mut joined = Memory::upload(backend, &states.download_of_device(0, 0..count)?)?;
        for device in 1..states.devices() {
            let others = states.download_of_device(device, 0..count)?;
            let mut others = Memory::upload(backend, &others)?;
            let blocks = count.div_ceil(MERGE_BLOCK.iter().product::<u32>() as usize);
            // SAFETY: these are the parameters of the function for states of elements, of which there are as many in both.
            unsafe { self.launch(blocks, count, &mut others, &mut joined, &[]) }?;
        }
        joined.download()
    }

    /// Launches the function, whose parameters are the number of states, two addresses and these.
    ///
    /// # Safety
    ///
    /// They are, and with them the function uses only this memory.
    unsafe fn launch<S: DeviceType>(
        &self,
        blocks: usize,
        count: usize,
        others: &mut Memory<S>,
        joined: &mut Memory<S>,
        more: &[*mut c_void],
    ) -> Result<()> {
        let backend = self.device.backend();
        let stream = backend.stream();
        let block = if self.is_loops { [1, 1] } else { MERGE_BLOCK };
        let raw = stream.map(|stream| &**stream);
        // SAFETY: only a kernel writes to the bytes, and what it writes are values.
        let accesses = unsafe { [others.untyped_mut(), joined.untyped_mut()] };
        let accesses = accesses.map(|view| view.access(raw, None));
        let [Some(others), Some(joined)] = accesses else {
            return Err(Error::other("memory of one device is not on it"));
        };
        // Elements and devices are counted in 32 bits.
        let [blocks, count] = [blocks, count].map(|count| count as u32);
        let own = [pointer(&count), pointer(&others.address), pointer(&joined.address)];
        let mut parameters = [&own, more].concat();
        // SAFETY: the caller's promise.
        unsafe { self.code.launch(stream, [blocks, 1], block, &mut parameters) }?;
        others.record(raw)?;
        joined.record(raw)
    }
}

/// The states that the blocks of a launch store. Between launches all are the start.
pub(crate) struct PartStates<S: DeviceType> {
    memory: Memory<S>,
    start: S,
}

impl<S: DeviceType> PartStates<S> {
    /// No states. The first launch makes room for them.
    pub(super) const fn new(start: S) -> Self {
        PartStates { memory: Memory::empty(), start }
    }

    /// Resets all states, after a launch that may have failed.
    pub(super) fn clear(&mut self) -> Result<()> {
        self.memory.fill(self.start)
    }
}

/// The same for every type of states.
pub(crate) trait Parts {
    /// Memory for at least so many states.
    fn make_room(&mut self, backend: &dyn Backend, count: usize) -> Result<ViewMut<'_, Byte>>;
}

impl<S: DeviceType> Parts for PartStates<S> {
    fn make_room(&mut self, backend: &dyn Backend, count: usize) -> Result<ViewMut<'_, Byte>> {
        if self.memory.len() < count {
            self.memory = Memory::empty();
            self.memory = Memory::filled(backend, count, self.start)?;
        }
        // SAFETY: only a kernel writes to the bytes, and what it writes are values.
        Ok(unsafe { self.memory.untyped_mut() })
    }
}

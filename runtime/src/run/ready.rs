//! What a launch on a device needs: addresses, values, and what the plan adds to them.

use std::sync::Arc;

use cudarc::driver::CudaStream;
use smallvec::SmallVec;

use super::Value;
use crate::backend::order::Access;
use crate::backend::view::{Byte, MemorySpace, View, ViewMut};
use crate::memory::Memory;
use crate::memory::features::operands::Operands;
use crate::memory::orders::Orders;
use crate::plan::Plan;
use crate::types::info::KernelInfo;
use crate::{Error, Result, Target};

/// A kernel on one of the devices that it was loaded for.
#[derive(Clone, Copy)]
pub(crate) struct On<'a> {
    pub(crate) info: &'static KernelInfo,
    /// The target that it was loaded for.
    pub(crate) target: &'a Target,
    pub(crate) device: &'a Target,
    /// The index of this device.
    pub(crate) at: usize,
    /// The stream of its launches there.
    pub(crate) stream: Option<&'a Arc<CudaStream>>,
}

impl<'a> On<'a> {
    /// The address of elements that the kernel reads.
    pub(crate) fn read<'b>(self, argument: &'static str, view: View<'b, Byte>) -> Result<Access<'b>>
    where
        'a: 'b,
    {
        let foreign = self.join(argument, &view.space())?;
        self.expect(view.access(self.raw_stream(), foreign))
    }

    /// The address of elements that the kernel writes.
    pub(crate) fn write<'b>(
        self,
        argument: &'static str,
        view: ViewMut<'b, Byte>,
    ) -> Result<Access<'b>>
    where
        'a: 'b,
    {
        let foreign = self.join(argument, &view.space())?;
        self.expect(view.access(self.raw_stream(), foreign))
    }

    /// The address of the device's own words, for the next launch.
    pub(crate) fn own<'b>(self, words: &'b mut Memory<u32>) -> Result<Access<'b>>
    where
        'a: 'b,
    {
        let foreign = self.device.backend().join(self.raw_stream(), &words.view().space())?;
        // SAFETY: only a kernel writes to the bytes, and what it writes are values.
        self.expect(unsafe { words.untyped_mut() }.access(self.raw_stream(), foreign))
    }

    /// Makes later uses of the memory wait for the launch.
    pub(crate) fn record(self, access: &Access<'_>) -> Result<()> {
        access.record(self.raw_stream())
    }

    /// Checks that the kernel can use this memory. If cudarc does not order the launch after the memory's stream, makes the
    /// launch wait for that stream, and returns it.
    pub(crate) fn join(
        self,
        argument: &'static str,
        space: &MemorySpace<'_>,
    ) -> Result<Option<Arc<CudaStream>>> {
        if !self.device.backend().owns(space) {
            return Err(self.target.elsewhere(self.info.name, argument, &space.to_string()));
        }
        self.device.backend().join(self.raw_stream(), space)
    }

    fn raw_stream(self) -> Option<&'a CudaStream> {
        self.stream.map(|stream| &**stream)
    }

    /// The access. An error if it is `None`, which means GPU memory without a stream of the kernel.
    fn expect(self, access: Option<Access<'_>>) -> Result<Access<'_>> {
        access.ok_or_else(|| Error::wrong_stream(self.info.name, self.device.name()))
    }
}

/// The features that tensor cores multiply.
#[derive(Clone, Copy)]
pub(crate) struct FoldedFeatures<'a> {
    /// The indices of the values with the addresses of the features of rows and of columns, and their operands.
    pub(crate) values: [(usize, &'a Operands); 2],
    /// Features per element, and the bytes of each.
    pub(crate) width: u32,
    pub(crate) size: u32,
}

/// What joins the states that the blocks of a launch have stored.
#[derive(Clone, Copy)]
pub(crate) struct JoinOfBlocks {
    /// The index of the plan's function.
    pub(crate) join: usize,
    /// The addresses of the blocks' states, and of the state of all pairs.
    pub(crate) parts: u64,
    pub(crate) total: u64,
    /// The state that all begin as.
    pub(crate) start: Value,
}

/// A launch on one device, with everything it needs.
pub(crate) struct Ready<'a> {
    pub(crate) on: On<'a>,
    pub(crate) plan: &'a Plan,
    /// The user's arguments.
    pub(crate) values: SmallVec<[Value; 8]>,
    /// The features of the pairs' elements, if they have some.
    pub(crate) features: Option<FoldedFeatures<'a>>,
    /// The kernel's first parameters, and the slot that the outputs begin with, if the code takes it.
    pub(super) counts: SmallVec<[u32; 4]>,
    pub(super) first_slot: Option<u64>,
    /// The map's table, if there is one, and its address. It is written only once, so reads of it are not recorded.
    pub(super) table: Option<(Arc<Memory<u32>>, u64)>,
    /// What joins the states of the launch's blocks after the kernel.
    pub(crate) joins: SmallVec<[JoinOfBlocks; 1]>,
    /// Where the orders of elements are kept, with the indices of their sets.
    pub(crate) orders: &'a [(usize, &'a Orders)],
}

impl<'a> Ready<'a> {
    /// Adds what the plan's code needs besides the user's arguments, and checks that it was compiled for these.
    pub(crate) fn new(
        on: On<'a>,
        plan: &'a Plan,
        values: SmallVec<[Value; 8]>,
        features: Option<FoldedFeatures<'a>>,
        first_slot: u64,
    ) -> Result<Ready<'a>> {
        let info = on.info;
        let users = || values.iter().map(Value::size);
        let size = features.map(|features| features.size);
        let passed = || plan.sizes(info).chain(users()).chain(plan.last_sizes(size));
        if let Some(compiled) = plan.code.parameters(passed().count())
            && !passed().eq(compiled.iter().copied())
        {
            let passed: Vec<_> = passed().collect();
            let problem = format!(
                "it was compiled with parameters of {compiled:?} bytes, but a launch passes {passed:?}"
            );
            return Err(Error::version(&problem).of_kernel(info.name));
        }
        let with_address = |table: Arc<Memory<u32>>| -> Result<_> {
            let address = on.read("table", table.view().untyped())?.address;
            Ok((table, address))
        };
        let table = plan.table(on.device)?.map(with_address).transpose()?;
        let first_slot = plan.takes_first_slot(info).then_some(first_slot);
        let (counts, joins, orders) = (plan.counts(), SmallVec::new(), &[][..]);
        Ok(Ready { on, plan, values, features, counts, first_slot, table, joins, orders })
    }
}

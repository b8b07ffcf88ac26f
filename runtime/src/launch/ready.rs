//! What is ready for a launch on a device, and how its code gets that.

use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;

use smallvec::SmallVec;

use super::{On, Value};
use crate::backend::Loaded;
use crate::backend::order::Access;
use crate::kernel::plan::{Plan, Step};
use crate::memory::Memory;
use crate::{Error, Result};

/// The features that tensor cores multiply.
#[derive(Clone, Copy)]
pub(crate) struct Products {
    /// The indices of the values that are the addresses of features of rows and of columns.
    pub(crate) values: [usize; 2],
    /// How many an element has.
    pub(crate) width: u32,
}

/// A launch on one device, with all that it needs.
pub(crate) struct Ready<'a> {
    pub(crate) on: On<'a>,
    pub(crate) plan: &'a Plan,
    /// The user's arguments.
    pub(crate) values: SmallVec<[Value; 8]>,
    /// The features of the pairs' elements, where these have some.
    pub(crate) features: Option<Products>,
    /// The kernel's first parameters, and the slot that the outputs begin with, where the code takes it.
    counts: SmallVec<[u32; 4]>,
    first_slot: Option<u64>,
    /// The map's table, where there is one, and its address. It is never written again, so reads of it are not recorded.
    table: Option<(Arc<Memory<u32>>, u64)>,
}

impl<'a> Ready<'a> {
    /// Gets ready what the plan's code needs beside the user's arguments, and checks that it was compiled for these.
    pub(crate) fn new(
        on: On<'a>,
        plan: &'a Plan,
        values: SmallVec<[Value; 8]>,
        features: Option<Products>,
        first_slot: u64,
    ) -> Result<Ready<'a>> {
        let info = on.kernel.info;
        let users = || values.iter().map(Value::size);
        let passed = || plan.sizes(info).chain(users()).chain(plan.last_sizes());
        if let Some(compiled) = plan.code.parameters(passed().count())
            && !passed().eq(compiled.iter().copied())
        {
            let passed: Vec<_> = passed().collect();
            let problem = format!(
                "it was compiled with parameters of {compiled:?} bytes, but a launch passes {passed:?}"
            );
            return Err(Error::version(&problem).of_kernel(info.name));
        }
        let table = match plan.table(on.device)? {
            Some(table) => {
                let address = on.read("table", table.view().untyped())?.address;
                Some((table, address))
            }
            None => None,
        };
        let first_slot = plan.takes_first_slot(info).then_some(first_slot);
        Ok(Ready { on, plan, values, features, counts: plan.counts(), first_slot, table })
    }

    /// Launches one grid.
    ///
    /// # Safety
    ///
    /// The contract of [`run`](Ready::run), and the step is one of the plan's map, for the plan's elements.
    pub(super) unsafe fn run_step(&self, step: &Step) -> Result<()> {
        let blocks = [step.grid, self.plan.block()];
        // SAFETY: the caller's promise.
        unsafe { self.run_code(&*self.plan.code, blocks, &step.numbers, &[]) }
    }

    /// Launches this code: with a grid and blocks, numbers of the map, and addresses after the user's values.
    ///
    /// # Safety
    ///
    /// The contract of [`run`](Ready::run) for this code, whose parameters are the kernel's with these numbers and addresses.
    pub(super) unsafe fn run_code(
        &self,
        code: &dyn Loaded,
        [grid, block]: [[u32; 2]; 2],
        numbers: &[u32],
        addresses: &[u64],
    ) -> Result<()> {
        // The kernel's parameters, in the order in which the code generator writes them: n, or rows and columns, a
        // range's rows and first slot, the map's own, the user's, those of the sweep that filters.
        let mut parameters: SmallVec<[*mut c_void; 16]> = SmallVec::new();
        parameters.extend(self.counts.iter().map(pointer));
        parameters.extend(self.first_slot.iter().map(pointer));
        parameters.extend(numbers.iter().map(pointer));
        parameters.extend(self.table.iter().map(|(_, address)| pointer(address)));
        parameters.extend(self.values.iter().map(Value::pointer));
        parameters.extend(addresses.iter().map(pointer));
        // SAFETY: `parameters` holds a pointer to a value for each parameter of the kernel, of its type: the caller
        // has promised it, and the macro can promise it because it writes both from one signature.
        unsafe { code.launch(self.on.stream, grid, block, &mut parameters) }
    }

    /// Makes later uses of the device's own words wait for what was launched.
    pub(super) fn record_all(&self, accesses: &[Access<'_>]) -> Result<()> {
        accesses.iter().try_for_each(|access| self.on.record(access))
    }
}

/// A parameter's address.
fn pointer<T>(value: &T) -> *mut c_void {
    ptr::from_ref(value).cast_mut().cast()
}

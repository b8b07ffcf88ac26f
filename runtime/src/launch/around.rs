//! What a launch needs before it runs, beside the user's arguments, and what it leaves behind.

use smallvec::SmallVec;

use super::ready::Ready;
use super::{Launch, Value};
use crate::Error;
use crate::Result;
use crate::backend::order::Access;
use crate::kernel::plan::{Plan, Plans};

impl Launch<'_> {
    /// Makes later uses of the memory wait for the launch.
    pub(super) fn record(&self) -> Result<()> {
        // Each access is recorded, even after one has failed.
        let record = |(at, access): &(usize, Access<'_>)| {
            let recorded = access.record(self.stream(*at));
            recorded.map_err(|error| self.kernel.named(*at, error))
        };
        self.accesses.iter().map(record).fold(Ok(()), Result::and)
    }

    /// Checks that the code was compiled with parameters of the sizes that a launch passes.
    pub(super) fn agree_with_code(&self, plan: &Plan) -> Result<()> {
        let users = || self.values.iter().map(Value::size);
        let passed = || plan.sizes(self.kernel.info).chain(users()).chain(plan.last_sizes());
        let Some(compiled) = plan.code.parameters(passed().count()) else { return Ok(()) };
        if passed().eq(compiled.iter().copied()) {
            return Ok(());
        }
        Err(Error::version(&format!(
            "it was compiled with parameters of {compiled:?} bytes, but a launch passes {:?}",
            passed().collect::<Vec<_>>()
        ))
        .of_kernel(self.kernel.info.name))
    }

    /// What the launches of each device need beside the user's arguments.
    pub(super) fn ready<'b>(
        &self,
        plans: &'b Plans,
        first_slot: u64,
    ) -> Result<SmallVec<[Ready<'b>; 1]>> {
        let info = self.kernel.info;
        let mut ready = SmallVec::new();
        for (at, plan) in &plans.parts {
            let table = plan.table(&self.kernel.devices()[*at]);
            let table = table.map_err(|error| self.kernel.named(*at, error))?;
            // A table is never written again, so reads of it need not be recorded.
            let address = match &table {
                Some(table) => Some(self.access(*at, "table", table.view().untyped())?.address),
                None => None,
            };
            let first_slot = plan.takes_first_slot(info).then_some(first_slot);
            let counts = plan.counts();
            let (at, features) = (*at, self.products());
            ready.push(Ready { at, plan, counts, first_slot, address, features, _table: table });
        }
        Ok(ready)
    }
}

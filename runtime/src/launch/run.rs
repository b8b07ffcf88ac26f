//! Runs a launch whose arguments have been collected.

use smallvec::SmallVec;

use super::nearest::ONLY;
use super::parts::{self, Ready};
use super::sizes::Work;
use super::{Launch, Value};
use crate::Result;
use crate::error::Cause;
use crate::order::Access;
use crate::plan::{Plan, Plans};

impl Launch<'_> {
    /// Checks what can be checked only now, and launches.
    ///
    /// # Safety
    ///
    /// Every parameter of the kernel has been given, in order, by the method of its kind and with its type: a kernel
    /// interprets what it is passed by its own signature alone.
    pub unsafe fn run(mut self) -> Result<()> {
        let work = match self.kernel.info.is_rectangle {
            true => self.work_of_rectangle(),
            false => self.work(),
        };
        let Work { extent, is_any, first_slot } = work?;
        #[cfg(feature = "testing")]
        if let Some(observer) = &self.kernel.device.observer {
            observer.launched(self.kernel.info, extent.rows.is_some(), self.written.clone());
        }
        if !is_any {
            return Ok(());
        }
        let plans = self.kernel.plan(extent)?;
        for (_, plan) in &plans.parts {
            self.agree_with_code(plan)?;
        }
        if !self.exact.is_empty() {
            let most = plans.parts.iter().map(|(_, plan)| plan.additions());
            self.count_additions(most.fold(0, u64::saturating_add))?;
        }
        let ready = self.ready(&plans, first_slot)?;
        let near = self.near.take();
        // SAFETY: the arguments have been given as the caller promises. The memory behind their addresses is borrowed for
        // 'a, on the devices of the addresses, aligned, and as long as n needs.
        let launched = unsafe {
            match near {
                Some(near) => self.run_rounds(&ready[ONLY], near),
                None => parts::run(self.kernel, &ready, &self.values),
            }
        };
        if let Err(error) = &launched {
            let failure = error.to_string();
            self.gathered.iter().for_each(|complete| complete.failed(&failure));
        }
        // Recorded even after a failure: some of several steps may have been launched.
        launched.and(self.record())
    }

    /// Makes later uses of the memory wait for the launch.
    fn record(&self) -> Result<()> {
        // Each access is recorded, even after one has failed.
        let record = |(at, access): &(usize, Access<'_>)| {
            let recorded = access.record(self.stream(*at));
            recorded.map_err(|error| self.kernel.named(*at, error))
        };
        self.accesses.iter().map(record).fold(Ok(()), Result::and)
    }

    /// Checks that the code was compiled with parameters of the sizes that a launch passes.
    fn agree_with_code(&self, plan: &Plan) -> Result<()> {
        let passed = || plan.sizes(self.kernel.info).chain(self.values.iter().map(Value::size));
        let Some(compiled) = plan.code.parameters(passed().count()) else { return Ok(()) };
        if passed().eq(compiled.iter().copied()) {
            return Ok(());
        }
        Err(Cause::Parameters {
            kernel: self.kernel.info.name,
            compiled: compiled.to_vec(),
            passed: passed().collect(),
        }
        .into())
    }

    /// What the launches of each device need beside the user's arguments.
    fn ready<'b>(&self, plans: &'b Plans, first_slot: u64) -> Result<SmallVec<[Ready<'b>; 1]>> {
        let info = self.kernel.info;
        let mut ready = SmallVec::new();
        for (at, plan) in &plans.parts {
            let table = plan.table(&self.kernel.devices()[*at]);
            let table = table.map_err(|error| self.kernel.named(*at, error))?;
            // A table is never written again, so reads of it need not be recorded.
            let address = match &table {
                Some(table) => Some(self.access(*at, "table", table.view())?.address),
                None => None,
            };
            let first_slot = plan.takes_first_slot(info).then_some(first_slot);
            let counts = plan.counts(info);
            ready.push(Ready { at: *at, plan, counts, first_slot, address, _table: table });
        }
        Ok(ready)
    }
}

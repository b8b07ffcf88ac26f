//! A launch: collects the arguments, checks them against each other, and only then runs.

mod address;
mod arguments;
mod features;
mod nearest;
mod pace;
mod parts;
mod rectangle;
mod results;
mod sizes;
mod value;

use cudarc::driver::CudaStream;
use nearest::{Near, ONLY};
use parts::{Ready, stream};
use rectangle::Values;
use sizes::{Slots, Work};
use smallvec::SmallVec;
use value::Value;

use crate::Result;
use crate::error::Cause;
use crate::kernel::Kernel;
use crate::memory::Complete;
use crate::order::Access;
use crate::plan::{Plan, Plans};

/// The arguments of a launch, in the order of the kernel's parameters. For most kernels they fit without a heap
/// allocation: a launch takes a few microseconds, of which allocations would be a tenth.
pub struct Launch<'a> {
    kernel: &'a Kernel,
    /// n, and the argument that told it first; of a rectangle, the number of rows.
    n: Option<(usize, &'static str)>,
    /// The number of a rectangle's columns, and the argument that told it first.
    columns: Option<(usize, &'static str)>,
    values: SmallVec<[Value; 8]>,
    /// The length of the latest raw slice.
    length: usize,
    /// The width of features, and the argument that told it first.
    width: Option<(u32, &'static str)>,
    /// The packed arguments.
    packed: SmallVec<[Slots; 1]>,
    /// The matrices.
    matrices: SmallVec<[Values; 1]>,
    /// The lengths of squares, with the names of their arguments.
    squares: SmallVec<[(&'static str, usize); 1]>,
    /// How often words of exact sums have been added to, with the names of their arguments.
    exact: SmallVec<[(&'static str, &'a mut u64); 1]>,
    /// The argument for nearest neighbours.
    near: Option<Near<'a>>,
    /// The memory that the launch uses, to be recorded after it, with the index of its device.
    accesses: SmallVec<[(usize, Access<'a>); 4]>,
    /// Where a failure is noted, on several devices: each of the outputs.
    gathered: Vec<Complete>,
    /// The addresses that the kernel writes to, for the observer.
    #[cfg(feature = "testing")]
    written: Vec<u64>,
}

impl Kernel {
    /// Starts to collect the arguments of a launch.
    #[doc(hidden)]
    pub fn launch(&self) -> Launch<'_> {
        Launch::new(self)
    }
}

impl<'a> Launch<'a> {
    fn new(kernel: &'a Kernel) -> Self {
        Launch {
            kernel,
            n: None,
            columns: None,
            values: SmallVec::new(),
            length: 0,
            width: None,
            packed: SmallVec::new(),
            matrices: SmallVec::new(),
            squares: SmallVec::new(),
            exact: SmallVec::new(),
            near: None,
            accesses: SmallVec::new(),
            gathered: Vec::new(),
            #[cfg(feature = "testing")]
            written: Vec::new(),
        }
    }

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

    /// The stream that the kernel is launched on, on the device of this index.
    fn stream(&self, at: usize) -> Option<&'a CudaStream> {
        stream(self.kernel, at).map(|stream| &**stream)
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

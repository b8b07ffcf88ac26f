//! A launch on the devices of a kernel: binds the arguments, checks all of them against each other, plans each device's work,
//! and only then runs it.

pub(crate) mod bind;

mod arrays;
mod counts;
mod each;
mod exchange;
mod given;
mod kept;
mod sets;
mod states;

use std::any::Any;
use std::sync::Arc;
use std::{mem, ptr, slice};

use smallvec::SmallVec;

use self::arrays::ArraysOfLaunch;
use self::bind::{Addresses, Axis, Bind, Neighbours, States};
use self::counts::{ExtremesOfSets, KnownCount, PairSlots, Work};
use self::sets::{SetsOfLaunch, Strided};
use crate::backend::order::Access;
use crate::group::kernel::{Kernel, Plans};
use crate::memory::FirstFailure;
use crate::memory::exact::added;
use crate::memory::features::operands::Operands;
use crate::memory::orders::Orders;
use crate::memory::pair_bounds::Bounds;
use crate::memory::sets::SetLayout;
use crate::plan::extent::Extent;
use crate::run::{FoldedFeatures, Ready, Value};
use crate::types::info::KernelInfo;
use crate::{Error, Result};

/// The arguments of a launch, in the order of the kernel's parameters. For most kernels they fit without a heap allocation: a
/// launch takes a few microseconds, and allocations would add a tenth.
pub struct Launch<'a> {
    pub(crate) kernel: &'a Kernel,
    /// n, or a rectangle's number of rows, and the first argument that has it.
    pub(crate) n: KnownCount,
    /// A rectangle's number of columns, and the first argument that has it.
    pub(crate) columns: KnownCount,
    /// Whether one of the arguments so far is an output.
    pub(crate) has_outputs: bool,
    bound: SmallVec<[Bound; 8]>,
    /// The indices in `bound` of scalars that are numbers or arrays of numbers, with their names.
    numbers: SmallVec<[(usize, &'static str); 4]>,
    /// The length of the latest raw slice.
    length: usize,
    /// The width of features, and the first argument that has it.
    width: Option<(u32, &'static str)>,
    /// The indices of the first arguments that are features, for rows and for columns, with their operands.
    features: [Option<(usize, &'a Operands)>; 2],
    /// The bytes of a feature, which are the same for all of a kernel.
    feature_size: u32,
    /// The sets, if the argument for the elements is `Sets`.
    sets: Option<SetsOfLaunch>,
    /// The `Sets` of rows or of columns, until the other one is known.
    sets_of_one: Option<&'a SetLayout>,
    /// The arrays whose width is known at run time.
    arrays: Option<ArraysOfLaunch>,
    set_extremes: SmallVec<[ExtremesOfSets; 1]>,
    /// With sets: the addresses that depend on the set.
    strides: SmallVec<[Strided; 4]>,
    slots: SmallVec<[PairSlots; 1]>,
    /// The lengths of squares, with the names of their arguments.
    squares: SmallVec<[(&'static str, usize); 1]>,
    /// How often each exact sum has been added to, with the names of their arguments.
    exact: SmallVec<[(&'static str, &'a mut u64); 1]>,
    /// The only one of several devices to run it, because the slots of a chunk are there.
    only: Option<usize>,
    /// The argument for nearest neighbours.
    near: Option<Neighbours<'a>>,
    /// The number of neighbours that the kernel is compiled for, if it is not a constant of the kernel.
    compiled_for: Option<u32>,
    /// The arguments with states, in the order of the kernel's functions that join them.
    states: SmallVec<[States<'a>; 1]>,
    /// Where the orders of elements are kept, with the indices of their sets.
    orders: SmallVec<[(usize, &'a Orders); 2]>,
    /// The memory that the launch uses, with the index of its device. Its use is recorded after the launch.
    accesses: SmallVec<[(usize, Access<'a>); 4]>,
    /// For each list, the bounds of the pairs that launches may have pushed.
    lists: SmallVec<[&'a mut Bounds; 1]>,
    /// Where a failure on several devices is recorded: one for each output.
    failures: Vec<FirstFailure>,
    /// The addresses that the kernel writes to, for the observer.
    #[cfg(feature = "testing")]
    written: Vec<u64>,
}

/// An argument, or a part of one, that becomes a parameter's value on each device.
enum Bound {
    Value(Value),
    /// An address on each of several devices.
    Words(Box<[u64]>),
    /// A value owned by the argument, kept until the launch is over.
    Owned(Box<dyn Any>),
}

impl Bound {
    /// Addresses, one for each device.
    fn addresses(all: &[u64]) -> Bound {
        match all {
            [one] => Bound::Value(Value::Word(*one)),
            all => Bound::Words(all.into()),
        }
    }

    /// The value on the device of this index.
    fn on(&self, at: usize) -> Value {
        match self {
            Bound::Value(value) => *value,
            Bound::Words(words) => Value::Word(words[at]),
            Bound::Owned(value) => {
                Value::Borrowed(ptr::from_ref::<dyn Any>(&**value).cast(), size_of_val(&**value))
            }
        }
    }
}

impl Kernel {
    /// Starts to collect the arguments of a launch.
    #[doc(hidden)]
    pub fn launch(&self) -> Launch<'_> {
        Launch::new(self)
    }

    /// The same for the generated type that `info` describes. The type holds its kernel in a private field, which safe code of
    /// the same module can replace by another kernel with other parameters; that is an error.
    #[doc(hidden)]
    pub fn launch_of(&self, info: &'static KernelInfo) -> Result<Launch<'_>> {
        if ptr::eq(self.info, info) {
            return Ok(self.launch());
        }
        let (own, name) = (self.info.name, info.name);
        let problem = format!("it holds another kernel, `{own}`: load it with `{name}::load`");
        Err(Error::arguments(problem).of_kernel(name))
    }
}

impl<'a> Launch<'a> {
    fn new(kernel: &'a Kernel) -> Self {
        Launch {
            kernel,
            n: None,
            columns: None,
            has_outputs: false,
            bound: SmallVec::new(),
            numbers: SmallVec::new(),
            length: 0,
            width: None,
            features: [None; 2],
            feature_size: 0,
            sets: None,
            sets_of_one: None,
            arrays: None,
            set_extremes: SmallVec::new(),
            strides: SmallVec::new(),
            slots: SmallVec::new(),
            squares: SmallVec::new(),
            exact: SmallVec::new(),
            only: None,
            near: None,
            compiled_for: None,
            states: SmallVec::new(),
            orders: SmallVec::new(),
            accesses: SmallVec::new(),
            lists: SmallVec::new(),
            failures: Vec::new(),
            #[cfg(feature = "testing")]
            written: Vec::new(),
        }
    }

    /// The bytes of the scalars that are numbers or arrays of numbers, as far as their names are `used`. A struct may have padding,
    /// which has no value.
    pub(crate) fn number_bytes(&self, used: impl Fn(&str) -> bool) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (at, _) in self.numbers.iter().filter(|(_, name)| used(name)) {
            if let Bound::Value(Value::Borrowed(value, size)) = self.bound[*at] {
                // SAFETY: the launch borrows the scalar, of this size. It is a number or an array of numbers, without padding.
                bytes.extend(unsafe { slice::from_raw_parts(value.cast::<u8>(), size) });
            }
        }
        bytes
    }

    /// Takes the kernel's next argument, by its name.
    pub fn bind(&mut self, axis: Axis, name: &'static str, argument: impl Bind<'a>) -> Result<()> {
        argument.bind(self, axis, name)
    }

    /// Passes the length of the latest raw slice, if the body uses it.
    pub fn length(&mut self) {
        self.push(Value::Word(self.length as u64));
    }

    /// Passes the width of the latest features.
    pub fn width(&mut self) -> Result<()> {
        let Some((width, _)) = self.width else {
            let unknown = Error::other("no argument gives the number of features");
            return Err(unknown.of_kernel(self.kernel.info.name));
        };
        self.push(Value::Number(width));
        Ok(())
    }

    /// The same, for a kernel whose products of features could overflow with more than `most` features.
    pub fn width_up_to(&mut self, most: u32) -> Result<()> {
        if let Some((width, name)) = self.width.filter(|(width, _)| *width > most) {
            let problem = format!(
                "has {width} features for each element, but their product could overflow an `i32` with more than {most}: split the features, and add up the products as `i64`"
            );
            return Err(self.wrong(name, problem));
        }
        self.width()
    }

    fn push(&mut self, value: Value) {
        self.bound.push(Bound::Value(value));
    }

    /// Finishes the checks, plans, and launches.
    ///
    /// # Safety
    ///
    /// Every parameter of the kernel has been bound, in order, with its axis and its type: a kernel interprets its parameters
    /// by its own signature alone.
    pub unsafe fn run(mut self) -> Result<()> {
        if let Some(kept) = &self.kernel.kept {
            // SAFETY: the caller's promise.
            return unsafe { self.run_kept(kept) };
        }
        if let Some(given) = &self.kernel.given {
            // SAFETY: the caller's promise.
            return unsafe { self.run_over(given) };
        }
        let Work { extent, is_any, first_slot } = self.work()?;
        self.announce(&extent);
        if !is_any {
            return Ok(());
        }
        if let Some(arrays) = self.arrays.take() {
            // SAFETY: the caller's promise.
            return unsafe {
                self.run_blocks(&arrays, &extent, first_slot, |launch, extent| {
                    launch.kernel.plan(extent, launch.only)
                })
            };
        }
        let plans = match &self.sets {
            Some(sets) => sets.plan(self.kernel, extent)?,
            // SAFETY: the caller's promise.
            None => unsafe { self.plan(extent, first_slot) }?,
        };
        // SAFETY: the caller's promise.
        unsafe { self.run_plans(&plans, first_slot) }
    }

    /// The plans for these pairs: those for all of them, if near tiles would take more time. The first device decides for all.
    ///
    /// # Safety
    ///
    /// As above.
    unsafe fn plan(&self, extent: Extent, first_slot: u64) -> Result<Arc<Plans>> {
        let plans = self.kernel.plan(extent, self.only)?;
        let (Some(kept), Some((at, plan))) = (&plans.all_pairs, plans.parts.first()) else {
            return Ok(plans);
        };
        let is_dense = || {
            let values = self.values(0, *at, 0);
            let ready = Ready::new(self.kernel.on(*at), plan, values, None, first_slot)?;
            // SAFETY: the arguments have been bound as the caller promises.
            unsafe { ready.is_dense() }
        };
        match is_dense().map_err(|error| self.kernel.device.named(*at, error))? {
            true => self.kernel.all_pairs(&plans, kept),
            false => Ok(plans),
        }
    }

    /// Launches these plans.
    ///
    /// # Safety
    ///
    /// As above.
    unsafe fn run_plans(mut self, plans: &Plans, first_slot: u64) -> Result<()> {
        let joins = self.prepare_states(plans)?;
        let orders = mem::take(&mut self.orders);
        let mut ready = each::All::new();
        self.ready(plans, first_slot, &mut ready)?;
        for (at, ready) in &mut ready {
            ready.joins = joins.iter().map(|join| join.on(*at)).collect();
            ready.orders = &orders;
        }
        self.count_additions(plans)?;
        // SAFETY: the arguments have been bound as the caller promises. The memory behind their addresses is borrowed for 'a,
        // on the devices of the addresses, aligned, and as long as n requires. `self.bound` holds what the launch owns, and is
        // not changed or dropped before the launch is over.
        let launched = unsafe { self.start(&ready) };
        self.finish(launched)
    }

    /// Launches what is ready.
    ///
    /// # Safety
    ///
    /// As above.
    unsafe fn start(&mut self, ready: &each::All<'_>) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe {
            match self.near.take() {
                Some(near) => near.run(self.kernel, ready),
                None => each::start(self.kernel, ready),
            }
        }
    }

    /// Records how the launch ended.
    fn finish(&self, launched: Result<()>) -> Result<()> {
        if let Err(error) = &launched {
            let failure = error.to_string();
            self.failures.iter().for_each(|first| first.record(&failure));
        }
        // Recorded even after a failure: some of several steps may have been launched.
        launched.and(self.record())
    }

    /// Adds the launches of each device that has work, with its index. They are some hundred bytes each, and so are not moved more
    /// often than they have to be.
    fn ready<'b>(&self, plans: &'b Plans, first_slot: u64, all: &mut each::All<'b>) -> Result<()>
    where
        'a: 'b,
    {
        let features = match (self.features, self.width) {
            ([Some(rows), Some(columns)], Some((width, _))) => {
                Some(FoldedFeatures { values: [rows, columns], width, size: self.feature_size })
            }
            _ => None,
        };
        for (part, (at, plan)) in plans.parts.iter().enumerate() {
            let launch_numbers = [0, first_slot as usize];
            let [before, first_slot] = self.slots_of_part(part, plan).unwrap_or(launch_numbers);
            let values = self.values(part, *at, before);
            // Its slots are counted from the start of the memory.
            let first_slot = (first_slot as u64).wrapping_sub(before as u64);
            let ready = Ready::new(self.kernel.on(*at), plan, values, features, first_slot);
            all.push((*at, ready.map_err(|error| self.kernel.device.named(*at, error))?));
        }
        Ok(())
    }

    /// Makes later uses of the memory wait for the launch.
    fn record(&self) -> Result<()> {
        // Each access is recorded, even after one has failed.
        let record = |(at, access): &(usize, Access<'_>)| {
            let recorded = self.kernel.on(*at).record(access);
            recorded.map_err(|error| self.kernel.device.named(*at, error))
        };
        let recorded = self.accesses.iter().map(record).fold(Ok(()), Result::and);
        // The launch shares the tables, which another one may replace.
        let tables = self.sets.iter().flat_map(SetsOfLaunch::tables).map(|(at, table)| {
            let on = self.kernel.on(at);
            on.record(&on.read("tables", table.view().untyped())?)
        });
        tables.fold(recorded, Result::and)
    }

    /// Counts how often the launch adds to any word of its exact sums, at most. An error if a word might lose its sign.
    fn count_additions(&mut self, plans: &Plans) -> Result<()> {
        if self.exact.is_empty() {
            return Ok(());
        }
        let additions = plans.parts.iter().map(|(_, plan)| plan.additions());
        let part_additions = || additions.fold(0, u64::saturating_add);
        let most = self.sets.as_ref().map_or_else(part_additions, SetsOfLaunch::additions);
        for (argument, additions) in &mut self.exact {
            let name = self.kernel.info.name;
            **additions = added(**additions, most).map_err(|error| error.about(name, argument))?;
        }
        Ok(())
    }

    /// Takes one address per device for the kernel's next parameter.
    fn push_addresses(&mut self, addresses: &Addresses) {
        self.bound.push(Bound::addresses(addresses));
    }
}

//! A launch that keeps a list of near pairs: checks whether the list is out of date, makes a new one, and visits it.

use std::{iter, ptr};

use smallvec::SmallVec;

use super::{Bound, Launch, each};
use crate::backend::order::Access;
use crate::group::kernel::{Kept, KeptList, Plans};
use crate::memory::Memory;
use crate::memory::pair_bounds::Bounds;
use crate::plan::Plan;
use crate::plan::extent::Extent;
use crate::run::{Ready, Value};
use crate::{DeviceType, Error, GivenPairs, Result};

/// The room of a first list, in pairs for each element.
const ROOM: usize = 16;

impl<'a> Launch<'a> {
    /// Finishes the checks, makes a list if there is none or it is out of date, and launches over it.
    ///
    /// # Safety
    ///
    /// That of [`run`](Launch::run).
    pub(super) unsafe fn run_kept(self, kept: &Kept) -> Result<()> {
        let (kernel, info) = (self.kernel, self.kernel.info);
        let lists = kernel.expect_near_list()?;
        self.expect_whole()?;
        let skin = kept.skin;
        if !(0.0..f64::INFINITY).contains(&skin) {
            let problem = format!(
                "the skin of its list is {skin}, but must be finite and not below 0: write `kernel.keep(0.5)`"
            );
            return Err(Error::arguments(problem).of_kernel(info.name));
        }
        // Elements determine both counts.
        let n = self.expect_count(self.n)?;
        let columns = info.is_rectangle.then(|| self.expect_count(self.columns)).transpose()?;
        let extent = Extent::all(n, columns);
        Plan::expect_counted(info, &extent)?;
        if !extent.has_pairs(info.diagonal) {
            let none = kernel.device.given_pairs(&[])?;
            *kept.list() = None;
            // SAFETY: the caller's promise.
            return unsafe { self.run_over_own(&none) };
        }
        let skin = f64::from(float_above(skin));
        let numbers = self.number_bytes(|name| lists.numbers.contains(&name));
        let pairs = {
            let mut latest = kept.list();
            // Taken out until it is known to be right, so that no failure leaves a wrong one.
            let old = latest.take();
            // SAFETY: the caller's promise.
            let is_current = |old: &KeptList| unsafe { self.is_current(old, skin) };
            let list = match old.filter(|old| old.plans.extent == extent) {
                Some(old) if old.numbers == numbers && is_current(&old)? => old,
                old => {
                    let plans = old.map(|KeptList { plans, pairs, .. }| (plans, pairs.len()));
                    let (plans, room) = match plans {
                        Some((plans, length)) => (plans, length + length / 16),
                        None => (kernel.plan_list(lists, extent)?, n.saturating_mul(ROOM)),
                    };
                    // SAFETY: the caller's promise.
                    let pairs = unsafe { self.list(&plans, skin, room) }?;
                    KeptList { plans, pairs, numbers }
                }
            };
            latest.insert(list).pairs.clone()
        };
        // SAFETY: as above.
        unsafe { self.run_over_own(&pairs) }
    }

    /// Launches over a list that lives as long as this call.
    ///
    /// # Safety
    ///
    /// As above.
    unsafe fn run_over_own(self, pairs: &GivenPairs) -> Result<()> {
        // SAFETY: the launch, which may keep the reference, ends with this call, and nothing else does.
        let pairs: &'a GivenPairs = unsafe { &*ptr::from_ref(pairs) };
        // SAFETY: the caller's promise.
        unsafe { self.run_over(pairs) }
    }

    /// Whether no element has moved too far since the list was made. The host waits for the answer.
    ///
    /// # Safety
    ///
    /// As above.
    unsafe fn is_current(&self, list: &KeptList, skin: f64) -> Result<bool> {
        // Each device has all elements.
        let Some((at, plan)) = list.plans.parts.first() else { return Ok(false) };
        let moved = || {
            let on = self.kernel.on(*at);
            let ready = Ready::new(on, plan, self.values_of_list(*at, skin, [0; 3]), None, 0)?;
            // SAFETY: the arguments have been bound as the caller promises.
            unsafe { ready.has_moved() }
        };
        let moved = moved().map_err(|error| self.kernel.device.named(*at, error));
        // Recorded even after a failure: the function may have been launched.
        let recorded = self.record();
        moved.and_then(|moved| recorded.map(|()| !moved))
    }

    /// Lists the near pairs, of which there are about `room`. If there are more, it lists them again.
    ///
    /// # Safety
    ///
    /// As above.
    unsafe fn list(&self, plans: &Plans, skin: f64, mut room: usize) -> Result<GivenPairs> {
        let (kernel, extent) = (self.kernel, &plans.extent);
        loop {
            let mut pairs = kernel.device.pairs::<()>(room)?;
            let lists = self.own(&mut pairs.list)?;
            let counts = self.own(&mut pairs.count)?;
            let mut ready = each::All::new();
            for (at, plan) in &plans.parts {
                let own = [lists[*at].address, counts[*at].address, room as u64];
                let values = self.values_of_list(*at, skin, own);
                let one = Ready::new(kernel.on(*at), plan, values, None, 0);
                ready.push((*at, one.map_err(|error| kernel.device.named(*at, error))?));
            }
            // SAFETY: the arguments have been bound as the caller promises, and the list has this room on each device.
            let launched = unsafe { each::start(kernel, &ready) };
            // Recorded even after a failure: some of several devices may have launched.
            let own = [lists, counts];
            let each = own.iter().flat_map(|all| all.iter().enumerate());
            let recorded = each.map(|(at, access)| kernel.on(at).record(access));
            let recorded = recorded.chain(iter::once(self.record())).fold(Ok(()), Result::and);
            launched.and(recorded)?;
            drop(own);
            let count = usize::try_from(pairs.count()?).unwrap_or(usize::MAX);
            if count <= room {
                pairs
                    .bounds
                    .join(&Bounds::launch_bounds(&super::given::elements(kernel.info, extent)));
                return kernel.device.given_pairs(pairs);
            }
            room = count;
        }
    }

    /// The values of a source that lists pairs: the user's, the skin, and the address of the list, that of its count, and its room.
    fn values_of_list(&self, at: usize, skin: f64, own: [u64; 3]) -> SmallVec<[Value; 8]> {
        let own = iter::once(skin.to_bits()).chain(own).map(Value::Word);
        self.bound.iter().map(|bound: &Bound| bound.on(at)).chain(own).collect()
    }

    /// The launch's own memory on each device, to write to.
    fn own<'b, T: DeviceType>(&self, memory: &'b mut Memory<T>) -> Result<SmallVec<[Access<'b>; 1]>>
    where
        'a: 'b,
    {
        let kernel = self.kernel;
        // SAFETY: only a kernel writes to the bytes, and what it writes are values.
        let views = unsafe { memory.view_mut().untyped() }.on_each(kernel.devices().len());
        let views =
            views.map_err(|found| kernel.device.elsewhere(kernel.info.name, "list", &found))?;
        let write = |(at, view)| kernel.on(at).write("list", view);
        views.into_iter().enumerate().map(write).collect()
    }
}

/// The least float that is not below this number.
fn float_above(number: f64) -> f32 {
    let near = number as f32;
    if f64::from(near) < number { near.next_up() } else { near }
}

//! Divides a launch among the devices of a kernel.

use super::Kernel;
use crate::plan::Plan;
use crate::plan::extent::Extent;
use crate::run::On;
use crate::types::info::{Loops, Variant};
use crate::{ErrorKind, Result, Target, host};
use std::sync::{Arc, OnceLock};
use td_kernel_geometry::{Rounds, Sweep, part_rows};

impl Target {
    /// Describes, for each device, what decides which pairs it visits. Processes that share launches compare these
    /// descriptions.
    #[doc(hidden)]
    pub fn partition_key(&self) -> String {
        let facts = self.devices().iter().map(|device| {
            let backend = device.backend();
            let count = backend.multiprocessors();
            match (backend.is_cpu(), backend.runs_loops()) {
                // The compiler makes no difference to the pairs.
                (true, true) => format!("a CPU with {count} cores"),
                (true, false) => format!("a CPU with {count} cores that runs the GPU source"),
                (false, _) => format!("{} with {count} multiprocessors", device.name()),
            }
        });
        facts.collect::<Vec<_>>().join(" and ")
    }
}

/// What a launch runs.
#[derive(Clone, Copy)]
pub(super) struct Chosen {
    pub(super) variant: &'static Variant,
    /// Whether the CPU's loops visit all pairs instead of near tiles.
    pub(super) are_all: bool,
}

/// What each device does in a launch.
pub(crate) struct Plans {
    /// The pairs that all devices visit together.
    pub(crate) extent: Extent,
    /// The only device that visits them, if they are not divided.
    pub(crate) only: Option<usize>,
    /// The variant chosen for them.
    pub(crate) variant: &'static Variant,
    /// The indices of devices that have work, and their plans.
    pub(crate) parts: Vec<(usize, Plan)>,
    /// If each launch chooses between these plans, for near tiles, and those for all pairs: the latter, once a launch needs them.
    pub(crate) all_pairs: Option<OnceLock<Arc<Plans>>>,
}

impl Kernel {
    /// The kernel on the device of this index. With several devices, it is launched on the device's own stream.
    pub(crate) fn on(&self, at: usize) -> On<'_> {
        let device = &self.devices()[at];
        let stream = match self.device.is_several() {
            true => device.backend().stream(),
            false => self.stream.as_ref(),
        };
        On { info: self.info, target: &self.device, device, at, stream }
    }

    /// The devices of a launch.
    pub(crate) fn devices(&self) -> &[Target] {
        self.device.devices()
    }

    /// Whether a launch visits ranges of rows: it is for some rows, or is divided by rows. Searches for nearest neighbours are
    /// divided by rounds instead.
    pub(super) fn visits_rows(&self) -> bool {
        self.rows.is_some() || (self.device.is_several() && !self.info.is_nearest)
    }

    /// Whether the kernel's devices can share launches of this variant. The GPU source and loops divide near tiles into different
    /// blocks.
    pub(super) fn can_share(&self, variant: &Variant) -> bool {
        let runs_loops = |device: &Target| self.loops_on(device).is_some();
        variant.tiling.sweep != Sweep::Near || !self.devices().iter().any(runs_loops)
    }

    /// Whether a launch for all of these pairs searches for nearest neighbours in near tiles, which needs no rounds.
    pub(crate) fn searches_near(&self, n: usize, columns: Option<usize>) -> Result<bool> {
        // A later argument may set the number of columns. Queues are then made, and may be unnecessary.
        if self.info.near.is_none() || self.info.is_rectangle != columns.is_some() {
            return Ok(false);
        }
        let variant = self.choose(&Extent::all(n, columns), None)?;
        Ok(variant.tiling.sweep == Sweep::Near)
    }

    /// Checks that several devices can share the kernel's launches.
    pub(super) fn expect_shares(&self) -> Result<()> {
        let why = self.info.refused.devices.filter(|_| self.device.is_several());
        self.expect(&format!("be shared by {}", self.device.name()), why)
    }

    /// Compiles what most launches run: the plain loops, or the first variant.
    pub(super) fn compile_first(&self) -> Result<()> {
        // Many sets are shared by runs of pairs or by tiles, not by ranges of rows.
        let visits_rows = self.visits_rows() && !self.is_of_sets();
        let first = self.info.variants.iter().find(|each| each.has_rows || !visits_rows);
        let all = (0..self.devices().len()).map(|at| (at, ())).collect();
        self.on_each(all, |device, ()| match (self.loops_on(device), first) {
            (Some(loops), _) => device.loaded_loops(self.info, loops, None).map(drop),
            (None, Some(first)) => device.loaded(self.info, first, false, None).map(drop),
            (None, None) => Ok(()),
        })
        .map(drop)
    }

    /// The plain loops that launches run on this device instead of a variant's source: if it runs loops and no variant is
    /// pinned. For nearest neighbours, loops have other parameters than the GPU source, and other pairs per device, so either
    /// all devices run loops or none.
    pub(crate) fn loops_on(&self, device: &Target) -> Option<&'static Loops> {
        let device = if self.info.is_nearest { &self.device } else { device };
        let runs_loops = self.pinned.is_none() && device.backend().runs_loops();
        runs_loops.then_some(&self.info.loops)
    }

    /// Plans each device's work for these pairs, with the chosen variant. If `only` is given, that device does all of it.
    pub(super) fn share(
        &self,
        extent: Extent,
        only: Option<usize>,
        chosen: Chosen,
    ) -> Result<Plans> {
        let visits_near = self.visits_near(&chosen);
        if self.device.is_several() && visits_near && only.is_none() {
            return self.share_near(extent, chosen);
        }
        if self.device.is_several() && self.info.is_nearest && self.loops().is_none() {
            return self.share_rounds(extent, chosen.variant);
        }
        let rows = u32::try_from(extent.rows().len()).unwrap_or(u32::MAX);
        let (height, side) = (part_rows(rows), chosen.variant.tiling.side);
        let [before, count] = self.device.backend().place();
        let is_shared = only.is_none() && self.device.is_several();
        // What this cuts by is in `partition_key`: processes that cut alike visit each pair once.
        let parts = match (is_shared, self.loops()) {
            (false, _) => vec![extent.clone()],
            // Tiles and the parts of cores stay whole, so partial sums do not depend on the number of devices.
            (true, Some(_)) => extent.parts(count, extent.rows().start, height),
            (true, None) => extent.parts(count, 0, side),
        };
        let before = if is_shared { before } else { 0 };
        let parts = parts.into_iter().skip(before).take(self.devices().len());
        let has_pairs = |(_, part): &(usize, Extent)| part.has_pairs(self.info.diagonal);
        let mut work: Vec<(usize, Extent)> = (only.unwrap_or(0)..).zip(parts).collect();
        // Devices of other processes may have the pairs.
        if work.iter().any(has_pairs) || extent.has_pairs(self.info.diagonal) {
            work.retain(has_pairs);
        } else {
            // There is nothing to do. A report still shows what would run.
            work.truncate(1);
        }
        let parts =
            self.on_each(work, |device, part| self.plan_on(device, chosen, part, height))?;
        Ok(Plans { extent, only, variant: chosen.variant, parts, all_pairs: None })
    }

    /// Plans each device's blocks of near tiles for these pairs. Each device sorts all elements, all in the same order. Devices
    /// without work are left out.
    fn share_near(&self, extent: Extent, chosen: Chosen) -> Result<Plans> {
        let [before, count] = self.device.backend().place();
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        let first = u32::try_from(before).unwrap_or(u32::MAX);
        let work = (0..self.devices().len()).zip(first..).collect();
        let mut parts = self.on_each(work, |device, number| {
            let mut plan = self.plan_on(device, chosen, extent.clone(), 0)?;
            if let Some(first) = self.info.variants.first()
                && self.info.is_nearest
                && plan.loops.is_none()
            {
                // A variant for near tiles has no merge, because one device does not need it.
                plan.merge = Plan::new(device, self.info, first, extent.clone())?.merge;
            }
            Ok(plan.with_blocks_of(self.info, number, count))
        })?;
        match extent.has_pairs(self.info.diagonal) {
            true => parts.retain(|(_, plan)| !plan.steps.is_empty()),
            // There is nothing to do. A report still shows what would run.
            false => parts.truncate(1),
        }
        Ok(Plans { extent, only: None, variant: chosen.variant, parts, all_pairs: None })
    }

    /// Plans each device's rounds for these pairs. Devices without work are left out.
    fn share_rounds(&self, extent: Extent, chosen: &'static Variant) -> Result<Plans> {
        let shape = extent.shape(chosen, self.info.diagonal);
        // A list of more devices does not fit into memory.
        let [before, count] = self.device.backend().place();
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        let shares = Rounds.shares(&shape, count).into_iter().skip(before);
        let shares = shares.take(self.devices().len()).enumerate();
        let work = shares.filter(|(_, share)| !share.is_empty()).collect();
        let parts = self.on_each(work, |device, share| {
            let plan = Plan::new(device, self.info, chosen, extent.clone())?;
            Ok(plan.with_share(&shape, share))
        })?;
        Ok(Plans { extent, only: None, variant: chosen, parts, all_pairs: None })
    }

    /// A plan of the chosen variant for these pairs, or of another variant whose map supports this many elements.
    fn plan_on(
        &self,
        device: &Target,
        chosen: Chosen,
        extent: Extent,
        height: u32,
    ) -> Result<Plan> {
        let Chosen { variant: chosen, are_all } = chosen;
        if let Some(loops) = self.loops_on(device) {
            let all = self.info.near.as_ref().and_then(|near| near.all_pairs.as_ref());
            let list = self.info.list().ok().filter(|_| self.info.lists(chosen));
            let own = list.map(|list| &list.loops).or(all.filter(|_| are_all));
            let loops = own.unwrap_or(loops);
            return Plan::loops(device, self.info, chosen, loops, extent, height);
        }
        match Plan::new(device, self.info, chosen, extent.clone()) {
            Err(error) if error.kind() == ErrorKind::MapLimitExceeded && self.pinned.is_none() => {
                let others = self
                    .info
                    .variants
                    .iter()
                    .filter(|other| other.tiling == chosen.tiling && other.map != chosen.map);
                let mut plans =
                    others.map(|other| Plan::new(device, self.info, other, extent.clone()));
                plans.find_map(Result::ok).ok_or(error)
            }
            plan => plan,
        }
    }

    /// Runs `work` for items, each with the index of its device. Different devices run at the same time, because each may have
    /// to compile; the items of one device run in order, and after the first one everything is compiled. The first error names
    /// its device.
    pub(super) fn on_each<T: Send, R: Send>(
        &self,
        mut items: Vec<(usize, T)>,
        work: impl Fn(&Target, T) -> Result<R> + Sync,
    ) -> Result<Vec<(usize, R)>> {
        let devices = self.devices();
        let one = |(at, item)| {
            let done = work(&devices[at], item);
            done.map(|result| (at, result)).map_err(|error| self.device.named(at, error))
        };
        let is_first = |at: usize| !devices[..at].iter().any(|before| before.is_same(&devices[at]));
        let firsts: Vec<(usize, T)> = items.extract_if(.., |(at, _)| is_first(*at)).collect();
        let mut results = host::map_concurrently(firsts, one);
        results.extend(items.into_iter().map(one));
        let mut results = results.into_iter().collect::<Result<Vec<_>>>()?;
        results.sort_by_key(|(at, _)| *at);
        Ok(results)
    }
}

//! Plans launches of kernels over many sets.

use std::ops::Range;
use std::sync::Arc;

use td_kernel_geometry::sets::rows::row_shares;
use td_kernel_geometry::sets::tiles::TiledSets;
use td_kernel_geometry::sets::{LARGE, LargeSet, SetShare, shares};

use super::{Kernel, Plans};
use crate::memory::sets::LARGE_IN_LOOPS;
use crate::plan::extent::Extent;
use crate::plan::{OverSets, Plan, choose};
use crate::types::info::Variant;
use crate::{Error, Result, Target};

/// A part of a launch, on one device.
#[derive(Clone)]
pub(crate) enum SetPart {
    /// This many runs.
    Runs(usize),
    /// These rows of the large set of this index.
    Rows(u32, Range<u32>),
}

impl SetPart {
    pub(crate) fn of(share: &SetShare) -> impl Iterator<Item = SetPart> {
        let runs = Some(share.runs.len()).filter(|runs| *runs > 0).map(SetPart::Runs);
        let large = share.large.iter().map(|(set, rows)| SetPart::Rows(*set, rows.clone()));
        runs.into_iter().chain(large)
    }
}

impl Kernel {
    /// Whether its elements are those of many sets. The first variant visits runs of pairs, and the others are for large sets; or it
    /// is the only one, and visits rows.
    pub(crate) fn is_of_sets(&self) -> bool {
        self.info.variants.first().is_some_and(Variant::is_of_sets)
    }

    /// Whether these elements have features, so that all variants visit tiles.
    pub(crate) fn is_of_set_tiles(&self) -> bool {
        self.info.variants.first().is_some_and(Variant::is_of_set_tiles)
    }

    /// The variant for sets whose tiles of each side `tiles` counts: the pinned one, or the one from the rule.
    pub(crate) fn variant_of_tiles(
        &self,
        tiles: &mut dyn FnMut(u32) -> u64,
    ) -> Result<&'static Variant> {
        let (all, backend) = (self.info.variants, self.device.backend());
        let by_rule = || choose::set_tiles(all, backend.multiprocessors(), tiles);
        let at = self.pinned.unwrap_or_else(by_rule);
        all.get(at).ok_or_else(|| self.without_variant())
    }

    /// The plan for elements with features of sets of n elements in all, with this many tiles or bands on each device.
    pub(crate) fn plan_of_set_tiles(
        &self,
        n: usize,
        variant: &'static Variant,
        tiles: impl Iterator<Item = usize>,
    ) -> Result<Arc<Plans>> {
        let parts = (0..self.devices().len()).zip(tiles).filter(|(_, tiles)| *tiles > 0);
        let plan = |device: &_, tiles| self.over_sets(device, variant).tiles([n, tiles]);
        let parts = self.on_each(parts.collect(), plan)?;
        let extent = Extent::all(n, None);
        Ok(Arc::new(Plans { extent, only: None, variant, parts, all_pairs: None }))
    }

    /// The plan for these parts of a launch over n elements in all, each on the device of its index. `elements` are those of
    /// a large set.
    pub(crate) fn plan_of_sets(
        &self,
        n: usize,
        parts: &[(usize, SetPart)],
        elements: impl Fn(u32) -> Option<Range<usize>>,
    ) -> Result<Arc<Plans>> {
        let variant = self.variant_of_runs()?;
        let plan = |at: usize, part: &SetPart| {
            let device = &self.devices()[at];
            let (set, rows) = match part {
                SetPart::Runs(runs) => return self.over_sets(device, variant).runs([n, *runs]),
                SetPart::Rows(set, rows) => (*set, rows.start as usize..rows.end as usize),
            };
            let elements = elements(set)
                .ok_or_else(|| Error::other(format!("set {set} has no elements to visit")))?;
            let extent = Extent::all(elements.len(), None);
            // Chosen by all devices, so all have the same tiles.
            let variant = self.variant_of_large(&extent)?;
            let rows = Some(rows).filter(|rows| *rows != (0..extent.n));
            Plan::new(device, self.info, variant, Extent { rows, ..extent })
        };
        let plan = |(at, part): &(usize, SetPart)| match plan(*at, part) {
            Ok(plan) => Ok((*at, plan)),
            Err(error) => Err(self.device.named(*at, error)),
        };
        let parts = parts.iter().map(plan).collect::<Result<_>>()?;
        let extent = Extent::all(n, None);
        // Making this plan takes as little time as looking for an earlier one.
        Ok(Arc::new(Plans { extent, only: None, variant, parts, all_pairs: None }))
    }

    /// The plan for the rows of sets of these elements in all. Each device has its rows, if any.
    pub(crate) fn plan_of_set_rows(
        &self,
        all: Extent,
        rows: impl Iterator<Item = Range<usize>>,
    ) -> Result<Arc<Plans>> {
        Plan::expect_counted(self.info, &all)?;
        let (variant, extent) =
            (self.variant_of_runs()?, Extent { columns: None, rows: None, ..all });
        let parts = (0..self.devices().len()).zip(rows).filter(|(_, rows)| !rows.is_empty());
        let parts = self.on_each(parts.collect(), |device, rows| {
            let extent = Extent { rows: Some(rows), ..extent.clone() };
            self.over_sets(device, variant).rows(extent)
        })?;
        Ok(Arc::new(Plans { extent, only: None, variant, parts, all_pairs: None }))
    }

    /// The plan for a single set of these elements, for reports.
    pub(super) fn plan_of_set(&self, extent: &Extent) -> Result<Arc<Plans>> {
        let (n, most) = (extent.n, u32::MAX);
        let [first, of] = self.device.backend().place();
        let (elements, count) = (n.try_into().unwrap_or(most), of.try_into().unwrap_or(most));
        if self.info.visits_set_rows() {
            let columns =
                extent.columns.map_or(elements, |columns| columns.try_into().unwrap_or(most));
            let shares = row_shares(&[[0, 0, columns, 0], [elements, 0, 0, 0]], count);
            let rows = shares.into_iter().map(|rows| rows.start as usize..rows.end as usize);
            return self.plan_of_set_rows(extent.clone(), rows.skip(first));
        }
        if self.is_of_set_tiles() {
            // Fewer than 2^32 elements, as `expect_rows` has tested.
            let end = |count: usize| [0, u32::try_from(count).unwrap_or(u32::MAX)];
            let (rows, columns) = (end(n), extent.columns.map(end));
            let set = TiledSets::new(&rows, columns.as_ref().map(|end| &end[..]));
            let variant = self.variant_of_tiles(&mut |side| set.tile_count(side))?;
            let shares = set.shares(count).into_iter().skip(first);
            let tiles = self.devices().iter().zip(shares).map(|(device, share)| {
                let tiles = match self.loops_on(device) {
                    Some(_) => share.band_count(),
                    None => share.tile_count(variant.tiling.side),
                };
                tiles as usize
            });
            return self.plan_of_set_tiles(n, variant, tiles);
        }
        let set = LargeSet { set: 0, elements, start: 0 };
        let least = if self.loops().is_some() { LARGE_IN_LOOPS } else { LARGE };
        let is_large = extent.columns.is_none() && elements >= least;
        let large = if is_large { std::slice::from_ref(&set) } else { &[] };
        let shares = shares(extent.pairs(false) as u64, large, count).into_iter();
        let own = (0..self.devices().len()).zip(shares.skip(first));
        let parts: Vec<_> = own
            .flat_map(|(at, share)| SetPart::of(&share).map(|part| (at, part)).collect::<Vec<_>>())
            .collect();
        self.plan_of_sets(n, &parts, |_| Some(0..n))
    }

    fn over_sets<'a>(&'a self, device: &'a Target, variant: &'static Variant) -> OverSets<'a> {
        OverSets { device, info: self.info, variant, loops: self.loops_on(device) }
    }

    fn variant_of_runs(&self) -> Result<&'static Variant> {
        self.info.variants.first().ok_or_else(|| self.without_variant())
    }

    /// The variant for a large set: the pinned one, or the one from the rule.
    fn variant_of_large(&self, extent: &Extent) -> Result<&'static Variant> {
        let large_variants = self.info.variants.get(1..).ok_or_else(|| self.without_variant())?;
        let backend = self.device.backend();
        let supports = |each: &Variant| backend.supports(&each.tiling);
        let by_rule =
            || choose::variant(large_variants, extent, backend.multiprocessors(), &supports);
        let pinned = self.pinned.and_then(|at| at.checked_sub(1));
        large_variants.get(pinned.unwrap_or_else(by_rule)).ok_or_else(|| self.without_variant())
    }

    fn without_variant(&self) -> Error {
        Error::version("it has no variant for its sets").of_kernel(self.info.name)
    }
}

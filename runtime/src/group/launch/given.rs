//! A launch over given pairs.

use std::sync::Arc;

use smallvec::SmallVec;

use super::bind::Addresses;
use super::counts::PairSlots;
use super::{Bound, Launch};
use crate::error::counted;
use crate::group::kernel::{Kernel, Plans};
use crate::memory::given::GivenPairs;
use crate::memory::pair_bounds::{Bounds, Elements};
use crate::plan::extent::Extent;
use crate::plan::{Plan, by_element};
use crate::run::{List, Value};
use crate::types::info::{Entries, KernelInfo};
use crate::{Error, Result};

/// The name of the list in messages.
const PAIRS: &str = "pairs";

impl Kernel {
    /// Compiles what launches over given pairs need, also those by element.
    pub(crate) fn compile_entries(&self) -> Result<()> {
        let info = self.info;
        let entries = entries(info)?;
        let list = self.kept.as_ref().map(|_| self.expect_near_list()).transpose()?;
        for (at, device) in self.devices().iter().enumerate() {
            let compile = || match self.loops_on(device) {
                Some(_) => {
                    device.loaded_loops(info, &entries.loops, None)?;
                    list.map(|list| device.loaded_loops(info, &list.loops, None)).transpose()
                }
                None => {
                    device.loaded(info, &entries.variant, false, None)?;
                    list.map(|list| device.loaded(info, &list.variant, false, None)).transpose()
                }
            };
            compile().map_err(|error| self.device.named(at, error))?;
        }
        if !self.has_partners() || entries.partners.is_empty() {
            return Ok(());
        }
        for variant in entries.partners {
            self.device.loaded(info, variant, false, None)?;
        }
        self.on(0).code_of_partners().map(drop)
    }

    /// Whether its device visits lists by element.
    fn has_partners(&self) -> bool {
        !self.device.is_several() && self.loops().is_none()
    }
}

impl<'a> Launch<'a> {
    /// Finishes the checks, plans, and launches.
    ///
    /// # Safety
    ///
    /// That of [`run`](Launch::run).
    pub(super) unsafe fn run_over(mut self, given: &'a GivenPairs) -> Result<()> {
        let info = self.kernel.info;
        let entries = entries(info)?;
        self.expect_entries(given)?;
        let count = |known: super::KnownCount| known.map(|(count, _)| count);
        // Without elements, only the indices are used.
        let n = count(self.n).unwrap_or(given.bounds().rows);
        let columns =
            info.is_rectangle.then(|| count(self.columns).unwrap_or(given.bounds().columns));
        let extent = Extent::all(n, columns);
        Plan::expect_counted(info, &extent)?;
        given.check(&elements(info, &extent)).map_err(|problem| {
            Error::arguments(format!("the list {problem}")).of_kernel(info.name)
        })?;
        self.announce(&extent);
        if given.is_empty() {
            return Ok(());
        }
        if let Some(arrays) = self.arrays.take() {
            let lengths = self.bind_given(given)?;
            // SAFETY: as below.
            return unsafe {
                self.run_blocks(&arrays, &extent, 0, |launch, extent| {
                    launch.plan_over(entries, extent, &lengths).map(Arc::new)
                })
            };
        }
        // SAFETY: all indices are those of elements.
        let plans = match unsafe { self.bind_partners(given, entries, &extent) }? {
            Some(plans) => plans,
            None => {
                let lengths = self.bind_given(given)?;
                self.plan_over(entries, extent, &lengths)?
            }
        };
        // SAFETY: the caller's promise. All indices are those of elements, and the list belongs to the kernel.
        unsafe { self.run_plans(&plans, 0) }
    }

    /// Records in each list which pairs this launch may push, and tells an observer of the launch.
    pub(super) fn announce(&mut self, extent: &Extent) {
        let mut bounds = Bounds::launch_bounds(&elements(self.kernel.info, extent));
        bounds.is_of_sets = self.sets.is_some();
        self.lists.iter_mut().for_each(|list| list.join(&bounds));
        #[cfg(feature = "testing")]
        if let Some(observer) = &self.kernel.device.observer {
            observer.launched(self.kernel.info, extent.rows.is_some(), self.written.clone());
        }
    }

    /// Rejects a range of rows and devices of other processes, which launches over a list do not support.
    pub(super) fn expect_whole(&self) -> Result<()> {
        let (kernel, refused) = (self.kernel, self.kernel.refused());
        let rows = refused.rows.filter(|_| kernel.rows.is_some());
        kernel.expect("be launched for a range of rows", rows)?;
        let processes = refused.processes.filter(|_| kernel.device.is_part());
        kernel.expect("be shared with other processes", processes)
    }

    /// Rejects what a launch over a list does not support, and slots whose length is not that of the list.
    fn expect_entries(&self, given: &GivenPairs) -> Result<()> {
        self.expect_whole()?;
        let (kernel, entries) = (self.kernel, given.len());
        for PairSlots { name, length, rows, .. } in &self.slots {
            if rows.is_some() {
                return Err(self.wrong(name, format!("has a slot for each pair of its shape, but the launch visits a list: pass `device.zeroed({entries})`, a value for each entry")));
            }
            if *length != entries {
                let problem = format!(
                    "has {}, but the list has {}: pass `device.zeroed({entries})`",
                    counted(*length, "value"),
                    counted(entries, "pair")
                );
                return Err(self.wrong(name, problem));
            }
            if kernel.device.is_several() {
                return Err(self.stores(name));
            }
        }
        Ok(())
    }

    /// If the list is visited again and the kernel can visit it by element: makes and passes the partners of each element.
    ///
    /// # Safety
    ///
    /// All indices of the list are below the launch's number of elements.
    unsafe fn bind_partners(
        &mut self,
        given: &'a GivenPairs,
        of: &'static Entries,
        extent: &Extent,
    ) -> Result<Option<Plans>> {
        let kernel = self.kernel;
        let elements = given.bounds().rows;
        let multiprocessors = kernel.device.backend().multiprocessors();
        let by_rule = || by_element(of.partners, elements, multiprocessors);
        let Some(variant) = kernel.pinned_partners().or_else(by_rule) else {
            return Ok(None);
        };
        if !kernel.has_partners() || !given.is_launched_again() {
            return Ok(None);
        }
        let (addresses, step) = self.addresses_of_given(given)?;
        let [Some(i), Some(j)] = addresses.map(|all| all.first().copied()) else {
            return Err(
                Error::other("the list of pairs is on no device").of_kernel(kernel.info.name)
            );
        };
        let list = List { indices: [i, j], step, length: given.len() };
        // The plan first: its code may not compile.
        let plan = Plan::partners(&kernel.device, kernel.info, variant, extent.clone(), elements)?;
        let made = given.partners(|| {
            // SAFETY: the caller's promise; the launch borrows the list.
            let made = unsafe { kernel.on(0).partners(&list, elements) };
            // Recorded before anything else can fail, because functions that read the list have been launched.
            let recorded = self.record();
            made.and_then(|made| recorded.map(|()| made))
        })?;
        let Some(made) = made else { return Ok(None) };
        self.read(PAIRS, made.starts.view())?;
        self.read(PAIRS, made.ends.view())?;
        self.read(PAIRS, made.partners.view())?;
        self.push(Value::Number(made.elements));
        let (extent, parts) = (extent.clone(), vec![(0, plan)]);
        Ok(Some(Plans { extent, only: None, variant, parts, all_pairs: None }))
    }

    /// The addresses of the list's indices i and j on each device, and the stride between pairs in words.
    fn addresses_of_given(&mut self, given: &'a GivenPairs) -> Result<([Addresses; 2], u64)> {
        let alignment = align_of::<u32>();
        let (first, second) = given.indices();
        let i = self.addresses_of(PAIRS, alignment, first)?;
        Ok(match second {
            Some(second) => ([i, self.addresses_of(PAIRS, alignment, second)?], 1),
            None => {
                let j = i.iter().map(|address| address + size_of::<u32>() as u64).collect();
                ([i, j], 2)
            }
        })
    }

    /// Passes the list after the user's arguments; returns its length on each device.
    fn bind_given(&mut self, given: &'a GivenPairs) -> Result<SmallVec<[usize; 1]>> {
        let (addresses, step) = self.addresses_of_given(given)?;
        let parts = given.parts(addresses[0].len());
        for all in addresses {
            let starts = all.iter().zip(&parts);
            let bytes = |start: usize| (start * size_of::<u32>()) as u64 * step;
            let starts: Addresses =
                starts.map(|(address, part)| address + bytes(part.start)).collect();
            self.push_addresses(&starts);
        }
        self.push(Value::Word(step));
        let lengths: SmallVec<[usize; 1]> = parts.iter().map(ExactSizeIterator::len).collect();
        let words: Addresses = lengths.iter().map(|length| *length as u64).collect();
        self.bound.push(Bound::addresses(&words));
        Ok(lengths)
    }

    /// The plan of each device with entries.
    fn plan_over(&self, of: &'static Entries, extent: Extent, lengths: &[usize]) -> Result<Plans> {
        let kernel = self.kernel;
        let mut parts = Vec::with_capacity(lengths.len());
        for (at, length) in lengths.iter().enumerate().filter(|(_, length)| **length > 0) {
            let device = &kernel.devices()[at];
            let is_loops = kernel.loops_on(device).is_some();
            let plan =
                Plan::given_pairs(device, kernel.info, of, is_loops, extent.clone(), *length);
            parts.push((at, plan.map_err(|error| kernel.device.named(at, error))?));
        }
        Ok(Plans { extent, only: None, variant: &of.variant, parts, all_pairs: None })
    }
}

/// The elements of a launch, and whether its kernel visits the diagonal.
pub(super) fn elements(info: &KernelInfo, extent: &Extent) -> Elements {
    Elements { rows: extent.n, columns: extent.columns, diagonal: info.diagonal }
}

/// What launches over given pairs run.
pub(super) fn entries(info: &'static KernelInfo) -> Result<&'static Entries> {
    info.entries.as_ref().map_err(|why| {
        let problem = format!("its launches cannot visit a list of pairs, because {why}");
        Error::arguments(problem).of_kernel(info.name)
    })
}

//! Launches over arrays whose width is known at run time: one for each block of their numbers.

use std::sync::Arc;

use smallvec::SmallVec;

use super::{Bound, Launch, each};
use crate::Result;
use crate::group::kernel::Plans;
use crate::memory::arrays::blocks;
use crate::memory::target::FIRST_NUMBER;
use crate::plan::extent::Extent;
use crate::run::Value;

pub(super) struct ArraysOfLaunch {
    /// The width, and the first argument that has it.
    width: usize,
    name: &'static str,
    /// The indices of their addresses in `Launch::bound`, each with the bytes from a number of all elements to the next.
    addresses: SmallVec<[(usize, usize); 2]>,
}

impl Launch<'_> {
    /// Takes note of the next argument, in which a number of all elements has these bytes.
    pub(super) fn array(&mut self, name: &'static str, width: usize, bytes: usize) -> Result<()> {
        let at = self.bound.len();
        let first = ArraysOfLaunch { width, name, addresses: SmallVec::new() };
        let arrays = self.arrays.get_or_insert(first);
        if arrays.width != width {
            let problem = format!(
                "has arrays of width {width}, but `{}` has {}: make both with the same width",
                arrays.name, arrays.width
            );
            return Err(self.wrong(name, problem));
        }
        arrays.addresses.push((at, bytes));
        Ok(())
    }

    /// Plans and runs the launch of each block. `plan` gets the pairs, for one block's length.
    ///
    /// # Safety
    ///
    /// The contract of [`Launch::run`].
    pub(super) unsafe fn run_blocks(
        mut self,
        arrays: &ArraysOfLaunch,
        extent: &Extent,
        first_slot: u64,
        plan: impl Fn(&Self, Extent) -> Result<Arc<Plans>>,
    ) -> Result<()> {
        // All blocks but the last one have the same plan.
        let mut plans: Vec<(usize, Arc<Plans>)> = Vec::new();
        for length in blocks(arrays.width) {
            let plan = match plans.last() {
                Some((last, known)) if *last == length => known.clone(),
                _ => {
                    let number = Some(length as u32).filter(|number| *number != FIRST_NUMBER);
                    let extent = Extent { compiled_for: number, ..extent.clone() };
                    plan(&self, extent)?
                }
            };
            plans.push((length, plan));
        }
        let mut blocks = Vec::with_capacity(plans.len());
        for (length, plan) in &plans {
            let mut ready = each::All::new();
            self.ready(plan, first_slot, &mut ready)?;
            blocks.push(ready);
            self.skip(arrays, *length);
        }
        // Each block adds to cells of its own.
        if let Some((_, plan)) = plans.first() {
            self.count_additions(plan)?;
        }
        // SAFETY: the caller's promise. Each block of the arrays is as long as n requires.
        let launched = blocks.iter().try_for_each(|ready| unsafe { self.start(ready) });
        self.finish(launched)
    }

    /// Moves the addresses past these numbers of all elements.
    fn skip(&mut self, arrays: &ArraysOfLaunch, count: usize) {
        for (at, bytes) in &arrays.addresses {
            let bytes = (count * bytes) as u64;
            match &mut self.bound[*at] {
                Bound::Value(Value::Word(address)) => *address += bytes,
                Bound::Words(addresses) => addresses.iter_mut().for_each(|each| *each += bytes),
                _ => {}
            }
        }
    }
}

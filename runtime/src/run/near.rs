//! A launch that visits only near tiles: sorts the elements, computes the boxes of tiles, and runs the kernel.
//!
//! All of it is work on one stream, without waiting: only the device knows the number of near tiles.

use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;

use smallvec::SmallVec;

use super::Ready;
use crate::Result;
use crate::backend::Loaded;
use crate::plan::{BLOCK_KEYS, DIGITS, Near, Sort, Step};
use crate::types::info::{MERGE_BLOCK, OF_NEAR};

/// The bits by which keys are sorted at a time.
const DIGIT_BITS: u32 = DIGITS.ilog2();

impl Ready<'_> {
    /// Sorts, and launches the plan.
    ///
    /// # Safety
    ///
    /// The contract of [`Ready::run`].
    pub(super) unsafe fn run_near(&self, near: &Near) -> Result<()> {
        let mut scratch = near.take(self.on.device.backend())?;
        let access = self.on.own(&mut scratch.0)?;
        // SAFETY: the caller's promise, and this is the memory's address.
        let launched = unsafe { self.steps_of_near(near, access.address) };
        let recorded = self.on.record(&access);
        drop(access);
        launched.and(recorded)?;
        near.keep(scratch);
        Ok(())
    }

    /// The work on memory of the plan's layout from `start` on.
    ///
    /// # Safety
    ///
    /// As above; nothing else uses the memory.
    unsafe fn steps_of_near(&self, near: &Near, start: u64) -> Result<()> {
        let layout = &near.layout;
        let at = |words: usize| start + (words * size_of::<u32>()) as u64;
        let [keys, order] = [layout.keys, layout.order].map(|pair| pair.map(at));
        let copies = layout.sorted.iter().map(|words| at(*words));
        let last = [order[0]].into_iter().chain(copies).chain([at(layout.boxes)]);
        let last: SmallVec<[u64; 4]> = last.collect();
        // SAFETY: the caller's promise.
        unsafe {
            match &near.sort {
                Sort::Functions(functions) => self.sort(near, functions, start, &last)?,
                Sort::Loops(code) => {
                    let own = [keys[0], keys[1], order[1]];
                    let all: SmallVec<[u64; 8]> = own.into_iter().chain(last.clone()).collect();
                    let numbers = self.plan.steps.first().map_or(&[][..], |step| &step.numbers);
                    self.run_code(&**code, [[1, 1], [1, 1]], numbers, &all)?;
                }
            }
        }
        let run = |step: &Step| {
            let blocks = [step.grid, self.plan.block()];
            // SAFETY: the caller's promise, and the step is one of the plan's map.
            unsafe { self.run_code(&*self.plan.code, blocks, &step.numbers, &last) }
        };
        self.plan.steps.iter().try_for_each(run)
    }

    /// Sorts the elements, copies them to `last`, and computes their boxes there, with a GPU's functions.
    ///
    /// # Safety
    ///
    /// As above; `last` are the kernel's last addresses.
    unsafe fn sort(
        &self,
        near: &Near,
        functions: &[Function; OF_NEAR.len()],
        start: u64,
        last: &[u64],
    ) -> Result<()> {
        let layout = &near.layout;
        let at = |words: usize| start + (words * size_of::<u32>()) as u64;
        let [frame, cells, count, scan, scatter, boxes, join] = functions;
        // The plan ensures that they fit 32 bits.
        let n = self.plan.extent.n as u32;
        let [mut keys, mut order] = [layout.keys, layout.order].map(|pair| pair.map(at));
        let (frame_at, counts, boxes_at) = (at(layout.frame), at(layout.counts), at(layout.boxes));
        let threads = MERGE_BLOCK[0] * MERGE_BLOCK[1];
        let with_users = |code: &Function, blocks: u32, addresses: &[u64]| {
            // SAFETY: the caller's promise: these functions have the kernel's parameters without those of the map, and these.
            unsafe { self.run_code(&**code, [[blocks, 1], MERGE_BLOCK], &[], addresses) }
        };
        let alone = |code: &Function, blocks: u32, numbers: &[u32], addresses: &[u64]| {
            let mut parameters: SmallVec<[*mut c_void; 8]> = SmallVec::new();
            parameters.extend(numbers.iter().map(|each| ptr::from_ref(each).cast_mut().cast()));
            parameters.extend(addresses.iter().map(|each| ptr::from_ref(each).cast_mut().cast()));
            // SAFETY: these are the parameters of the functions that the macro writes for every kernel with boxes, with memory
            // of the layout that they expect.
            unsafe { code.launch(self.on.stream, [blocks, 1], MERGE_BLOCK, &mut parameters) }
        };
        with_users(frame, 1, &[frame_at])?;
        with_users(cells, n.div_ceil(threads), &[frame_at, keys[0], order[0]])?;
        let blocks = n.div_ceil(BLOCK_KEYS as u32);
        // An even number of passes ends where it began.
        for shift in (0..u32::BITS).step_by(DIGIT_BITS as usize) {
            alone(count, blocks, &[n, shift], &[keys[0], counts])?;
            alone(scan, DIGITS as u32, &[blocks], &[counts])?;
            let addresses = [counts, keys[0], order[0], keys[1], order[1]];
            alone(scatter, blocks, &[n, shift], &addresses)?;
            keys.reverse();
            order.reverse();
        }
        with_users(boxes, layout.tiles.div_ceil(MERGE_BLOCK[1]), last)?;
        let groups = layout.groups.div_ceil(MERGE_BLOCK[1]);
        alone(join, groups, &[0, layout.tiles], &[boxes_at])?;
        let sections = layout.groups.div_ceil(MERGE_BLOCK[0]).div_ceil(MERGE_BLOCK[1]);
        alone(join, sections, &[layout.tiles, layout.groups], &[boxes_at])
    }
}

/// One of the functions of a source.
type Function = Arc<dyn Loaded>;

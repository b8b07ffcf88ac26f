//! Tests the pairs of some elements before a launch, which then chooses between near tiles and all pairs.
//!
//! The lower bound of two single elements is that by which pairs pass in near tiles. So the share of pairs that pass is known
//! before anything is sorted. It costs one launch, and the host waits for its counts. The elements are always the same ones, so a
//! launch with the same data always makes the same choice. For nearest neighbours the bound is compared with values that are not
//! known yet, so they are always found in near tiles.

use super::Ready;
use super::near::address;
use crate::Result;
use crate::plan::{SAMPLES, Sort, TESTED, TESTED_PART};
use crate::types::info::MERGE_BLOCK;

/// The greatest share of pairs that pass with which a GPU visits near tiles, as a divisor. A pair that passes takes 11 times as long
/// as in a visit of all pairs. Near tiles of a million elements took 0.33 of the time of all pairs if 1 in 50 passed, 0.62 with 1 in
/// 24, and 1.15 with 1 in 12. Fewer elements have larger tiles, in which more pairs are tested: those of 49,152 took 1.16 times as
/// long with 1 in 50.
const GPU_DIVISOR: f64 = 32.0;

/// The same for the CPU's loops, in which a pair that passes takes 50 to 70 times as long, because the loops over all pairs are
/// vectorised. Near tiles of n elements took as long as all pairs if 1 of 31,000 / sqrt(n) passed, for n from 4,096 to 100,000:
/// more elements have smaller tiles, in which fewer pairs are only tested. The least divisor is for elements without such pairs.
const LOOPS_DIVISOR: f64 = 32_768.0;
const LEAST_LOOPS_DIVISOR: f64 = 64.0;

impl Ready<'_> {
    /// Tests the pairs of some elements, always of the same ones, and waits for the number of those that pass. Whether there are so
    /// many that all pairs take less time than near tiles.
    ///
    /// # Safety
    ///
    /// The contract of [`Ready::run`].
    pub(crate) unsafe fn is_dense(&self) -> Result<bool> {
        let Some(near) = &self.plan.near else { return Ok(false) };
        let (Some(code), Some(rows), Some(columns)) =
            (&near.sample, near.sets.first(), near.sets.last())
        else {
            return Ok(false);
        };
        let threads = MERGE_BLOCK[0] * MERGE_BLOCK[1];
        let extent = &self.plan.extent;
        let (samples, blocks, numbers, divisor) = match near.sort {
            Sort::Functions(..) => {
                let samples = [rows, columns].map(|set| set.n.min(SAMPLES));
                let blocks = [samples.map(|count| count.div_ceil(threads)), MERGE_BLOCK];
                (samples, blocks, &[][..], GPU_DIVISOR)
            }
            Sort::Loops(_) => {
                let samples = [rows, columns].map(|set| (set.n / TESTED_PART).min(TESTED));
                let numbers = self.plan.steps.first().map_or(&[][..], |step| &step.numbers[..]);
                let root = (extent.whole().equivalent_n() as f64).sqrt();
                let divisor = (LOOPS_DIVISOR / root).max(LEAST_LOOPS_DIVISOR);
                (samples, [[1, 1], [1, 1]], numbers, divisor)
            }
        };
        let mut scratch = near.take(self.on.device.backend(), near.length)?;
        let access = self.on.own(&mut scratch)?;
        let counts = address(access.address, rows.counts);
        // SAFETY: the caller's promise; this function has the kernel's parameters without those of the map, and the address of a
        // count for each block.
        let launched = unsafe { self.run_code(&**code, blocks, numbers, &[counts]) };
        let recorded = self.on.record(&access);
        drop(access);
        launched.and(recorded)?;
        let count = (blocks[0][0] * blocks[0][1]) as usize;
        let passed = scratch.download_range(rows.counts..rows.counts + count)?;
        near.keep(scratch);
        let passed: f64 = passed.into_iter().map(f64::from).sum();
        let [tested_rows, tested_columns] = samples.map(f64::from);
        let tested = match extent.columns {
            Some(_) => tested_rows * tested_columns,
            None => tested_rows * (tested_rows - 1.0) / 2.0,
        };
        // Near tiles are those of all rows.
        let part = extent.pairs(false) as f64 / extent.whole().pairs(false) as f64;
        Ok(passed * divisor > tested * part)
    }
}

//! The operands of tensor cores in a launch: features in 16-bit floats or 8-bit integers, in the order in which blocks read them.
//! Each device makes them once and keeps them with the features.

use std::sync::Arc;

use smallvec::SmallVec;

use super::{FoldedFeatures, Ready, Value};
use crate::backend::pointer;
use crate::memory::Memory;
use crate::memory::features::operands::OperandsOfDevice;
use crate::plan::{Filter, Plan, Step};
use crate::types::info::MERGE_BLOCK;
use crate::{Error, Result};

/// The features of a launch on a device, as operands of tensor cores: of one set of elements, or of rows and of columns.
pub(super) struct OperandsOfLaunch(SmallVec<[Arc<OperandsOfDevice>; 2]>);

impl OperandsOfLaunch {
    /// Takes the operands of the launch's features, which it makes if there are none yet.
    ///
    /// # Safety
    ///
    /// The contract of [`Ready::run`].
    pub(super) unsafe fn of(ready: &Ready<'_>, filter: &Filter) -> Result<OperandsOfLaunch> {
        // The macro of this version ensures that both sets have features.
        let unknown = || Error::unknown_map(ready.plan.variant.map);
        let FoldedFeatures { values: places, width, size } = ready.features.ok_or_else(unknown)?;
        let Plan { extent, variant, .. } = ready.plan;
        let counts = [Some(extent.n), extent.columns].into_iter().flatten();
        let sets = counts.zip(places).map(|(elements, (place, operands))| {
            let Some(Value::Word(address)) = ready.values.get(place) else { return Err(unknown()) };
            let part = variant.tiling.part(size);
            let key = (*address, part);
            if let Some(known) = operands.get(key) {
                return Ok(known);
            }
            // SAFETY: the caller's promise: these are the address and the size of the features.
            let made = unsafe { prepare(ready, filter, elements, *address, [width, size]) }?;
            Ok(operands.keep(key, made))
        });
        Ok(OperandsOfLaunch(sets.collect::<Result<_>>()?))
    }

    /// Launches one grid of the kernel that multiplies.
    ///
    /// # Safety
    ///
    /// The contract of [`Ready::run`]; the step is one of the plan's map, for the plan's elements, whose features these are.
    pub(super) unsafe fn run_step(&self, ready: &Ready<'_>, step: &Step) -> Result<()> {
        // The memory of all sets, in the order of the kernel's parameters.
        let features = self.0.iter().map(|set| &set.features);
        let all = features.chain(self.0.iter().filter_map(|set| set.factors.as_ref()));
        let accesses = all.map(|memory| ready.on.read("features", memory.view().untyped()));
        let accesses = accesses.collect::<Result<SmallVec<[_; 4]>>>()?;
        let addresses: SmallVec<[_; 4]> = accesses.iter().map(|each| each.address).collect();
        let (code, blocks) = (&*ready.plan.code, [step.grid, ready.plan.block()]);
        // SAFETY: the caller's promise; the addresses are those of what was prepared for these elements.
        unsafe { ready.run_code(code, blocks, &step.numbers, &addresses) }?;
        ready.record_all(&accesses)
    }
}

/// Allocates memory for the operands of all elements in whole tiles, and writes them.
///
/// # Safety
///
/// The contract of [`Ready::run`]; `address` is that of `width` features of `size` bytes for each of `elements` elements.
unsafe fn prepare(
    ready: &Ready<'_>,
    filter: &Filter,
    elements: usize,
    address: u64,
    [width, size]: [u32; 2],
) -> Result<OperandsOfDevice> {
    let (tiling, device) = (ready.plan.variant.tiling, ready.on.device);
    let parts = width.div_ceil(tiling.part(size)) as usize;
    let tiles = elements.div_ceil(tiling.side as usize);
    // A product that saturates is more than memory.
    let words = tiles.saturating_mul(parts).saturating_mul(tiling.part_memory() as usize);
    let factors = Some(tiles * (tiling.side * tiling.factors(size)) as usize);
    let factors = factors.filter(|factors| *factors > 0);
    let mut made = OperandsOfDevice {
        features: Memory::zeroed(device.backend(), words.saturating_mul(WORDS))?,
        factors: factors.map(|each| Memory::zeroed(device.backend(), each)).transpose()?,
    };
    // The plan ensures that they fit 32 bits.
    let elements = elements as u32;
    let all = [Some(&mut made.features), made.factors.as_mut()].into_iter().flatten();
    let written = all.map(|memory| ready.on.own(memory)).collect::<Result<SmallVec<[_; 2]>>>()?;
    let source = [pointer(&elements), pointer(&address), pointer(&width)];
    let addresses = written.iter().map(|each| pointer(&each.address));
    let mut parameters: SmallVec<[_; 5]> = source.into_iter().chain(addresses).collect();
    let grid = [elements.div_ceil(MERGE_BLOCK[1]), 1];
    // SAFETY: these are the parameters of the function that the macro writes for every kernel that multiplies features: features
    // of `elements` elements, by the caller's promise, and memory with room for what it writes for them.
    unsafe { filter.prepare.launch(ready.on.stream, grid, MERGE_BLOCK, &mut parameters) }?;
    ready.record_all(&written)?;
    drop(written);
    Ok(made)
}

/// The 32-bit words in 16 bytes.
const WORDS: usize = 4;

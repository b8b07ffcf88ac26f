//! The code of kernels, compiled once for each device.

use std::collections::HashMap;
use std::ptr;
use std::sync::{Arc, PoisonError};

use super::Target;
use crate::backend::{KernelSource, Loaded};
use crate::types::info::{KernelInfo, Loops, MERGE_BLOCK, SAMPLE, Source, Variant};
use crate::{Result, types::warnings};

/// Compiled kernels by source, options and function.
pub(super) type Kernels = HashMap<Key, Arc<dyn Loaded>>;

/// With the number that a launch gives, if it is not [`FIRST_NUMBER`].
type Key = (Source, &'static [&'static str], KernelFunction, Option<u32>);

/// The number for which a kernel is loaded, if a launch gives one: of nearest neighbours, or of the numbers in a block of arrays.
pub(crate) const FIRST_NUMBER: u32 = 16;

/// The names of these numbers in a source. A kernel has at most one of them.
const NAMES: [&str; 2] = ["TD_NEAREST", "TD_ARRAY_WIDTH"];

/// The line of a source that sets such a number.
fn definition(name: &str, number: u32) -> String {
    format!("#define {name} {number}\n")
}

/// The numbers for which a source is tested, if a launch gives one. Of nearest neighbours: the most that a lane, a warp and memory
/// keep. Of arrays: each that a launch uses.
#[cfg(feature = "testing")]
pub(crate) fn tested_numbers(source: &Source) -> &'static [Option<u32>] {
    let text = source.text();
    match NAMES.map(|name| text.contains(&definition(name, FIRST_NUMBER))) {
        [true, _] => &[Some(FIRST_NUMBER), Some(32), Some(256)],
        [_, true] => &[Some(4), Some(8), Some(FIRST_NUMBER)],
        _ => &[None],
    }
}

/// The source for another number than [`FIRST_NUMBER`], if there is one.
pub(crate) fn with_number(source: &Source, number: Option<u32>) -> String {
    let text = source.text();
    let Some(number) = number else { return text };
    NAMES.iter().fold(text, |text, name| {
        text.replacen(&definition(name, FIRST_NUMBER), &definition(name, number), 1)
    })
}

/// The functions that a source can contain.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum KernelFunction {
    /// The kernel, with 32-bit λ.
    Kernel,
    /// The same with 64-bit λ.
    Wide,
    /// Merges nearest neighbours.
    Merge,
    /// Joins states.
    Join(&'static str),
    /// Converts features to the operands of tensor cores.
    Prepare,
    /// Evaluates the pairs that a filter has kept.
    Refine,
    /// One of the functions that sort elements and compute their boxes.
    Near(&'static str),
    /// A function of this crate's own source.
    Own(&'static str),
}

impl Target {
    /// Logs the warnings about a kernel's bodies, once for each device, even if its code comes from the cache.
    pub(crate) fn log_warnings(&self, info: &KernelInfo) {
        let Some(first) = info.variants.first().filter(|_| !info.warnings.is_empty()) else {
            return;
        };
        // Poisoning is harmless: a source is either in the set or not.
        let is_new =
            self.shared.warned.lock().unwrap_or_else(PoisonError::into_inner).insert(first.source);
        let text = warnings::of(info.warnings, &first.source.text());
        if is_new && !text.is_empty() {
            warnings::report(&format!("kernel `{}` has warnings:\n{text}", info.name));
        }
    }

    /// The code of a variant, with 32-bit λ, or with 64-bit λ if `wide`. It is compiled once.
    pub(crate) fn loaded(
        &self,
        info: &KernelInfo,
        variant: &Variant,
        wide: bool,
        number: Option<u32>,
    ) -> Result<Arc<dyn Loaded>> {
        let tiling = &variant.tiling;
        let (threads, shared) = (tiling.thread_count(), self.backend().dynamic_shared(tiling));
        let function = if wide { KernelFunction::Wide } else { KernelFunction::Kernel };
        self.compiled((variant.source, info.options, function, number), || {
            let source = self.compiled_source(&variant.source, number);
            let whole = KernelSource {
                kernel: info.name,
                others: &info.others(variant),
                options: info.options,
                is_wide: wide,
                threads,
                shared,
                columns: info.columns,
                ..KernelSource::new(info.entry, &source)
            };
            self.backend().compile(&whole, self.cache.as_deref())
        })
    }

    /// The source that is compiled: in some tests, a changed one.
    fn compiled_source(&self, source: &Source, number: Option<u32>) -> String {
        let text = with_number(source, number);
        #[cfg(feature = "testing")]
        if let Some(observer) = &self.observer {
            return observer.source(text);
        }
        text
    }

    /// The code of a kernel's CPU loops. It is compiled once.
    pub(crate) fn loaded_loops(
        &self,
        info: &KernelInfo,
        loops: &Loops,
        number: Option<u32>,
    ) -> Result<Arc<dyn Loaded>> {
        // Of a kernel for near tiles, only the loops over these sort, and sample pairs.
        let is_first = ptr::eq(loops, &raw const info.loops);
        let lists = info.list().is_ok_and(|list| ptr::eq(&raw const list.loops, loops));
        let sets = || info.near_sets().iter();
        let sorts = sets().map(|set| set.sort).filter(|_| is_first || lists);
        let moved = sets().map(|set| set.moved).filter(|_| lists);
        let sample = info.can_sample().then_some(SAMPLE).filter(|_| is_first);
        let joins = info.joins.iter().copied().filter(|_| !lists);
        let others = sorts.chain(moved).chain(sample).chain(joins);
        let others = others.map(|part| info.function(part));
        self.compiled((loops.source, loops.options, KernelFunction::Kernel, number), || {
            let source = self.compiled_source(&loops.source, number);
            let text = KernelSource {
                kernel: info.name,
                others: &others.collect::<Vec<_>>(),
                options: loops.options,
                is_loops: true,
                columns: info.columns,
                ..KernelSource::new(info.entry, &source)
            };
            self.backend().compile(&text, self.cache.as_deref())
        })
    }

    /// A function of this crate's own source. It is compiled once.
    pub(crate) fn loaded_own(
        &self,
        source: &Source,
        entry: &'static str,
        others: &[String],
    ) -> Result<Arc<dyn Loaded>> {
        self.compiled((*source, &[], KernelFunction::Own(entry), None), || {
            let (threads, source) = (MERGE_BLOCK.iter().product(), source.text());
            let whole = KernelSource { others, threads, ..KernelSource::new(entry, &source) };
            self.backend().compile(&whole, self.cache.as_deref())
        })
    }

    /// The function `entry` of a source, one of [`KernelInfo::others`]. `code` is the source's kernel.
    pub(crate) fn loaded_other(
        &self,
        key: Key,
        entry: &str,
        code: &Arc<dyn Loaded>,
    ) -> Result<Arc<dyn Loaded>> {
        self.compiled(key, || code.other(entry, MERGE_BLOCK.iter().product()))
    }

    /// The code of a source, from an earlier call or from `compile`.
    fn compiled(
        &self,
        key: Key,
        compile: impl FnOnce() -> Result<Box<dyn Loaded>>,
    ) -> Result<Arc<dyn Loaded>> {
        // Poisoning is harmless: a panic elsewhere leaves only finished kernels in the map.
        let kernels = || self.shared.kernels.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(loaded) = kernels().get(&key) {
            return Ok(loaded.clone());
        }
        // Compile without the lock: a compiler is slow, and compiling a kernel twice does no harm.
        let loaded = Arc::from(compile()?);
        Ok(kernels().entry(key).or_insert(loaded).clone())
    }
}

//! The code of kernels, compiled once for each device.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError};

use super::Target;
use crate::backend::{Loaded, Text};
use crate::types::info::{KernelInfo, Loops, MERGING, Source, Variant};
use crate::{Result, types::warnings};

/// Kernels, by their source, its options and what of it.
pub(super) type Kernels = HashMap<Key, Arc<dyn Loaded>>;

type Key = (Source, &'static [&'static str], Which);

/// Which of the functions that a text can give.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Which {
    /// The kernel, with 32-bit λ.
    Kernel,
    /// The same with 64-bit λ.
    Wide,
    /// What merges nearest neighbours.
    Merge,
    /// What makes of features what tensor cores multiply.
    Prepare,
    /// What evaluates pairs that a filter has left.
    Refine,
}

impl Target {
    /// Says what there is to say of a kernel's bodies, once for each device: also where its code comes from the cache.
    pub(crate) fn tell_warnings(&self, info: &KernelInfo) {
        let Some(first) = info.variants.first().filter(|_| !info.warnings.is_empty()) else {
            return;
        };
        // Ignores poisoning: a text is in the set or not.
        let is_new =
            self.shared.told.lock().unwrap_or_else(PoisonError::into_inner).insert(first.source);
        let told = warnings::of(info.warnings, &first.source.text());
        if is_new && !told.is_empty() {
            tracing::warn!("kernel `{}` has warnings:\n{told}", info.name);
        }
    }

    /// The code of a variant, with 32-bit or `wide` 64-bit λ: compiled now, or by an earlier call.
    pub(crate) fn loaded(
        &self,
        info: &KernelInfo,
        variant: &Variant,
        wide: bool,
    ) -> Result<Arc<dyn Loaded>> {
        let (threads, shared) = (variant.tiling.thread_count(), variant.tiling.dynamic_shared());
        let which = if wide { Which::Wide } else { Which::Kernel };
        self.compiled((variant.source, info.options, which), || {
            let whole = Text {
                kernel: info.name,
                entry: info.entry,
                others: &info.others(variant),
                source: &variant.source.text(),
                options: info.options,
                is_wide: wide,
                threads,
                shared,
                is_loops: false,
                columns: info.columns,
            };
            self.backend().compile(&whole, self.cache.as_deref())
        })
    }

    /// The code of a kernel's plain loops: compiled now, or by an earlier call.
    pub(crate) fn loaded_loops(&self, info: &KernelInfo, loops: &Loops) -> Result<Arc<dyn Loaded>> {
        self.compiled((loops.source, loops.options, Which::Kernel), || {
            let text = Text {
                kernel: info.name,
                entry: info.entry,
                others: &[],
                source: &loops.source.text(),
                options: loops.options,
                is_wide: false,
                threads: 1,
                shared: 0,
                is_loops: true,
                columns: info.columns,
            };
            self.backend().compile(&text, self.cache.as_deref())
        })
    }

    /// The function `entry` of a source, one of [`KernelInfo::others`]; `code` is that of the source's kernel.
    pub(crate) fn loaded_other(
        &self,
        key: Key,
        entry: &str,
        code: &Arc<dyn Loaded>,
    ) -> Result<Arc<dyn Loaded>> {
        self.compiled(key, || code.other(entry, MERGING.iter().product()))
    }

    /// The code of a source: from an earlier call, or from `compile`.
    fn compiled(
        &self,
        key: Key,
        compile: impl FnOnce() -> Result<Box<dyn Loaded>>,
    ) -> Result<Arc<dyn Loaded>> {
        // Ignores poisoning: a panic elsewhere leaves only finished kernels in the map.
        let kernels = || self.shared.kernels.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(loaded) = kernels().get(&key) {
            return Ok(loaded.clone());
        }
        // The lock is not held here: a compiler is slow, and compiling one kernel twice does no harm.
        let loaded = Arc::from(compile()?);
        Ok(kernels().entry(key).or_insert(loaded).clone())
    }
}

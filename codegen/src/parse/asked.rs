//! The keys of sweeps and tiles, as the user wrote them.

use proc_macro2::Span;
use td_kernel_geometry::Sweep;

use crate::model::Form;
use crate::support;

/// The requested sweep and tile, each with its span.
#[derive(Clone, Copy, Default)]
pub(crate) struct Asked {
    /// `sweep`.
    pub(crate) sweep: Option<(Span, Sweep)>,
    /// `tile`; 0 is the classic sweep.
    pub(crate) tile: Option<(Span, u32)>,
    /// `block`.
    pub(crate) block: Option<(Span, u32)>,
    /// `space = "thread"`.
    pub(crate) threads: Option<Span>,
    /// `map = "auto"`.
    pub(crate) auto: Option<Span>,
    /// `deterministic = true`.
    pub(crate) deterministic: Option<Span>,
}

impl Asked {
    /// Where the keys of a sweep and of tiles are.
    pub(crate) fn tiling(&self) -> impl Iterator<Item = Span> + use<> {
        let sizes = [self.tile, self.block].into_iter().flatten().map(|each| each.0);
        self.sweep.map(|each| each.0).into_iter().chain(sizes)
    }

    /// The keys that a kernel of this form can have. The others have errors of their own.
    pub(crate) fn supported(self, form: Form) -> Asked {
        let can_have = |key| support::visits(form).all(|visit| support::key(key, visit).is_none());
        Asked {
            sweep: self.sweep.filter(|_| can_have("sweep")),
            tile: self.tile.filter(|_| can_have("tile")),
            block: self.block.filter(|_| can_have("block")),
            threads: self.threads.filter(|_| can_have("space")),
            auto: self.auto.filter(|_| can_have("map")),
            ..self
        }
    }
}

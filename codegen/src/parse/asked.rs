//! The keys of sweeps and tiles, as the user wrote them.

use proc_macro2::Span;
use td_kernel_geometry::Sweep;

use crate::model::{Form, Members, Outputs, Shape};

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
        let deterministic = self.deterministic;
        match (form.shape, form.members, form.outputs) {
            (_, Members::Many, _) => Asked { deterministic, ..Asked::default() },
            (Shape::Rectangle, ..) | (.., Outputs::Nearest) => {
                Asked { threads: None, auto: None, ..self }
            }
            _ => self,
        }
    }
}

//! Selects a kernel's sweeps, from its keys or else from its parameters.

mod check;

use proc_macro2::Span;
use td_kernel_maps::Sweep;

pub(super) use self::check::check;
use super::Signature;
use super::tiles::Sizes;
use crate::model::{End, Form, Members, Outputs, Role, Shape};

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
        let of_tiles = [self.tile, self.block].into_iter().flatten().map(|each| each.0);
        self.sweep.map(|each| each.0).into_iter().chain(of_tiles)
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

/// The sweeps that visit all pairs, which the keys choose, or else the outputs.
pub(super) fn chosen(asked: &Asked, signature: &Signature, form: Form) -> Vec<Sweep> {
    match (asked.sweep, asked.tile) {
        // Only this sweep supports features.
        _ if form.elements.has_features() => vec![Sweep::Fold],
        (Some((_, sweep)), _) => vec![sweep],
        (None, Some((_, 0))) => vec![Sweep::Classic],
        _ if asked.block.is_some() || asked.threads.is_some() => vec![Sweep::Classic],
        (None, tile) => usual(signature, tile.is_some()),
    }
}

/// The possible sweeps for the kernel's outputs.
fn usual(signature: &Signature, has_tile: bool) -> Vec<Sweep> {
    let has = |role| signature.has(role);
    let slot_bytes = Sizes::of(signature).slot_bytes();
    let fits = slot_bytes.is_some_and(|bytes| bytes <= MAX_MIRRORED_BYTES);
    let lists = has(Role::Gathered);
    let (has_results, has_column_results) =
        (signature.has_results(|_| true), signature.has_results(End::has_column));
    let are_near = has(Role::Neighbours(End::Each)) || has(Role::Neighbours(End::Row));
    match (has(Role::Packed) || has(Role::Matrix), has(Role::Square)) {
        // Packed rows and square rows are laid out differently, so no other sweep suits both.
        (true, true) => vec![Sweep::Classic],
        // Threads along a row have its slots side by side; threads that keep rows have the results of elements.
        (is_packed, is_square) if (is_packed || is_square) && has_results => {
            vec![Sweep::Classic]
        }
        (true, false) => vec![Sweep::Rows],
        // Each pair once, because a pair must be pushed, or write to memory, once.
        (false, true) if lists || has(Role::Memory) => match fits || has_tile {
            true => vec![Sweep::Mirror],
            false => vec![Sweep::Classic],
        },
        (false, true) if slot_bytes.is_some() && !fits && !has_tile => vec![Sweep::Rows],
        // A launch takes the first one if rows start at memory sectors, else the second. For structs, rustc decides whether the
        // first one fits.
        (false, true) => vec![Sweep::Mirror, Sweep::Rows],
        // A kernel that writes to memory directly may rely on neighbouring threads having neighbouring j.
        (false, false) if has_column_results && (has_tile || !has(Role::Memory)) => {
            vec![Sweep::Rotate]
        }
        (false, false)
            if has_tile || ((lists || has_results || are_near) && !has(Role::Memory)) =>
        {
            vec![Sweep::Columns]
        }
        (false, false) => vec![Sweep::Classic],
    }
}

/// The maximum bytes of a pair in squares with which mirrored tiles of 32 fit a block's shared memory, beside the elements.
const MAX_MIRRORED_BYTES: u32 = 32;

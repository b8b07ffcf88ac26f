//! Selects a kernel's sweeps, from its keys or else from its parameters.

mod check;

use td_kernel_geometry::{Map, NEAREST, RECTANGLE, SET_TILES, Strips, Sweep};

pub(super) use self::check::check;
use super::asked::Asked;
use super::tiles::{self, Sizes};
use super::{Keys, Signature};
use crate::kind::HISTOGRAMS;
use crate::model::{Elements, End, Form, Members, Outputs, Parameter, Role, Shape};

/// The sweeps that visit all pairs, which the keys choose, or else the outputs.
pub(super) fn chosen(asked: &Asked, signature: &Signature, form: Form) -> Vec<Sweep> {
    match (asked.sweep, asked.tile) {
        // Only this sweep supports features.
        _ if form.elements.has_features() => vec![Sweep::Fold],
        (Some((_, sweep)), _) => vec![sweep],
        (None, Some((_, 0))) => vec![Sweep::Classic],
        _ if asked.block.is_some() || asked.threads.is_some() => vec![Sweep::Classic],
        (None, tile) => usual(signature, asked, tile.is_some()),
    }
}

/// The maximum bytes of the results of a column with which a thread has registers for those of its columns.
const MAX_BYTES_OF_COLUMN: u32 = 32;

/// Whether the threads along a row of slots can have results of elements too. Their number is a power of two, so that they can
/// combine those of the row. In a square each pair has two rows. Which pairs a thread has depends on where the slots of a row
/// start, which would change exact sums of floats.
pub(super) fn has_results_along_rows(signature: &Signature, asked: &Asked) -> bool {
    let results = || signature.parameters.iter().filter(|each| each.end().is_some());
    let column_results = results().filter(|each| each.end().is_some_and(End::has_column));
    let bytes =
        column_results.map(|each| each.size().map(|bytes| bytes.max(4) + each.partner_bytes()));
    let fits = bytes.sum::<Option<u32>>().is_some_and(|bytes| bytes <= MAX_BYTES_OF_COLUMN);
    let is_power = asked.tile.is_none_or(|(_, side)| side.is_power_of_two());
    let are_single = !results().any(Parameter::is_wide);
    let are_inexact = asked.deterministic.is_none();
    !signature.has(Role::Square) && fits && is_power && are_single && are_inexact
}

/// The possible sweeps for the kernel's outputs.
fn usual(signature: &Signature, asked: &Asked, has_tile: bool) -> Vec<Sweep> {
    let has = |role| signature.has(role);
    let sizes = Sizes::of(signature);
    let slot_bytes = sizes.slot_bytes();
    let fits = slot_bytes.is_some_and(|bytes| bytes <= MAX_MIRRORED_BYTES)
        && !tiles::usual(Sweep::Mirror, &sizes).is_empty();
    let lists = has(Role::Gathered);
    let (has_results, has_column_results) =
        (signature.has_results(|_| true), signature.has_results(End::has_column));
    let are_near = signature.parameters.iter().any(|each| each.neighbours_of().is_some());
    match (has(Role::Packed) || has(Role::Matrix), has(Role::Square)) {
        (is_packed, is_square)
            if (is_packed || is_square)
                && has_results
                && !has_results_along_rows(signature, asked) =>
        {
            vec![Sweep::Classic]
        }
        (true, false) => vec![Sweep::Rows],
        // Each pair once: it must be pushed, or write to memory, once. Packed rows and square rows start at different offsets,
        // which the other sweeps of slots do not support.
        (is_packed, true) if is_packed || lists || has(Role::Memory) => match fits || has_tile {
            true => vec![Sweep::Mirror],
            false => vec![Sweep::Classic],
        },
        (_, true) if slot_bytes.is_some() && !fits && !has_tile => vec![Sweep::Rows],
        // A launch takes the first one if rows start at memory sectors, else the second. For structs, rustc decides whether the
        // first one fits.
        (_, true) => vec![Sweep::Mirror, Sweep::Rows],
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

/// The maximum bytes of a pair in squares with which mirrored tiles of 32 fit a block's shared memory beside elements of a few
/// numbers.
const MAX_MIRRORED_BYTES: u32 = 32;

/// The map of tiles, and whether its grid is the one-dimensional one: the first that fits the form and the keys.
pub(super) fn map(keys: &Keys, form: Form) -> (&'static dyn Map, bool) {
    let is_open = !keys.choose_map();
    // A thread of its own for each pair has no map of persistent blocks.
    let is_walked = is_open && keys.asked.threads.is_none() && keys.asked.deterministic.is_none();
    let map: &dyn Map = match (form.members, form.shape, form.elements, form.outputs) {
        (Members::Many, _, Elements::Folded, _) => SET_TILES,
        (_, _, _, Outputs::Nearest) => NEAREST,
        (_, _, Elements::Plain, Outputs::BlockTotals) if is_walked => HISTOGRAMS,
        // A block of a fold reads much of each element, so blocks that run together should share elements.
        (_, _, elements, _) if elements.has_features() && is_open => &Strips,
        (_, Shape::Rectangle, _, _) => RECTANGLE,
        _ => return keys.map,
    };
    (map, false)
}

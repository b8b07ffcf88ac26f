//! The variant that visits given pairs.

use td_kernel_maps::{ENTRIES, Sweep, Tiling};

use crate::model::{Parameter, Role, Variant};

/// The entries of a block: four for each of its threads.
const PART: u32 = 1024;

/// The variant for given pairs. A square has rows and columns, which a list does not have, and a search for neighbours visits
/// its pairs in rounds.
pub(super) fn variant(parameters: &[Option<Parameter>]) -> Option<Variant> {
    let is_supported =
        |each: &Parameter| !matches!(each.kind.role(), Role::Square | Role::Neighbours(_));
    let tiling = Tiling::new(Sweep::Entries, PART);
    let variant = Variant { map: ENTRIES, linear: false, tiling };
    parameters.iter().flatten().all(is_supported).then_some(variant)
}

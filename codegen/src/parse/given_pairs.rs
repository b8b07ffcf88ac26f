//! The variant that visits given pairs.

use td_kernel_geometry::{ENTRIES, ENTRIES_OF_PART, Sweep};

use crate::model::{End, Options, Parameter, Variant};
use crate::support::{self, Visit};

/// The entries of a block: four for each of its threads.
const PART: u32 = 1024;
// The devices' shares are whole blocks.
const _: () = assert!(ENTRIES_OF_PART.is_multiple_of(PART));

/// The variant for given pairs.
pub(super) fn variant() -> Variant {
    Variant::new(ENTRIES, Sweep::Entries, PART)
}

/// The elements of blocks in which two or eight threads share an element. Fewer threads wait less for the loads of an element's data,
/// so two are faster if the elements are many. Of few elements, eight leave fewer multiprocessors idle.
const ELEMENTS: [u32; 2] = [128, 32];

/// The variants for given pairs by element, for results of the elements of one set, if all outputs and keys support it.
pub(super) fn by_element(options: &Options, parameters: &[Parameter]) -> Vec<Variant> {
    let keys = [("diagonal", options.diagonal), ("deterministic", options.deterministic)];
    let is_refused = |(key, is): (_, bool)| is && support::key(key, Visit::ByElement).is_some();
    if !parameters.iter().any(|each| each.end() == Some(End::Each))
        || keys.into_iter().any(is_refused)
        || support::first(parameters, Visit::ByElement).is_some()
    {
        return Vec::new();
    }
    ELEMENTS.map(|side| Variant::new(ENTRIES, Sweep::Partners, side)).into()
}

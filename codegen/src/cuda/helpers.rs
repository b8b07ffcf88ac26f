//! The helpers that a kernel includes: each a real file, complete in itself, and only if used.

use super::sum::{self, Part, Target};
use super::{prologue, store};
use crate::cuda::types::Origin;
use crate::model::{Kernel, Kind, Sweep};

/// Every helper of this crate, by file name.
#[cfg(test)]
pub(super) const ALL: &[(&str, &str)] = &[
    ("each.cuh", EACH),
    ("sum.cuh", SUM),
    ("wide_sum.cuh", WIDE_SUM),
    ("float_sum.cuh", FLOAT_SUM),
    ("partial.cuh", PARTIAL),
    ("add_warp.cuh", ADD_WARP),
    ("add_block.cuh", ADD_BLOCK),
    ("tally.cuh", TALLY),
    ("pairs.cuh", PAIRS),
    ("append.cuh", APPEND),
    ("columns.cuh", COLUMNS),
    ("aligned.cuh", ALIGNED),
    ("store.cuh", STORE),
    ("segment.cuh", SEGMENT),
    ("mirror.cuh", MIRROR),
    ("vector4.cuh", VECTOR4),
];

const EACH: &str = include_str!("../../cuda/each.cuh");
const SUM: &str = include_str!("../../cuda/sum.cuh");
const WIDE_SUM: &str = include_str!("../../cuda/wide_sum.cuh");
const FLOAT_SUM: &str = include_str!("../../cuda/float_sum.cuh");
const PARTIAL: &str = include_str!("../../cuda/partial.cuh");
const PAIRS: &str = include_str!("../../cuda/pairs.cuh");
const ADD_WARP: &str = include_str!("../../cuda/add_warp.cuh");
const ADD_BLOCK: &str = include_str!("../../cuda/add_block.cuh");
const TALLY: &str = include_str!("../../cuda/tally.cuh");
const APPEND: &str = include_str!("../../cuda/append.cuh");
const COLUMNS: &str = include_str!("../../cuda/columns.cuh");
const STORE: &str = include_str!("../../cuda/store.cuh");
const SEGMENT: &str = include_str!("../../cuda/segment.cuh");
const ALIGNED: &str = include_str!("../../cuda/aligned.cuh");
const MIRROR: &str = include_str!("../../cuda/mirror.cuh");
const VECTOR4: &str = include_str!("../../cuda/vector4.cuh");

/// The helpers of this kernel, each after those it needs.
pub(super) fn used(kernel: &Kernel) -> Vec<&'static str> {
    let any = |kind| kernel.has(kind);
    let sweep = kernel.options.variant.sweep;
    let along_rows = matches!(sweep, Sweep::Rows | Sweep::Mirror);
    let has_part = |part| kernel.of_kind(Kind::Sum).any(|each| sum::part(each) == part);
    let targets: Vec<_> = kernel.of_kind(Kind::Sum).map(|each| sum::target(kernel, each)).collect();
    let vector4 = kernel.parameters.iter().any(|each| each.cuda.origin == Origin::Helper);

    let mut helpers = prologue(kernel).helpers;
    for (used, text) in [
        (vector4, VECTOR4),
        (any(Kind::Each), EACH),
        (has_part(Part::Plain), SUM),
        (has_part(Part::Wide), WIDE_SUM),
        (has_part(Part::Float), FLOAT_SUM),
        (targets.iter().any(|each| matches!(each, Target::Partial(_))), PARTIAL),
        (targets.contains(&Target::Tally), TALLY),
        (any(Kind::Sum) && sum::warps(kernel) == 1, ADD_WARP),
        (any(Kind::Sum) && sum::warps(kernel) > 1, ADD_BLOCK),
        (any(Kind::Pairs), PAIRS),
        (any(Kind::Pairs) && sweep == Sweep::Columns, APPEND),
        (any(Kind::Each) && along_rows, COLUMNS),
        (along_rows, ALIGNED),
        (along_rows && store::slots(kernel).any(|slot| slot.vector.is_some()), STORE),
        (along_rows && store::slots(kernel).any(|slot| slot.vector.is_none()), SEGMENT),
        (sweep == Sweep::Mirror, MIRROR),
    ] {
        if used {
            helpers.push(text);
        }
    }
    helpers
}

#[cfg(test)]
mod tests {
    use super::ALL;

    #[test]
    fn every_file_is_a_helper_and_every_helper_a_file() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/cuda");
        let mut files: Vec<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        let mut known: Vec<_> = ALL.iter().map(|(name, _)| (*name).to_owned()).collect();
        files.sort();
        known.sort();
        assert_eq!(files, known);
    }
}

//! Kernels that fold features of each type, compiled by NVRTC for old and new GPUs, without a warning. Spilled registers are a warning too.

use rayon::prelude::*;
use td_kernel_tests::covering::in_turn;
use td_kernel_tests::parallel::CheckEach;
use td_kernel_tests::{folds, sources};

use super::{by_turns, compiles_for};

/// Features of a word, whose folds of a word have a large tile too.
const WORDS: [&str; 6] = ["f32", "i32", "u32", "[i8; 4]", "[u8; 4]", "[i16; 2]"];

/// By default each type in one of its tiles, of every two types one for one set and the other for two.
#[test]
fn every_type_compiles_in_every_tile() {
    folds::TYPES.par_iter().enumerate().check_each(|(turn, kind)| {
        let items = [folds::item_of_type(kind), folds::item_of_type_of_sets(kind)];
        let sources = items.map(|item| sources("", &item));
        let has_large = WORDS.contains(&kind[0]) && ["f32", "i32", "u32"].contains(&kind[1]);
        for sources in &sources {
            assert_eq!(sources.len(), if has_large { 3 } else { 2 }, "{kind:?}");
            assert!(sources.iter().all(|each| each.has_rows), "{kind:?}");
        }
        for each in in_turn(sources, turn).into_iter().flat_map(|all| in_turn(all, turn / 2)) {
            compiles_for(&format!("{kind:?}"), &each.text, &by_turns(turn / 2));
        }
    });
}

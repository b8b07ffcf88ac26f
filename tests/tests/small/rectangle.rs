//! Every pair of two sets is visited once, and each value is stored at its place.

use td_kernel::Sweep;
use td_kernel_tests::covering::EVERY;
use td_kernel_tests::rectangle::{
    Choice, SIZES, check, check_values, check_variants, chosen_halves,
};

use super::{IS_GPU, each, simt};

/// A tile and parts of others, rows with and without a skew: all that a memory checker has time for.
const FEW: &[[usize; 2]] = &[[1, 1], [33, 130], [97, 89], [128, 136]];

#[test]
fn pairs_are_visited_once() {
    let device = simt();
    each(&chosen_halves(&Choice::all()), |(choice, sizes)| {
        check(&device, choice, if IS_GPU { FEW } else { sizes }).unwrap();
    });
}

#[test]
fn variants_agree() {
    check_variants(&simt(), if IS_GPU { FEW } else { SIZES }).unwrap();
}

/// Values that form vectors, values that go through shared memory, and values that are stored one by one: in each sweep all of
/// them, in each tile size some.
#[test]
fn values_are_in_their_slots() {
    let device = simt();
    let of_slots = |choice: &Choice| choice.sweep != Sweep::Columns;
    let choices: Vec<_> = Choice::all().into_iter().filter(of_slots).collect();
    let cases: Vec<_> = chosen_halves(&choices).into_iter().enumerate().collect();
    each(&cases, |(turn, (choice, sizes))| {
        let turn = (!EVERY).then_some(*turn);
        check_values(&device, choice, turn, if IS_GPU { &FEW[1..] } else { sizes }).unwrap();
    });
}

//! Launches over given pairs.

use td_kernel::Result;
use td_kernel_tests::given;

use crate::{gpu, share_memory};

#[test]
fn outputs_are_those_of_all_pairs() -> Result<()> {
    let _shared = share_memory();
    given::check_outputs(&gpu(), &[0, 1, 2, 9, 150, 1500])
}

#[test]
fn lists_that_are_visited_again_are_visited_by_element() -> Result<()> {
    let _shared = share_memory();
    // The last list of all pairs has ten million. So many elements of few pairs that two threads share each.
    let all = [1, 2, 5, 40, 300, 3000, 12_000].map(|n| (n, n));
    let sizes = [(0, 1), (200_003, 100)].into_iter().chain(all);
    sizes.into_iter().try_for_each(|(n, reach)| given::check_elements(&gpu(), n, reach).map(drop))
}

#[test]
fn values_are_in_the_order_of_the_list() -> Result<()> {
    let _shared = share_memory();
    given::check_values(&gpu(), 5000)
}

#[test]
fn lists_are_visited_again() -> Result<()> {
    let _shared = share_memory();
    [2, 120, 2000].into_iter().try_for_each(|n| given::check_lists(&gpu(), n))
}

#[test]
fn pairs_of_two_sets() -> Result<()> {
    let _shared = share_memory();
    given::check_sets(&gpu(), [700, 900])
}

#[test]
fn features_are_folded() -> Result<()> {
    let _shared = share_memory();
    given::check_features(&gpu(), 300, &[1, 3, 4, 16, 33, 200])
}

/// Parts of 4,096 pairs that do not divide by the devices, and fewer parts and fewer pairs than devices. One GPU is used several
/// times.
#[test]
fn several_devices_share_a_list() -> Result<()> {
    let _shared = share_memory();
    given::check_shares(&[gpu()], &[2, 3], &[0, 1, 2, 33, 4097, 12_289])
}

#[test]
fn wrong_pairs_are_rejected() -> Result<()> {
    given::check_errors(&gpu())?;
    given::check_lists_of_sets(&gpu())
}

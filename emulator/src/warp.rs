//! Which lanes of a warp may go on, and what they learn from each other.

use crate::interface::{Request, function};

/// How many threads make a warp.
pub(crate) const WARP_SIZE: usize = 32;

/// Answers the requests of one group of lanes that have all they wait for, and returns the
/// group as a mask of lanes: zero when none has.
///
/// `waiting` are the lanes that wait; all others of the warp have returned, or never were.
///
/// A group is the lanes that call the same function with the same mask, and it is complete
/// when every lane of the mask is in it, those excepted that have returned. CUDA asks for
/// the same: a lane that is missing hangs a GPU, or is undefined behaviour, and here it is
/// never answered, which ends as an error.
///
/// # Safety
///
/// For each lane in `waiting`, `requests` must hold a pointer to its request, on the stack of
/// its suspended fiber.
pub(crate) unsafe fn answer(waiting: u32, requests: &[*mut Request]) -> u32 {
    let mut undecided = waiting;
    let mut at_active_mask = 0;
    while undecided != 0 {
        // SAFETY: by the contract.
        let (called, mask) = unsafe {
            let request = requests[undecided.trailing_zeros() as usize];
            ((*request).called, (*request).mask)
        };
        let group = lanes(undecided)
            .filter(|&lane| {
                // SAFETY: by the contract.
                let request = unsafe { &*requests[lane] };
                request.called == called && request.mask == mask
            })
            .fold(0, |group, lane| group | (1 << lane));
        undecided &= !group;
        match called {
            function::BLOCK_BARRIER => {}
            function::ACTIVE_MASK if at_active_mask == 0 => at_active_mask = group,
            function::ACTIVE_MASK => {}
            _ if group == mask & waiting => {
                // SAFETY: by the contract.
                unsafe { exchange(group, requests) };
                return group;
            }
            _ => {}
        }
    }
    // No lane can go further, so the lanes that ask who is active have converged as far as they can.
    for lane in lanes(at_active_mask) {
        // SAFETY: by the contract.
        unsafe { (*requests[lane]).arrived = at_active_mask };
    }
    at_active_mask
}

/// The numbers of the lanes in a mask, lowest first.
pub(crate) fn lanes(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = mask.trailing_zeros();
        // Without its lowest bit; a mask of zero gives 32 trailing zeros, and stays zero.
        mask &= mask.wrapping_sub(1);
        (lane < WARP_SIZE as u32).then_some(lane as usize)
    })
}

/// Gives each lane of a complete group the value of its source lane, and the votes of all.
///
/// # Safety
///
/// As for [`answer`].
unsafe fn exchange(group: u32, requests: &[*mut Request]) {
    let mut shown = [0; WARP_SIZE];
    let mut ballot = 0;
    for lane in lanes(group) {
        // SAFETY: by the contract.
        let request = unsafe { &*requests[lane] };
        shown[lane] = request.value;
        ballot |= request.predicate << lane;
    }
    for lane in lanes(group) {
        // SAFETY: by the contract, and the references of the first loop are gone.
        let request = unsafe { &mut *requests[lane] };
        let source = request.source as usize % WARP_SIZE;
        if group & (1 << source) != 0 {
            request.value = shown[source];
        }
        request.ballot = ballot;
        request.arrived = group;
    }
}

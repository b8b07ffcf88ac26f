//! Which lanes of a warp may continue, and the values that they exchange.

use crate::interface::{Request, function};

/// The number of threads in a warp.
pub(crate) const WARP_SIZE: usize = 32;

/// The answer to a group of lanes that no longer have to wait.
pub(crate) struct Answer {
    /// The lanes, as a mask.
    pub(crate) group: u32,
    /// For lanes that exchange values: the value of each, and the votes of all.
    exchanged: Option<([u64; WARP_SIZE], u32)>,
}

/// Answers one group of lanes, given their requests, or none.
///
/// `waiting` are the waiting lanes; all others of the warp have returned, or never existed.
///
/// A group is the lanes that call the same function with the same mask. It is complete when it has every lane of the mask that
/// has not returned. CUDA requires the same: a missing lane hangs a GPU, or is undefined behaviour. Here the group is never
/// answered, which ends as an error.
pub(crate) fn answer(waiting: u32, asked: &[Request]) -> Option<Answer> {
    let mut undecided = waiting;
    let mut at_active_mask = 0;
    while undecided != 0 {
        let Request { called, mask, .. } = asked[undecided.trailing_zeros() as usize];
        // For all lanes, so that nothing depends on which of them wait.
        let alike = asked.iter().take(WARP_SIZE).enumerate().fold(0, |alike, (lane, asked)| {
            alike | u32::from(asked.called == called && asked.mask == mask) << lane
        });
        let group = alike & undecided;
        undecided &= !group;
        match called {
            function::BLOCK_BARRIER => {}
            function::ACTIVE_MASK if at_active_mask == 0 => at_active_mask = group,
            function::ACTIVE_MASK => {}
            _ if group == mask & waiting => {
                return Some(Answer { group, exchanged: Some(exchanged(group, asked)) });
            }
            _ => {}
        }
    }
    // No lane can run further, so the lanes that call `__activemask` have converged as far as they can.
    (at_active_mask != 0).then_some(Answer { group: at_active_mask, exchanged: None })
}

/// The values of the lanes of a group, and their votes.
fn exchanged(group: u32, asked: &[Request]) -> ([u64; WARP_SIZE], u32) {
    let (mut shown, mut ballot) = ([0; WARP_SIZE], 0);
    for (lane, asked) in asked.iter().take(WARP_SIZE).enumerate() {
        shown[lane] = asked.value;
        ballot |= asked.predicate << lane;
    }
    (shown, ballot & group)
}

impl Answer {
    /// Writes it into the request of one of its lanes: the value of its source lane, the votes, and the lanes that took part.
    pub(crate) fn give_to(&self, request: &mut Request) {
        if let Some((shown, ballot)) = &self.exchanged {
            let source = request.source as usize % WARP_SIZE;
            if self.group & (1 << source) != 0 {
                request.value = shown[source];
            }
            request.ballot = *ballot;
        }
        request.arrived = self.group;
    }
}

/// The numbers of the lanes in a mask, lowest first.
pub(crate) fn lanes(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = mask.trailing_zeros();
        // Clears its lowest bit. A mask of zero gives 32 trailing zeros, and stays zero.
        mask &= mask.wrapping_sub(1);
        (lane < WARP_SIZE as u32).then_some(lane as usize)
    })
}

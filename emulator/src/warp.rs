//! Which lanes of a warp may go on, and what they learn from each other.

use crate::interface::{Request, function};

/// How many threads make a warp.
pub(crate) const WARP_SIZE: usize = 32;

/// The answer to a group of lanes that have all they wait for.
pub(crate) struct Answer {
    /// The lanes, as a mask.
    pub(crate) group: u32,
    /// What each of them has shown, and the votes of all: of lanes that exchange values.
    exchanged: Option<([u64; WARP_SIZE], u32)>,
}

/// Answers one group of lanes, of which this is what they ask, or none.
///
/// `waiting` are the lanes that wait; all others of the warp have returned, or never were.
///
/// A group is the lanes that call the same function with the same mask, and it is complete
/// when every lane of the mask is in it, those excepted that have returned. CUDA asks for
/// the same: a lane that is missing hangs a GPU, or is undefined behaviour, and here it is
/// never answered, which ends as an error.
pub(crate) fn answer(waiting: u32, asked: &[Request]) -> Option<Answer> {
    let mut undecided = waiting;
    let mut at_active_mask = 0;
    while undecided != 0 {
        let Request { called, mask, .. } = asked[undecided.trailing_zeros() as usize];
        // Of all lanes, so that nothing depends on which of them wait.
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
    // No lane can go further, so the lanes that ask who is active have converged as far as they can.
    (at_active_mask != 0).then_some(Answer { group: at_active_mask, exchanged: None })
}

/// What the lanes of a group show, and their votes.
fn exchanged(group: u32, asked: &[Request]) -> ([u64; WARP_SIZE], u32) {
    let (mut shown, mut ballot) = ([0; WARP_SIZE], 0);
    for (lane, asked) in asked.iter().take(WARP_SIZE).enumerate() {
        shown[lane] = asked.value;
        ballot |= asked.predicate << lane;
    }
    (shown, ballot & group)
}

impl Answer {
    /// Writes it into the request of one of its lanes: the value of its source lane, the votes, and who took part.
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
        // Without its lowest bit; a mask of zero gives 32 trailing zeros, and stays zero.
        mask &= mask.wrapping_sub(1);
        (lane < WARP_SIZE as u32).then_some(lane as usize)
    })
}

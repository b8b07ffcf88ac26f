//! Stacks that later launches reuse.

use corosensei::stack::Stack;

use super::{FiberStack, Stacks};

/// Two sizes that no kernel of these tests uses, so that the pool has none of them yet.
const SIZES: [usize; 2] = [16 << 20, 32 << 20];

fn bases(stacks: &[FiberStack]) -> Vec<usize> {
    let mut bases: Vec<_> = stacks.iter().map(|stack| stack.base().get()).collect();
    bases.sort_unstable();
    bases
}

/// Runs a launch that uses this many stacks at once; returns their addresses.
fn launched(size: usize, count: usize) -> Vec<usize> {
    let mut stacks = Stacks::new(size, count);
    let taken: Vec<_> = (0..count).map(|_| stacks.take().unwrap()).collect();
    let bases = bases(&taken);
    taken.into_iter().for_each(|stack| stacks.give(stack));
    bases
}

#[test]
fn later_launch_reuses_stacks() {
    let [size, _] = SIZES;
    let before = launched(size, 1);
    // Slightly smaller: the same stack is large enough.
    assert_eq!(launched(size - 4096, 1), before);
}

#[test]
fn workers_share_free_stacks() {
    let [_, size] = SIZES;
    let before = launched(size, 4);
    let mut workers = [Stacks::new(size, 2), Stacks::new(size, 2)];
    let taken = [0, 1, 0, 1].map(|worker: usize| workers[worker].take().unwrap());
    assert_eq!(bases(&taken), before);
}

#[test]
fn warp_stacks_end_at_distinct_offsets() {
    let stacks: Vec<_> = (0..16).map(|number| FiberStack::new(4096, number).unwrap()).collect();
    let mut ends: Vec<_> = stacks.iter().map(|stack| stack.base().get() % 4096).collect();
    ends.sort_unstable();
    ends.dedup();
    assert_eq!(ends.len(), stacks.len());
    for stack in stacks {
        assert!(stack.base().get().is_multiple_of(64));
        // A guard page is below the requested size.
        assert!(stack.base().get() - stack.limit().get() >= 4096 + 4096);
    }
}

//! Stacks that launches leave to later ones.

use corosensei::stack::{DefaultStack, Stack};

use crate::cpu::stacks::Stacks;

/// Two sizes that no kernel of these tests asks for, so that the pool has none of them yet.
const SIZES: [usize; 2] = [16 << 20, 32 << 20];

fn bases(stacks: &[DefaultStack]) -> Vec<usize> {
    stacks.iter().map(|stack| stack.base().get()).collect()
}

#[test]
fn a_launch_finds_the_stacks_of_an_earlier_one_of_every_size() {
    let [size, _] = SIZES;
    let mut first = Stacks::new(size, 1);
    let own = vec![first.take().unwrap()];
    let before = bases(&own);
    own.into_iter().for_each(|stack| first.give(stack));
    drop(first);
    // Almost as many bytes: the same stack is large enough.
    let second = Stacks::new(size - 4096, 1).take().unwrap();
    assert_eq!(before, bases(&[second]));
}

#[test]
fn a_worker_leaves_stacks_for_the_others() {
    let [_, size] = SIZES;
    let mut first = Stacks::new(size, 2);
    let own: Vec<_> = (0..4).map(|_| first.take().unwrap()).collect();
    let before = bases(&own);
    own.into_iter().for_each(|stack| first.give(stack));
    drop(first);
    let mut workers = [Stacks::new(size, 2), Stacks::new(size, 2)];
    let mut found = workers.iter_mut().map(|worker| worker.take().unwrap()).collect::<Vec<_>>();
    found.extend(workers.iter_mut().map(|worker| worker.take().unwrap()));
    let mut found = bases(&found);
    let mut before = before;
    found.sort_unstable();
    before.sort_unstable();
    assert_eq!(before, found);
}

//! Chooses the combinations that a test runs.
//!
//! Maps, roots, sweeps, tile sizes and types make thousands of sources. A source is put together from parts, each of which
//! depends on a few keys, so an error in one source occurs in many. A test lists the properties that can be wrong separately,
//! such as a map in a sweep or a sweep in a tile size, and runs a few combinations that cover all of them. With the feature
//! `every` it runs all combinations, for releases and for changes of the templates: `cargo xtask test --every`.

use std::collections::BTreeMap;
use std::ops::Range;

/// Whether tests run every combination.
pub const EVERY: bool = cfg!(feature = "every");

/// Every combination, or by default a few that together have every property of any combination.
pub fn chosen<T: Clone, P: Ord>(all: &[T], properties: impl Fn(&T) -> Vec<P>) -> Vec<T> {
    if EVERY { all.to_vec() } else { covering(all, properties) }
}

/// The turns of `count` parts that [`in_turn`] or [`part`] tests one at a time: `count`, or one if it tests all of them at
/// once.
pub fn turns(count: usize) -> Range<usize> {
    0..if EVERY { 1 } else { count }
}

/// Each of these with each turn. Then a choice among these covers the turns by its properties, not by its position.
pub fn with_turns<T: Clone>(all: &[T], turns: Range<usize>) -> Vec<(T, usize)> {
    all.iter().flat_map(|each| turns.clone().map(move |turn| (each.clone(), turn))).collect()
}

/// All of these, or by default one of them: the next one at each turn.
pub fn in_turn<T>(all: impl IntoIterator<Item = T>, turn: usize) -> Vec<T> {
    let mut all: Vec<_> = all.into_iter().collect();
    match all.len() {
        count if count > 1 && !EVERY => vec![all.swap_remove(turn % count)],
        _ => all,
    }
}

/// All of these, or by default one of `parts` parts of them, by turns.
pub fn part<T: Clone>(all: &[T], parts: usize, turn: usize) -> Vec<T> {
    let all = all.iter().enumerate();
    all.filter(|(at, _)| EVERY || (at + turn).is_multiple_of(parts))
        .map(|(_, each)| each.clone())
        .collect()
}

/// A few of these, in their order, that have each property of any of them. It repeatedly takes the one with the most properties
/// that the earlier ones lack.
pub fn covering<T: Clone, P: Ord>(all: &[T], properties: impl Fn(&T) -> Vec<P>) -> Vec<T> {
    let mut numbers = BTreeMap::new();
    let mut number = |property| {
        let next = numbers.len();
        *numbers.entry(property).or_insert(next)
    };
    let properties: Vec<Vec<usize>> =
        all.iter().map(|each| properties(each).into_iter().map(&mut number).collect()).collect();
    let mut is_lacking = vec![true; numbers.len()];
    let mut is_chosen = vec![false; all.len()];
    let most_lacking = |is_lacking: &[bool]| {
        let lacks = |own: &Vec<usize>| own.iter().filter(|property| is_lacking[**property]).count();
        let counts = properties.iter().map(lacks).enumerate();
        // The first one with this number.
        counts.rev().max_by_key(|(_, lacks)| *lacks).filter(|(_, lacks)| *lacks > 0)
    };
    while let Some((place, _)) = most_lacking(&is_lacking) {
        is_chosen[place] = true;
        properties[place].iter().for_each(|property| is_lacking[*property] = false);
    }
    let chosen = all.iter().zip(is_chosen).filter(|(_, is_chosen)| *is_chosen);
    chosen.map(|(each, _)| each.clone()).collect()
}

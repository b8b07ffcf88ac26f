//! Which of many combinations a test tries.
//!
//! Maps, roots, sweeps, sizes of tiles and types make thousands of texts. What is wrong in one of them is wrong in many, since
//! a text is put together from parts, each of which follows from a few of the keys. So a test names what can be wrong by itself,
//! as a map in a sweep or a type in a size of tile, and tries few combinations that have all of it. With the feature `every` it
//! tries them all, which is for releases and for changes of the templates: `cargo xtask test --every`.

use std::collections::BTreeMap;

/// Whether tests try every combination.
pub const EVERY: bool = cfg!(feature = "every");

/// Every combination, or with default features some: each property of any combination is one of these.
pub fn chosen<T: Clone, P: Ord>(all: &[T], properties: impl Fn(&T) -> Vec<P>) -> Vec<T> {
    if EVERY { all.to_vec() } else { covering(all, properties) }
}

/// All of these with their places, or with default features one of them: the next one at each turn.
pub fn in_turn<T>(all: impl IntoIterator<Item = T>, turn: usize) -> Vec<(usize, T)> {
    let all: Vec<_> = all.into_iter().enumerate().collect();
    let count = all.len();
    all.into_iter().filter(|(place, _)| EVERY || turn % count == *place).collect()
}

/// All of these, or with default features every second one of them, by turns.
pub fn half<T: Clone>(all: &[T], turn: usize) -> Vec<T> {
    let all = all.iter().enumerate();
    all.filter(|(at, _)| EVERY || (at + turn).is_multiple_of(2))
        .map(|(_, each)| each.clone())
        .collect()
}

/// Few of these, in their order, that have each property of any of them: again and again the one with the most properties that
/// those before it lack.
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
        // The first of those with as many.
        counts.rev().max_by_key(|(_, lacks)| *lacks).filter(|(_, lacks)| *lacks > 0)
    };
    while let Some((place, _)) = most_lacking(&is_lacking) {
        is_chosen[place] = true;
        properties[place].iter().for_each(|property| is_lacking[*property] = false);
    }
    let chosen = all.iter().zip(is_chosen).filter(|(_, is_chosen)| *is_chosen);
    chosen.map(|(each, _)| each.clone()).collect()
}

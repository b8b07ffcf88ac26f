//! A few combinations cover the properties of all.

use std::collections::BTreeSet;

use td_kernel_tests::Choice;
use td_kernel_tests::covering::{EVERY, chosen, covering, in_turn, part, with_turns};

/// All properties, by far fewer choices, in their order.
fn check<T: Clone + PartialEq>(what: &str, all: &[T], properties: impl Fn(&T) -> Vec<String>) {
    let of = |choices: &[T]| choices.iter().flat_map(&properties).collect::<BTreeSet<_>>();
    let few = covering(all, &properties);
    assert_eq!(of(&few), of(all), "{what}");
    assert!(2 * few.len() <= all.len(), "{what}: {} of {}", few.len(), all.len());
    eprintln!("{what}: {} of {}", few.len(), all.len());
    let mut rest = all.iter();
    assert!(few.iter().all(|choice| rest.any(|each| each == choice)), "{what}");
    // When it was chosen, each had a property that no other one had; the first has all of its own.
    assert_eq!(covering(&few, &properties).len(), few.len(), "{what}");
    assert_eq!(chosen(all, &properties).len(), if EVERY { all.len() } else { few.len() });
}

#[test]
fn covering_has_every_property() {
    check("blocks", &Choice::all(), Choice::properties);
    check("tiles", &Choice::tiles(), Choice::properties);
    let both: Vec<_> = Choice::all().into_iter().chain(Choice::tiles()).collect();
    check("both", &both, Choice::properties);
    check("texts", &both, Choice::properties_of_text);
}

/// This also holds for choices combined with sizes.
#[test]
fn covering_has_every_combination() {
    let halves = |choices: &[Choice]| with_turns(choices, 0..2);
    let properties = |(choice, turn): &(Choice, usize)| choice.properties_with(&turn.to_string());
    check("blocks with sizes", &halves(&Choice::all()), properties);
    check("tiles with sizes", &halves(&Choice::tiles()), properties);
}

#[test]
fn turns_cycle() {
    if !EVERY {
        let turns = [0, 1, 2, 3, 7].map(|turn| in_turn(["a", "b", "c"], turn));
        assert_eq!(turns, ["a", "b", "c", "a", "b"].map(|each| vec![each]));
    } else {
        assert_eq!(in_turn(["a", "b"], 5), ["a", "b"]);
    }
    assert!(in_turn([0; 0], 3).is_empty());
    let both = [part(&[0, 1, 2], 2, 0), part(&[0, 1, 2], 2, 1)].concat();
    assert_eq!(both, if EVERY { vec![0, 1, 2, 0, 1, 2] } else { vec![0, 2, 1] });
    assert!(covering(&[0; 0], |each| vec![*each]).is_empty());
    assert_eq!(covering(&[1, 2, 3, 12], |each| vec![each % 10]), [1, 2, 3]);
}

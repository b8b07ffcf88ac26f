//! Keys of the attribute that the form of a kernel determines, and sweeps for outputs that a kernel does not have.

use td_kernel_geometry::Sweep;

use super::Need::{self, *};
use super::{Visit, needs};
use crate::model::{Form, Members, Outputs, Parameter, Shape};

/// Keys, and what they need of a way of visiting.
pub(super) const KEYS: &[(&str, &[Need])] = &[
    ("map", &[Maps]),
    ("sqrt", &[Maps]),
    ("epsilon", &[Maps]),
    ("grid", &[Maps]),
    ("space", &[Maps, Threads]),
    ("diagonal", &[Diagonal]),
    ("sweep", &[Sweeps, Threads, Tiles]),
    ("tile", &[Sweeps, Tiles]),
    ("block", &[Sweeps, Threads]),
    ("deterministic", &[Exact]),
];

/// The ways of visiting of a form, with which some parameters or keys do not go.
pub(crate) fn visits(form: Form) -> impl Iterator<Item = Visit> {
    let Form { shape, members, elements, outputs, .. } = form;
    let (has_two_sets, has_features) = (shape == Shape::Rectangle, elements.has_features());
    let has_states = outputs == Outputs::States;
    let all = [
        (Visit::TwoSets, has_two_sets),
        (if has_features { Visit::FeatureSets } else { Visit::Sets }, members == Members::Many),
        (Visit::Rounds, outputs == Outputs::Nearest && members == Members::One),
        (Visit::SetRows, (has_states || outputs == Outputs::Nearest) && members == Members::Many),
        (Visit::Rows, has_states && members == Members::One && has_two_sets),
        (Visit::Elements, has_states && members == Members::One && !has_two_sets),
        (Visit::Features, has_features),
    ];
    all.into_iter().filter_map(|(visit, is)| is.then_some(visit))
}

/// Whether a key chooses the map, its root or its grid.
pub(crate) fn chooses_map(key: &str) -> bool {
    KEYS.iter().any(|(name, needs)| *name == key && *needs == [Maps])
}

/// What a key needs and a way of visiting lacks.
pub(super) fn lack(key: &str, visit: Visit) -> Option<Need> {
    let (_, needs) = KEYS.iter().find(|(name, _)| *name == key)?;
    visit.lacks().iter().copied().find(|need| needs.contains(need))
}

/// Why a key does not go with a way of visiting, and what to write instead. Nothing to write if a launch just visits pairs in another way.
pub(crate) fn key(key: &str, visit: Visit) -> Option<String> {
    let why = message(lack(key, visit)?, visit).unwrap_or_default();
    Some(why.replace("{key}", key))
}

pub(super) fn message(need: Need, visit: Visit) -> Option<&'static str> {
    Some(reasons! {
        (need, visit),
        (Maps, Visit::Sets | Visit::FeatureSets) => "a kernel over `Sets` has a map of its own, which visits the pairs of all sets: remove `{key}`",
        (Maps, Visit::TwoSets) => "a kernel over two sets has a map of its own, because its pairs are a rectangle: remove `{key}`",
        (Maps, Visit::Rounds) => "a kernel with a `Nearest` has a map of its own, which visits the pairs in rounds, so that the neighbours of all elements improve evenly: remove `{key}`",
        (Maps, Visit::Elements | Visit::SetRows) => "a kernel with a `Reduce` of elements has a map of its own, in which a block has all pairs of its elements: remove `{key}`",
        (Diagonal, Visit::Sets | Visit::FeatureSets) => "a kernel over `Sets` visits the pairs i > j of each set: remove `diagonal`",
        (Diagonal, Visit::TwoSets) => "the pairs of two sets do not have a diagonal: remove `diagonal`",
        (Sweeps, Visit::Sets | Visit::FeatureSets) => "a kernel over `Sets` has a sweep of its own: remove `{key}`",
        (Sweeps, Visit::Elements | Visit::Rows | Visit::SetRows) => "a kernel with a `Reduce` of elements has a sweep of its own: remove `{key}`",
        (Threads, Visit::Features) => "only the sweep `fold` supports features, and `tile` determines the threads of its blocks: remove `{key}`",
        (Tiles, Visit::ExactBoxes) => "with `deterministic` and the body `lower_bound`, each pair is added by itself, in blocks of one thread per pair: remove `{key}`",
    })
}

/// What a sweep is for, if none of these parameters needs it, and what to write instead.
pub(crate) fn purpose(sweep: Sweep, parameters: &[Parameter]) -> Option<&'static str> {
    let (need, text) = match sweep {
        Sweep::Rotate => (
            ColumnResults,
            "the sweep `rotate` is for results of column elements: write `sweep = \"columns\"`",
        ),
        Sweep::Fold => (
            Features,
            "the sweep `fold` needs features, but no parameter is `&Features<T>`: remove `sweep`",
        ),
        Sweep::Rows => (
            Slots,
            "the sweep `rows` is for `Packed`, `Square` and `Matrix`: write `sweep = \"columns\"`",
        ),
        Sweep::Mirror => (
            Square,
            "the sweep `mirror` is for `Square`: write `sweep = \"rows\"` for `Packed` and `Matrix`, or `sweep = \"columns\"`",
        ),
        _ => return None,
    };
    (!parameters.iter().any(|each| needs(each, need))).then_some(text)
}

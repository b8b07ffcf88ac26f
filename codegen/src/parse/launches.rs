//! The ways of launching that a kernel does not support.

use super::Spec;
use crate::model::{Members, Outputs, Refused, Variant};
use crate::names;
use crate::support::{self, Visit};

/// Why launches are not supported, by their ways. `all` visit all pairs, and `entries` given ones.
pub(super) fn refused(spec: &Spec, all: &[Variant], entries: &Result<Variant, String>) -> Refused {
    let Spec { keys, signature, form, bodies, near } = spec;
    let parameters = || signature.parameters.iter();
    let by = |visit| parameters().find_map(|each| support::refused(each, visit));
    let maps: Vec<_> = all.iter().map(|each| each.map).collect();
    // Several devices divide many sets and rounds in other ways. The values of sets are on the devices of their pairs.
    let is_one = form.members == Members::One;
    let has_rows = is_one && form.outputs != Outputs::Nearest;
    let by_maps = || support::whole_triangles(keys.options.space, &maps).filter(|_| has_rows);
    let names = bodies.lower.as_ref().map(|lower| &lower.scan.names);
    let is_distance = |of: &&str| of.ends_with("_distance");
    let mut others = names::OF_BOXES.iter().filter(|of| !is_distance(of));
    let is_changed = names.is_some_and(|names| others.any(|of| names.contains(*of)));
    let mut exact =
        parameters().filter(|each| keys.options.deterministic && each.kind.adds_floats(each));
    let kept = entries.as_ref().err().cloned();
    let kept = kept.or_else(|| is_changed.then(|| support::NO_DISTANCE.to_owned()));
    let kept = kept.or_else(|| exact.find_map(|each| support::refused(each, Visit::Kept)));
    let mut sets = parameters().filter(|each| each.kind.has_sets());
    let exchanged = form.is_exchanged.then(|| support::ALL_ROWS.to_owned());
    Refused {
        rows: sets
            .find_map(|each| support::refused(each, Visit::Ranges))
            .or(exchanged)
            .or_else(|| by(Visit::Ranges))
            .or_else(by_maps),
        devices: by(Visit::Devices).or_else(by_maps),
        divided: by(Visit::Divided).filter(|_| is_one),
        tuning: by(Visit::Tuning),
        kept: kept.filter(|_| near.is_some()),
    }
}

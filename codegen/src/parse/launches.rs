//! The ways of launching that a kernel does not support.

use super::Spec;
use crate::kind::exchanged;
use crate::model::{Members, Outputs, Parameter, Refused, Variant};
use crate::names;
use crate::support::{self, Visit};

/// Why launches are not supported, by their ways. `all` visit all pairs.
pub(super) fn refused_launches(spec: &Spec, all: &[Variant]) -> Refused {
    let Spec { keys, signature, form, bodies, near } = spec;
    // The user's rows and columns.
    let own = |each: &Parameter| match form.is_exchanged {
        true => Parameter { kind: exchanged(each.kind), ..each.clone() },
        false => each.clone(),
    };
    let parameters: Vec<_> = signature.parameters.iter().map(own).collect();
    let by = |visit| support::first(&parameters, visit);
    let maps: Vec<_> = all.iter().map(|each| each.map).collect();
    // Several devices divide many sets and rounds in other ways. The values of sets are on the devices of their pairs.
    let is_one = form.members == Members::One;
    let has_rows = is_one && form.outputs != Outputs::Nearest;
    let by_maps = || support::whole_triangles(keys.options.space, &maps).filter(|_| has_rows);
    let names = bodies.lower.as_ref().map(|lower| &lower.scan.names);
    let is_distance = |of: &&str| of.ends_with("_distance");
    let mut others = names::OF_BOXES.iter().filter(|of| !is_distance(of));
    let is_changed = names.is_some_and(|names| others.any(|of| names.contains(*of)));
    let pairs = by(Visit::List);
    let kept = pairs.clone().or_else(|| is_changed.then(|| support::NO_DISTANCE.to_owned()));
    let kept = kept.or_else(|| by(Visit::Keep));
    let kept = kept.or_else(|| by(Visit::ExactKeep).filter(|_| keys.options.deterministic));
    let product = signature.product.as_ref();
    let products = product.and_then(|_| support::folded(keys.options.deterministic, &parameters));
    Refused {
        pairs,
        rows: by(Visit::Ranges).or_else(by_maps),
        devices: by(Visit::Devices).or_else(by_maps),
        divided: by(Visit::Divided).filter(|_| is_one),
        tuning: by(Visit::Tuning),
        kept: kept.filter(|_| near.is_some()),
        products: products.map(str::to_owned),
    }
}

//! Checks a kernel's sweep and tile keys against each other and against its parameters.

use proc_macro2::Span;
use td_kernel_geometry::{Map, Sweep, Walk};

use super::{chosen, has_results_along_rows};
use crate::errors::Errors;
use crate::model::{Form, Outputs, Role};
use crate::parse::asked::Asked;
use crate::parse::tiles::{self, Sizes};
use crate::parse::{Keys, Signature};
use crate::support::{self, Visit};

/// Checks the keys of the map, of the sweep and of its tiles against each other and against the signature.
pub(in crate::parse) fn check(keys: &Keys, signature: &Signature, form: Form, errors: &mut Errors) {
    let sizes = &Sizes::of(signature);
    if let Some(span) = keys.asked.deterministic {
        check_deterministic(span, keys, signature, form, errors);
    }
    if form.outputs == Outputs::States {
        return check_folds(sizes, signature, errors);
    }
    let asked = &keys.asked.supported(form);
    check_keys(asked, errors);
    let is_strict = !keys.options.diagonal;
    if let (Some(threads), Some(message)) =
        (asked.threads.filter(|_| is_strict), support::first(&signature.parameters, Visit::Threads))
    {
        errors.span(threads, message);
    }
    let span = asked.sweep.map(|each| each.0).or(asked.tile.map(|each| each.0));
    let sweeps = chosen(asked, signature, form);
    if form.elements.has_features() {
        check_features(asked, sizes, signature, errors);
    } else if let (Some(span), Some(&sweep), true) = (span, sweeps.first(), signature.is_complete())
    {
        // A wrong parameter already has an error, and leaves the sweep unknown.
        check_parameters(span, sweep, asked, signature, errors);
    }
}

/// Checks that the kernel has sums of floats, and adds them up in the same order in every run.
fn check_deterministic(
    span: Span,
    keys: &Keys,
    signature: &Signature,
    form: Form,
    errors: &mut Errors,
) {
    let parameters = &signature.parameters;
    let has_auto = keys.asked.supported(form).auto.is_some();
    let visit = match form.outputs {
        Outputs::States => Some(Visit::ExactStates),
        _ if has_auto || super::map(keys, form).0.name() == Walk.name() => Some(Visit::ExactWalk),
        _ => None,
    };
    if signature.is_complete() && !parameters.iter().any(|each| each.kind.adds_floats(each)) {
        errors.span(span, "`deterministic` applies to sums and histograms of floats, but this kernel does not have any; its results are already the same in every run: remove it");
    } else if let Some(message) = visit.and_then(|visit| support::first(parameters, visit)) {
        errors.span(span, message);
    }
}

/// Checks that a tile has room for the features.
fn check_features(asked: &Asked, sizes: &Sizes, signature: &Signature, errors: &mut Errors) {
    let sides = tiles::folding(sizes);
    check_folds(sizes, signature, errors);
    if sides.is_empty() {
        let mut features = signature.parameters.iter().filter(|each| each.features().is_some());
        if let (true, Some(first)) = (sizes.has_many_panels(), features.next()) {
            errors.span(first.name.span(), "the shared memory of a block suffices for two parameters of features with `#[each]`, or for five with `#[row]` or `#[column]`: write fewer parameters, or two kernels");
        }
    }
    if let Some((span, side)) = asked.tile
        && !sides.is_empty()
        && !sides.contains(&side)
    {
        let known: Vec<_> = sides.iter().map(|side| format!("`tile = {side}`")).collect();
        let known = known.join(" or ");
        let message = match tiles::missing_for(side, sizes) {
            needs if needs.is_empty() => {
                format!("the sweep `fold` does not have tiles of {side}: write {known}")
            }
            needs => format!("a tile of {side} needs {}: write {known}", needs.join(" and ")),
        };
        errors.span(span, message);
    }
}

/// Checks that a thread has registers for the folds of a pair.
fn check_folds(sizes: &Sizes, signature: &Signature, errors: &mut Errors) {
    if let (true, Some(fold)) = (sizes.has_large_folds(), signature.folds.first()) {
        errors.span(fold.name.span(), "the folds of a pair can have at most 64 bytes in all, because a thread keeps them in registers: write smaller or fewer folds");
    }
}

/// Checks the keys against each other.
fn check_keys(asked: &Asked, errors: &mut Errors) {
    let sweep = asked.sweep.map(|(span, _)| span);
    let is_classic = asked.sweep.is_some_and(|(_, sweep)| sweep == Sweep::Classic);
    let has_sweep = sweep.is_some() && !is_classic;
    let has_threads = asked.threads.is_some();
    let tile = |is_zero| asked.tile.filter(|(_, side)| (*side == 0) == is_zero).map(|each| each.0);
    let block = asked.block.map(|(span, _)| span);
    for (key, is_wrong, message) in [
        (
            sweep,
            has_sweep && has_threads,
            "each thread has one pair in thread space: remove `sweep`",
        ),
        (tile(true), has_sweep, "`tile = 0` selects the classic sweep: remove it, or `sweep`"),
        (tile(false), has_threads, "each thread has one pair in thread space: remove `tile`"),
        (
            tile(false),
            is_classic && !has_threads,
            "the classic sweep uses blocks instead of tiles: remove `tile`, or write `block`",
        ),
        (
            block,
            has_sweep || tile(false).is_some(),
            "`block` applies to the classic sweep, with one thread per pair; for tiles, `tile` determines the threads: remove `block`",
        ),
        (
            asked.auto,
            has_threads,
            "`map = \"auto\"` cannot choose a map in thread space: write a map, for example `map = \"ltm\"`",
        ),
    ] {
        key.filter(|_| is_wrong).into_iter().for_each(|span| errors.span(span, message));
    }
}

/// Checks that the sweep supports the kernel's outputs, and that it has one that the sweep is for.
fn check_parameters(
    span: Span,
    sweep: Sweep,
    asked: &Asked,
    signature: &Signature,
    errors: &mut Errors,
) {
    let has = |role| signature.has(role);
    let (has_square, has_packed) = (has(Role::Square), has(Role::Packed) || has(Role::Matrix));
    let has_slots = has_packed || has_square;
    let has_tile = matches!(asked.tile, Some((_, 1..))) && asked.sweep.is_none();
    let has_results = signature.has_results(|_| true);
    let visit = match sweep {
        Sweep::Mirror => Some(Visit::Mirror),
        Sweep::Classic | Sweep::Rows
            if has_slots
                && has_results
                && (sweep == Sweep::Rows || has_tile)
                && !has_results_along_rows(signature, asked) =>
        {
            Some(Visit::Tiles)
        }
        Sweep::Rows if has_square => Some(Visit::SquareRows),
        Sweep::Columns => Some(Visit::Columns),
        Sweep::Rotate => Some(Visit::Rotate),
        _ => None,
    };
    let parameters = &signature.parameters;
    let refused = visit.and_then(|visit| support::first(parameters, visit));
    let purpose = || support::purpose(sweep, parameters).map(str::to_owned);
    refused.or_else(purpose).into_iter().for_each(|message| errors.span(span, message));
}

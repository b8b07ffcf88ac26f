//! Checks a kernel's sweep and tile keys against each other and against its parameters.

use proc_macro2::Span;
use td_kernel_geometry::{Map, Sweep, Walk};

use super::{chosen, has_results_along_rows};
use crate::errors::Errors;
use crate::kind::groups_floats;
use crate::model::{End, Form, Outputs, Role};
use crate::parse::asked::Asked;
use crate::parse::tiles::{self, Sizes};
use crate::parse::{Keys, Signature};

/// Checks the keys of the map, of the sweep and of its tiles against each other and against the signature.
pub(in crate::parse) fn check(keys: &Keys, signature: &Signature, form: Form, errors: &mut Errors) {
    let sizes = &Sizes::of(signature);
    if form.outputs == Outputs::States {
        return check_folds(sizes, signature, errors);
    }
    let asked = &keys.asked.supported(form);
    check_keys(asked, errors);
    if let (Some(threads), true) =
        (asked.threads, signature.has(Role::Square) && !keys.options.diagonal)
    {
        errors.span(threads, "in thread space, the slots (i, i) of a square are written only if they are pairs: write `diagonal = true`, or remove `space`");
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
    if let (Some(auto), Some(_)) = (asked.auto, asked.threads) {
        errors.span(auto, "`map = \"auto\"` cannot choose a map in thread space: write a map, for example `map = \"ltm\"`");
    }
    if let Some(span) = asked.deterministic {
        let (map, _) = super::map(keys, form);
        check_deterministic(span, asked, map, signature, errors);
    }
}

/// Checks that the kernel has sums of floats, and that its map can add them up in the same order in every run.
fn check_deterministic(
    span: Span,
    asked: &Asked,
    map: &dyn Map,
    signature: &Signature,
    errors: &mut Errors,
) {
    let parameters = &signature.parameters;
    let adds_floats = parameters.iter().any(|each| each.kind.adds_floats(each));
    if signature.is_complete() && !adds_floats {
        errors.span(span, "`deterministic` applies to sums and histograms of floats, but this kernel does not have any; its results are already the same in every run: remove it");
    } else if parameters.iter().any(groups_floats)
        && (asked.auto.is_some() || map.name() == Walk.name())
    {
        errors.span(span, "the map `walk`, which `auto` may choose, launches as many blocks as fit on the GPU, so sums of floats would depend on the GPU: write another map, for example `map = \"ltm\"`");
    }
}

/// Checks that the keys support features, and that a tile has room for the features.
fn check_features(asked: &Asked, sizes: &Sizes, signature: &Signature, errors: &mut Errors) {
    let sides = tiles::folding(sizes);
    check_folds(sizes, signature, errors);
    if sides.is_empty() {
        let mut features = signature.parameters.iter().filter(|each| each.features().is_some());
        if let (true, Some(first)) = (sizes.has_many_panels(), features.next()) {
            errors.span(first.name.span(), "the shared memory of a block suffices for two parameters of features with `#[each]`, or for five with `#[row]` or `#[column]`: write fewer parameters, or two kernels");
        }
    }
    if let Some((span, sweep)) = asked.sweep
        && sweep != Sweep::Fold
    {
        errors.span(span, "only the sweep `fold` supports features: remove `sweep`");
    }
    for span in asked.block.map(|(span, _)| span).into_iter().chain(asked.threads) {
        errors.span(
            span,
            "the sweep `fold` determines the threads of a block from `tile`: remove this key",
        );
    }
    if let Some((span, side)) = asked.tile
        && !sides.is_empty()
        && !sides.contains(&side)
    {
        let known: Vec<_> = sides.iter().map(ToString::to_string).collect();
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
    let sweep = asked.sweep.map(|(_, sweep)| sweep);
    if let (Some((span, sweep)), Some(_)) = (asked.sweep, asked.threads)
        && sweep != Sweep::Classic
    {
        errors.span(span, "each thread has one pair in thread space: remove `sweep`");
    }
    match asked.tile {
        Some((span, 0)) if sweep.is_some_and(|sweep| sweep != Sweep::Classic) => {
            errors.span(span, "`tile = 0` selects the classic sweep: remove it, or `sweep`");
        }
        Some((span, 1..)) if asked.threads.is_some() => {
            errors.span(span, "each thread has one pair in thread space: remove `tile`");
        }
        Some((span, 1..)) if sweep == Some(Sweep::Classic) => {
            errors.span(
                span,
                "the classic sweep uses blocks instead of tiles: remove `tile`, or write `block`",
            );
        }
        _ => {}
    }
    let has_tiles =
        matches!(asked.tile, Some((_, 1..))) || sweep.is_some_and(|sweep| sweep != Sweep::Classic);
    if let (Some((block, _)), true) = (asked.block, has_tiles) {
        errors.span(
            block,
            "`block` applies to the classic sweep, with one thread per pair; for tiles, `tile` determines the threads: remove `block`",
        );
    }
}

/// Checks that the sweep supports the kernel's outputs.
fn check_parameters(
    span: Span,
    sweep: Sweep,
    asked: &Asked,
    signature: &Signature,
    errors: &mut Errors,
) {
    let has = |role| signature.has(role);
    let (packed, square) = (has(Role::Packed) || has(Role::Matrix), has(Role::Square));
    let has_tile = matches!(asked.tile, Some((_, 1..)));
    let (has_results, has_column_results) =
        (signature.has_results(|_| true), signature.has_results(End::has_column));
    let message = match sweep {
        Sweep::Mirror if has_results => {
            "this sweep does not support results of elements, because its threads do not keep an element: remove `sweep`, or write `sweep = \"classic\"`"
        }
        Sweep::Classic | Sweep::Rows
            if has_results
                && (packed || square)
                && (sweep == Sweep::Rows || has_tile && asked.sweep.is_none())
                && !has_results_along_rows(signature, asked) =>
        {
            "results of elements share tiles with slots if these are no `Square`, a tile has 32, 64, 128 or 256 elements, the results of a column take at most 32 bytes and sums are not `deterministic`: remove `tile` or `sweep`, or write a kernel for each"
        }
        Sweep::Columns if has_column_results => {
            "all threads of the sweep `columns` have the same column at a time, so no thread can keep its results: write `sweep = \"rotate\"`"
        }
        Sweep::Rotate if !has_column_results => {
            "the sweep `rotate` is for results of column elements: write `sweep = \"columns\"`"
        }
        Sweep::Fold => {
            "the sweep `fold` needs features, but no parameter is `&Features<T>`: remove `sweep`"
        }
        Sweep::Columns | Sweep::Rotate if packed || square => {
            "neighbouring threads of this sweep would write to slots that are far apart: write `sweep = \"rows\"`, or use a sum or a list instead"
        }
        Sweep::Rows if packed && square => {
            "the rows of packed slots and of a square start at different offsets: write `sweep = \"mirror\"`, or keep one of the two"
        }
        Sweep::Rows if !packed && !square => {
            "the sweep `rows` is for `Packed`, `Square` and `Matrix`: write `sweep = \"columns\"`"
        }
        Sweep::Rows if square && (has(Role::Gathered) || has(Role::Memory)) => {
            "the sweep `rows` computes both halves of a square and so evaluates each pair twice, which would change sums, lists and slices: write `sweep = \"mirror\"`"
        }
        Sweep::Mirror if !square => {
            "the sweep `mirror` is for `Square`: write `sweep = \"rows\"` for `Packed` and `Matrix`, or `sweep = \"columns\"`"
        }
        _ => return,
    };
    errors.span(span, message);
}

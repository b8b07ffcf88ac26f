//! Which sweep a kernel gets, and in which tiles: from its keys, and else from its parameters.

use proc_macro2::Span;
use td_kernel_maps::{H, Ltm, Map, Rb, Walk};

use crate::cuda::types::{self, Origin};
use crate::errors::Errors;
use crate::model::{Kind, Parameter, Sweep, Variant};

/// What the keys say of the sweep, each with its place.
#[derive(Default)]
pub(crate) struct Asked {
    /// `sweep`.
    pub(crate) sweep: Option<(Span, Sweep)>,
    /// `tile`; 0 is the classic sweep.
    pub(crate) tile: Option<(Span, u32)>,
    /// `block`.
    pub(crate) block: Option<Span>,
    /// `space = "thread"`.
    pub(crate) threads: Option<Span>,
    /// `map = "auto"`.
    pub(crate) auto: Option<Span>,
}

/// The maps of `map = "auto"`: for each kind of tile the first one by default, the others for tuning to find.
/// Those that are not here launch more blocks than these, or more kernels.
fn auto(variant: Variant) -> &'static [&'static dyn Map] {
    match variant.sweep {
        // Where nothing is written, or little, `rb` has the least to compute before a tile.
        Sweep::Columns => &[&Rb, &Ltm, &H, &Walk],
        Sweep::Rows if variant.tile == 32 => &[&Rb, &Ltm, &H, &Walk],
        // Rows of slots are written fastest in the order of `ltm`, one after another in memory.
        _ => &[&Ltm, &Rb, &H, &Walk],
    }
}

/// The kernel's variants, the first of them for large n.
pub(crate) fn variants(
    asked: &Asked,
    first: Variant,
    parameters: &[Option<Parameter>],
    errors: &mut Errors,
) -> Vec<Variant> {
    let has = |kind| parameters.iter().flatten().any(|each| each.kind == kind);
    check_keys(asked, errors);
    if let (Some(threads), true) = (asked.threads, has(Kind::Square)) {
        errors.span(
            threads,
            "in thread space no thread has the diagonal of a square: remove `space`",
        );
    }
    let sweeps = match asked.sweep {
        Some((_, sweep)) => vec![sweep],
        None if matches!(asked.tile, Some((_, 0))) => vec![Sweep::Classic],
        None if asked.block.is_some() || asked.threads.is_some() => vec![Sweep::Classic],
        None => usual(&has, asked.tile.is_some(), square_bytes(parameters)),
    };
    let span = asked.sweep.map(|each| each.0).or(asked.tile.map(|each| each.0));
    // A parameter that is wrong has its error already, and says nothing of the sweep.
    if let (Some(span), Some(&sweep), true) =
        (span, sweeps.first(), parameters.iter().all(Option::is_some))
    {
        check_parameters(span, sweep, asked, &has, errors);
    }
    if let (Some(auto), Some(_)) = (asked.auto, asked.threads) {
        errors.span(auto, "in thread space there is nothing to choose from: write the map that you want, as `map = \"ltm\"`");
    }
    let variants = of_sweeps(&sweeps, asked, first, parameters);
    if asked.auto.is_none() {
        return variants;
    }
    let of_map = |variant: Variant, map: &'static dyn Map| Variant {
        map,
        linear: variant.linear && map.has_linear_grid(),
        ..variant
    };
    let with_maps = |variant: Variant| auto(variant).iter().map(move |map| of_map(variant, *map));
    variants.into_iter().flat_map(with_maps).collect()
}

/// The variants of one map.
fn of_sweeps(
    sweeps: &[Sweep],
    asked: &Asked,
    first: Variant,
    parameters: &[Option<Parameter>],
) -> Vec<Variant> {
    let mut variants = Vec::new();
    for &sweep in sweeps {
        let variant = |&(tile, columns): &(u32, u32)| Variant { sweep, tile, columns, ..first };
        match asked.tile {
            Some((_, tile)) if sweep != Sweep::Classic => {
                variants.push(variant(&(tile, first.columns)));
            }
            _ => variants.extend(usual_tiles(sweep, parameters).iter().map(variant)),
        }
    }
    variants
}

/// The sweeps for what the kernel writes.
fn usual(has: &dyn Fn(Kind) -> bool, has_tile: bool, square_bytes: Option<usize>) -> Vec<Sweep> {
    let fits = square_bytes.is_some_and(|bytes| bytes <= MOST_MIRRORED);
    let lists = has(Kind::Sum) || has(Kind::Pairs);
    match (has(Kind::Packed), has(Kind::Square)) {
        // Their rows lie differently, so no sweep is good for both.
        (true, true) => vec![Sweep::Classic],
        (true, false) => vec![Sweep::Rows],
        // Each pair once, because what else a pair does, it does once.
        (false, true) if lists || has(Kind::SliceMut) => match fits || has_tile {
            true => vec![Sweep::Mirror],
            false => vec![Sweep::Classic],
        },
        (false, true) if !fits && !has_tile => vec![Sweep::Rows],
        // A launch takes the first where rows start at multiples of a few elements, else the second.
        (false, true) => vec![Sweep::Mirror, Sweep::Rows],
        // A kernel that writes by itself may count on neighbouring threads having neighbouring j.
        (false, false) if has_tile || (lists && !has(Kind::SliceMut)) => vec![Sweep::Columns],
        (false, false) => vec![Sweep::Classic],
    }
}

/// The bytes that a pair has in all squares; `None` where only rustc knows.
fn square_bytes(parameters: &[Option<Parameter>]) -> Option<usize> {
    let squares = parameters.iter().flatten().filter(|each| each.kind == Kind::Square);
    squares.map(|each| types::size(&each.cuda)).sum()
}

/// The most bytes of a pair in squares with which mirrored tiles of 32 fit a block's shared memory, beside
/// the elements; and with which tiles of 64 do.
const MOST_MIRRORED: usize = 32;
const MOST_MIRRORED_64: usize = 8;

/// The most bytes of an element, in all parameters together, of which a thread keeps eight.
const MOST_OF_256: usize = 16;

/// The tiles that a launch chooses from, and in the sweep over rows the columns of a thread: large tiles
/// for large n; small ones, and more threads for each, so that a small n keeps the whole GPU busy.
fn usual_tiles(sweep: Sweep, parameters: &[Option<Parameter>]) -> &'static [(u32, u32)] {
    let staged = || parameters.iter().flatten().filter(|each| each.kind == Kind::Each);
    let has_structs = staged().any(|each| each.cuda.origin == Origin::User);
    let bytes: Option<usize> = staged().map(|each| types::size(&each.cuda)).sum();
    let are_few = bytes.is_some_and(|bytes| bytes <= MOST_OF_256);
    let has_small_elements = bytes.is_some_and(|bytes| bytes <= 8);
    match sweep {
        Sweep::Classic => &[(0, 1)],
        // A thread keeps the elements of its rows in registers, eight rows in a tile of 256, and a struct may
        // take many.
        Sweep::Columns if has_structs => &[(64, 1), (32, 1)],
        Sweep::Columns if !are_few => &[(128, 1), (64, 1), (32, 1)],
        Sweep::Columns => &[(256, 1), (128, 1), (64, 1)],
        // Small elements are soon read, and more threads hide how long a store takes.
        Sweep::Rows if has_small_elements => &[(64, 4), (32, 4)],
        Sweep::Rows => &[(64, 8), (64, 4), (32, 4)],
        Sweep::Mirror if square_bytes(parameters).is_none_or(|bytes| bytes > MOST_MIRRORED_64) => {
            &[(32, 4)]
        }
        Sweep::Mirror => &[(64, 4), (32, 4)],
    }
}

/// Checks that the keys go together.
fn check_keys(asked: &Asked, errors: &mut Errors) {
    let sweep = asked.sweep.map(|(_, sweep)| sweep);
    if let (Some((span, Sweep::Columns | Sweep::Rows | Sweep::Mirror)), Some(_)) =
        (asked.sweep, asked.threads)
    {
        errors.span(span, "in thread space each thread has one pair: remove `sweep`");
    }
    match asked.tile {
        Some((span, 0)) if sweep.is_some_and(|sweep| sweep != Sweep::Classic) => {
            errors.span(span, "`tile = 0` is the classic sweep: remove it, or `sweep`");
        }
        Some((span, 1..)) if asked.threads.is_some() => {
            errors.span(span, "in thread space each thread has one pair: remove `tile`");
        }
        Some((span, 1..)) if sweep == Some(Sweep::Classic) => {
            errors.span(
                span,
                "the classic sweep has blocks, and no tiles: remove `tile`, or write `block`",
            );
        }
        _ => {}
    }
    let has_tiles =
        matches!(asked.tile, Some((_, 1..))) || sweep.is_some_and(|sweep| sweep != Sweep::Classic);
    if let (Some(block), true) = (asked.block, has_tiles) {
        errors.span(
            block,
            "`block` is of the classic sweep, with one thread a pair; in tiles the threads follow from `tile`: remove `block`",
        );
    }
}

/// Checks that the sweep can do what the kernel writes.
fn check_parameters(
    span: Span,
    sweep: Sweep,
    asked: &Asked,
    has: &dyn Fn(Kind) -> bool,
    errors: &mut Errors,
) {
    let (packed, square) = (has(Kind::Packed), has(Kind::Square));
    let has_tile = matches!(asked.tile, Some((_, 1..)));
    let message = match sweep {
        // An asked sweep with a tile has its error already.
        Sweep::Classic if has_tile && asked.sweep.is_none() && packed && square => {
            "the rows of packed slots and of a square start at different places, and have no tiles in common: remove `tile`, or write one of the two"
        }
        Sweep::Columns if packed || square => {
            "in the sweep over columns neighbouring threads would write slots far apart: write `sweep = \"rows\"`, or sum or list instead"
        }
        Sweep::Rows | Sweep::Mirror if packed && square => {
            "the rows of packed slots and of a square start at different places: write `sweep = \"classic\"`, or one of the two"
        }
        Sweep::Rows if !packed && !square => {
            "the sweep over rows is for `Packed` and `Square`: write `sweep = \"columns\"`"
        }
        Sweep::Rows if square && (has(Kind::Sum) || has(Kind::Pairs) || has(Kind::SliceMut)) => {
            "the sweep over rows computes both halves of a square, and so each pair twice, which sums, lists and slices would show: write `sweep = \"mirror\"`"
        }
        Sweep::Mirror if !square => {
            "the mirror sweep is for `Square`: write `sweep = \"rows\"` for `Packed`, or `sweep = \"columns\"`"
        }
        _ => return,
    };
    errors.span(span, message);
}

//! Chooses maps, sweeps and tiles from the `Spec` alone, and which ways of launching the kernel refuses.

use td_kernel_geometry::{
    FILTERED, H, Ltm, Map, NEAR, NEAR_ROWS, ROW_BLOCKS, RUNS, Rb, SET_ROWS, SETS, Strips, Sweep,
    Tiling, Walk,
};

use super::asked::Asked;
use super::sweep;
use super::tiles::{self, Sizes};
use super::{Spec, dot, given_pairs, launches};
use crate::cuda_type::Origin;
use crate::model::{Elements, Form, Members, Outputs, Parameter, Role, Shape, Variant, Variants};

/// The variants of a kernel, with those for given pairs and why launches are refused.
pub(super) fn variants(spec: &Spec) -> Variants {
    let Spec { keys, signature, form, bodies, .. } = spec;
    let parameters = &signature.parameters;
    let (own, has_tiles) = own(*form);
    let tiles = if has_tiles { tiles(spec) } else { Vec::new() };
    // After the tiles in which all pairs are evaluated, which a search for neighbours uses in its first round.
    let bounded = bodies.lower.as_ref().map(|_| bounded(*form));
    let fallback = fallback(spec).filter(|_| has_tiles && !adds_each_pair(spec));
    let product = signature.product.as_ref();
    let product = product.and_then(|_| dot::variant(keys.options.deterministic, parameters));
    let fallbacks = usize::from(fallback.is_some());
    let all = own.into_iter().chain(tiles).chain(bounded).chain(fallback).chain(product);
    let all: Vec<_> = all.collect();
    let refused = launches::refused_launches(spec, &all);
    Variants {
        all,
        fallbacks,
        entries: refused.pairs.is_none().then(given_pairs::variant),
        refused,
        partners: given_pairs::by_element(&keys.options, parameters),
    }
}

/// The variant of a form with a sweep of its own, and whether the form also has the tiles of a map.
fn own(form: Form) -> (Option<Variant>, bool) {
    let (map, sweep, side, has_tiles): (&dyn Map, _, _, _) =
        match (form.members, form.shape, form.elements, form.outputs) {
            (Members::Many, _, Elements::Plain, Outputs::Nearest | Outputs::States) => {
                (SET_ROWS, Sweep::SetRows, 32, false)
            }
            (_, _, _, Outputs::States) => (ROW_BLOCKS, Sweep::Reduce, 32, false),
            // Runs of pairs for rectangles of all sizes; large triangles have tiles.
            (Members::Many, shape, Elements::Plain, _) => {
                (SETS, Sweep::Sets, 1, shape == Shape::Triangle)
            }
            _ => return (None, true),
        };
    (Some(Variant::new(map, sweep, side)), has_tiles)
}

/// The variant that evaluates a lower bound: for the boxes of two tiles, or for each pair.
fn bounded(form: Form) -> Variant {
    let [triangle, rectangle] = FILTERED;
    let (map, sweep, side): (&dyn Map, _, _) = match (form.elements, form.outputs, form.shape) {
        (Elements::Plain, Outputs::Nearest, _) => (NEAR_ROWS, Sweep::Near, 32),
        (Elements::Plain, _, _) => (NEAR, Sweep::Near, 32),
        (_, Outputs::Nearest, Shape::Triangle) => (triangle, Sweep::Filter, 128),
        (_, Outputs::Nearest, Shape::Rectangle) => (rectangle, Sweep::Filter, 128),
        (_, _, _) => (RUNS, Sweep::Filter, 128),
    };
    Variant::new(map, sweep, side)
}

/// The maps of `map = "auto"`. The first one is the default; tuning may choose another. Maps that are not listed launch more
/// blocks, or more kernels.
fn auto(tiling: Tiling, is_for_many: bool) -> &'static [&'static dyn Map] {
    match tiling.sweep {
        // With few or no writes, `rb` is best: it computes the least before a tile.
        Sweep::Columns | Sweep::Rotate => &[&Rb, &Ltm, &H, &Walk],
        Sweep::Rows if tiling.side == 32 && !is_for_many => &[&Rb, &Ltm, &H, &Walk],
        Sweep::Fold => &[&Strips, &Ltm, &Rb, &Walk],
        // Slots are written fastest in the order of `ltm`, which visits neighbouring rows one after another, as they are in
        // memory.
        _ => &[&Ltm, &Rb, &H, &Walk],
    }
}

/// The variants with the tiles of a map, or of several for `map = "auto"`; the first is for large n.
fn tiles(spec: &Spec) -> Vec<Variant> {
    let Spec { keys, signature, form, .. } = spec;
    let (asked, sizes) = (&keys.asked, &Sizes::of(signature));
    let sweeps = sweep::chosen(asked, signature, *form);
    let tilings: Vec<_> =
        sweeps.into_iter().flat_map(|sweep| tilings(sweep, asked, sizes)).collect();
    // Tiles of another size would group other pairs as floats before the exact sum. So there is one size, for few and many
    // elements.
    let tilings = match tilings[..] {
        [first, second, ..] if asked.deterministic.is_some() && second.sweep == first.sweep => {
            vec![second]
        }
        [first, ..] if asked.deterministic.is_some() => vec![first],
        _ => tilings,
    };
    let (map, linear) = sweep::map(keys, *form);
    let tiled = |(at, tiling): (usize, Tiling)| {
        let maps = if asked.auto.is_some() { auto(tiling, at == 0).to_vec() } else { vec![map] };
        let tiling = if adds_each_pair(spec) { CLASSIC } else { tiling };
        let variant = move |map: &'static dyn Map| Variant {
            map,
            linear: linear && map.has_linear_grid(),
            tiling,
        };
        maps.into_iter().map(variant)
    };
    tilings.into_iter().enumerate().flat_map(tiled).collect()
}

/// The tiles of a sweep, from large to small.
fn tilings(sweep: Sweep, asked: &Asked, sizes: &Sizes) -> Vec<Tiling> {
    match asked.tile {
        _ if sweep == Sweep::Classic => {
            vec![Tiling::new(sweep, asked.block.map_or(CLASSIC.side, |(_, block)| block))]
        }
        Some((_, side)) => vec![tiles::of(sweep, side, sizes)],
        None => tiles::usual(sweep, sizes),
    }
}

/// The blocks of the classic sweep, unless `block` is given.
const CLASSIC: Tiling = Tiling::new(Sweep::Classic, 16);

/// Whether each pair is added to exact sums by itself, as in near tiles.
fn adds_each_pair(spec: &Spec) -> bool {
    spec.near.is_some() && spec.keys.options.deterministic
}

/// The variant for elements and slots so large that no tile of them fits a block's shared memory: one thread per pair. Only
/// rustc knows the sizes of structs; numbers always fit.
fn fallback(spec: &Spec) -> Option<Variant> {
    let Spec { keys, signature, form, .. } = spec;
    let is_asked = keys.asked.tiling().chain(keys.asked.threads).next().is_some();
    let is_kept = |role| matches!(role, Role::Elements | Role::Row | Role::Column);
    let is_large = |each: &Parameter| {
        each.cuda.origin == Origin::User && (is_kept(each.kind.role()) || each.is_slot())
    };
    let is_right = !is_asked && !form.elements.has_features();
    let (map, linear) = sweep::map(keys, *form);
    let is_needed = is_right && signature.parameters.iter().any(is_large);
    is_needed.then_some(Variant { map, linear, tiling: CLASSIC })
}

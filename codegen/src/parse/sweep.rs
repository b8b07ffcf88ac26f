//! Selects a kernel's sweep and tiles, from its keys or else from its parameters.

mod check;

use proc_macro2::Span;
use td_kernel_maps::{H, Ltm, Map, Rb, Strips, Sweep, Tiling, Walk};

use self::check::{check_deterministic, check_features, check_keys, check_parameters};
use super::tiles::{self, Sizes};
use crate::cuda_type::Origin;
use crate::errors::Errors;
use crate::model::{End, Fold, Parameter, Role, Variant};

/// The requested sweep and tile, each with its span.
#[derive(Default)]
pub(crate) struct Asked {
    /// `sweep`.
    pub(crate) sweep: Option<(Span, Sweep)>,
    /// `tile`; 0 is the classic sweep.
    pub(crate) tile: Option<(Span, u32)>,
    /// `block`.
    pub(crate) block: Option<(Span, u32)>,
    /// `space = "thread"`.
    pub(crate) threads: Option<Span>,
    /// `map = "auto"`.
    pub(crate) auto: Option<Span>,
    /// `diagonal = true`.
    pub(crate) diagonal: bool,
    /// `deterministic = true`.
    pub(crate) deterministic: Option<Span>,
}

impl Asked {
    /// Where the keys of a sweep and of tiles are.
    pub(crate) fn tiling(&self) -> impl Iterator<Item = Span> + use<> {
        let of_tiles = [self.tile, self.block].into_iter().flatten().map(|each| each.0);
        self.sweep.map(|each| each.0).into_iter().chain(of_tiles)
    }
}

/// The maps of `map = "auto"`. The first one is the default; tuning may choose another. Maps that are not listed launch more
/// blocks, or more kernels.
fn auto(variant: Variant, is_for_many: bool) -> &'static [&'static dyn Map] {
    match variant.tiling.sweep {
        // With few or no writes, `rb` is best: it computes the least before a tile.
        Sweep::Columns | Sweep::Rotate => &[&Rb, &Ltm, &H, &Walk],
        Sweep::Rows if variant.tiling.side == 32 && !is_for_many => &[&Rb, &Ltm, &H, &Walk],
        Sweep::Fold => &[&Strips, &Ltm, &Rb, &Walk],
        // Slots are written fastest in the order of `ltm`, which visits neighbouring rows one after another, as they are in
        // memory.
        _ => &[&Ltm, &Rb, &H, &Walk],
    }
}

/// The threads per side of a block in the classic sweep, unless `block` is given.
pub(super) const BLOCK: u32 = 16;

/// Checks the folds of a kernel with a sweep of its own.
pub(crate) fn check_folds(
    parameters: &[Option<Parameter>],
    folds: &[Option<Fold>],
    errors: &mut Errors,
) {
    check::check_folds(&Sizes::of(parameters, folds), folds, errors);
}

/// The kernel's variants on this map, or on several for `map = "auto"`; the first is for large n.
pub(crate) fn variants(
    asked: &Asked,
    map: (&'static dyn Map, bool),
    parameters: &[Option<Parameter>],
    folds: &[Option<Fold>],
    errors: &mut Errors,
) -> Vec<Variant> {
    let sizes = &Sizes::of(parameters, folds);
    let has_features = parameters.iter().flatten().any(|each| each.features().is_some());
    let has = |role| parameters.iter().flatten().any(|each| each.kind.role() == role);
    check_keys(asked, errors);
    if let (Some(threads), true) = (asked.threads, has(Role::Square) && !asked.diagonal) {
        errors.span(threads, "in thread space, the slots (i, i) of a square are written only if they are pairs: write `diagonal = true`, or remove `space`");
    }
    let sweeps = match asked.sweep {
        // Only this sweep supports features.
        _ if has_features => {
            check_features(asked, sizes, parameters, folds, errors);
            vec![Sweep::Fold]
        }
        Some((_, sweep)) => vec![sweep],
        None if matches!(asked.tile, Some((_, 0))) => vec![Sweep::Classic],
        None if asked.block.is_some() || asked.threads.is_some() => vec![Sweep::Classic],
        None => usual(&has, asked.tile.is_some(), sizes.slot_bytes()),
    };
    let span = asked.sweep.map(|each| each.0).or(asked.tile.map(|each| each.0));
    // A wrong parameter already has an error, and leaves the sweep unknown.
    let is_known = !has_features && parameters.iter().all(Option::is_some);
    if let (Some(span), Some(&sweep), true) = (span, sweeps.first(), is_known) {
        check_parameters(span, sweep, asked, &has, errors);
    }
    if let (Some(auto), Some(_)) = (asked.auto, asked.threads) {
        errors.span(auto, "`map = \"auto\"` cannot choose a map in thread space: write a map, for example `map = \"ltm\"`");
    }
    let mut variants = of_sweeps(&sweeps, asked, map, sizes);
    if let Some(span) = asked.deterministic {
        check_deterministic(span, asked, map.0, parameters, errors);
        // Tiles of another size would group other pairs as floats before the exact sum. So there is one size, for few and many
        // elements.
        let first = variants.first();
        let one = variants
            .get(1)
            .filter(|second| first.is_some_and(|first| second.tiling.sweep == first.tiling.sweep));
        variants = one.or(first).copied().into_iter().collect();
    }
    if asked.auto.is_none() {
        return variants;
    }
    let of_map = |variant: Variant, map: &'static dyn Map| Variant {
        map,
        linear: variant.linear && map.has_linear_grid(),
        ..variant
    };
    let with_maps = |(at, variant): (usize, Variant)| {
        auto(variant, at == 0).iter().map(move |map| of_map(variant, *map))
    };
    variants.into_iter().enumerate().flat_map(with_maps).collect()
}

/// The variant for elements and slots so large that no tile of them fits a block's shared memory: one thread per pair. Only
/// rustc knows the sizes of structs; numbers always fit.
pub(crate) fn fallback(
    asked: &Asked,
    (map, linear): (&'static dyn Map, bool),
    parameters: &[Option<Parameter>],
) -> Option<Variant> {
    let is_asked = asked.sweep.is_some()
        || asked.tile.is_some()
        || asked.block.is_some()
        || asked.threads.is_some();
    let mut known = parameters.iter().flatten();
    let has_features = known.clone().any(|each| each.features().is_some());
    let is_kept = |role| matches!(role, Role::Elements | Role::Row | Role::Column);
    let is_large = |each: &Parameter| {
        each.cuda.origin == Origin::User && (is_kept(each.kind.role()) || each.is_slot())
    };
    let tiling = Tiling::new(Sweep::Classic, BLOCK);
    (!is_asked && !has_features && known.any(is_large)).then_some(Variant { map, linear, tiling })
}

/// The variants of one map.
fn of_sweeps(
    sweeps: &[Sweep],
    asked: &Asked,
    (map, linear): (&'static dyn Map, bool),
    sizes: &Sizes,
) -> Vec<Variant> {
    let block = asked.block.map_or(BLOCK, |(_, block)| block);
    let tilings = sweeps.iter().flat_map(|&sweep| match asked.tile {
        _ if sweep == Sweep::Classic => vec![Tiling::new(sweep, block)],
        Some((_, side)) => vec![tiles::of(sweep, side, sizes)],
        None => tiles::usual(sweep, sizes),
    });
    tilings.map(|tiling| Variant { map, linear, tiling }).collect()
}

/// The possible sweeps for the kernel's outputs.
fn usual(has: &dyn Fn(Role) -> bool, has_tile: bool, slot_bytes: Option<u32>) -> Vec<Sweep> {
    let fits = slot_bytes.is_some_and(|bytes| bytes <= MAX_MIRRORED_BYTES);
    let lists = has(Role::Gathered);
    let results = Results::of(has);
    let are_near = has(Role::Neighbours(End::Each)) || has(Role::Neighbours(End::Row));
    match (has(Role::Packed) || has(Role::Matrix), has(Role::Square)) {
        // Packed rows and square rows are laid out differently, so no other sweep suits both.
        (true, true) => vec![Sweep::Classic],
        // Threads along a row have its slots side by side; threads that keep rows have the results of elements.
        (is_packed, is_square) if (is_packed || is_square) && results.are_any => {
            vec![Sweep::Classic]
        }
        (true, false) => vec![Sweep::Rows],
        // Each pair once, because a pair must be pushed, or write to memory, once.
        (false, true) if lists || has(Role::Memory) => match fits || has_tile {
            true => vec![Sweep::Mirror],
            false => vec![Sweep::Classic],
        },
        (false, true) if slot_bytes.is_some() && !fits && !has_tile => vec![Sweep::Rows],
        // A launch takes the first one if rows start at memory sectors, else the second. For structs, rustc decides whether the
        // first one fits.
        (false, true) => vec![Sweep::Mirror, Sweep::Rows],
        // A kernel that writes to memory directly may rely on neighbouring threads having neighbouring j.
        (false, false) if results.are_of_columns && (has_tile || !has(Role::Memory)) => {
            vec![Sweep::Rotate]
        }
        (false, false)
            if has_tile || ((lists || results.are_any || are_near) && !has(Role::Memory)) =>
        {
            vec![Sweep::Columns]
        }
        (false, false) => vec![Sweep::Classic],
    }
}

/// The results of elements in a kernel.
struct Results {
    are_any: bool,
    /// Whether some belong to a pair's column.
    are_of_columns: bool,
}

impl Results {
    fn of(has: &dyn Fn(Role) -> bool) -> Results {
        let are_of_columns = has(Role::Result(End::Each)) || has(Role::Result(End::Column));
        Results { are_any: are_of_columns || has(Role::Result(End::Row)), are_of_columns }
    }
}

/// The maximum bytes of a pair in squares with which mirrored tiles of 32 fit a block's shared memory, beside the elements.
const MAX_MIRRORED_BYTES: u32 = 32;

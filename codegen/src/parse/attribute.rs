//! The keys of `#[td_kernel(…)]`.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Expr, ExprLit, Ident, Lit};
use td_kernel_geometry::{DEFAULT_EPSILON, Ltm, MAPS, Map, Root, SWEEPS, Space, Sweep};

use super::key::{Entry, entries};
use super::order::{self, Order};
use super::prelude;
use super::value::{epsilon_value, integer, is_plain, word};
use crate::Files;
use crate::errors::{Errors, list};
use crate::model::{Body, Constant, Options};
use crate::parse::asked::Asked;
use crate::support;

/// The known threads per side of a block.
const BLOCKS: &[u32] = &[8, 16, 32];

/// The known elements per side of a tile.
const TILES: &[u32] = &[32, 64, 96, 128, 160, 192, 224, 256];

/// The values of the keys.
pub(crate) struct Keys {
    /// The options that are the same in all variants.
    pub(crate) options: Options,
    /// The map, and whether its grid is the one-dimensional one.
    pub(crate) map: (&'static dyn Map, bool),
    /// The requested sweep and tile.
    pub(crate) asked: Asked,
    /// The names of the keys, without `r#`.
    pub(super) names: Vec<Ident>,
    /// The members by which elements are sorted.
    pub(crate) order: Option<Order>,
    /// The prelude, and the span for messages about it.
    pub(crate) prelude: Option<(Body, Span)>,
    /// The Rust constants.
    pub(crate) constants: Vec<Constant>,
}

impl Keys {
    /// Whether they choose a map.
    pub(super) fn choose_map(&self) -> bool {
        self.names.iter().any(|key| support::chooses_map(&key.to_string()))
    }

    /// The body of the prelude.
    pub(super) fn prelude(&self) -> Option<&Body> {
        self.prelude.as_ref().map(|(prelude, _)| prelude)
    }
}

/// A key and its value, if the user wrote it; without a value if that is wrong.
type Given<T> = Option<(Ident, Option<T>)>;

/// Reads the options. A wrong option adds an error and gets its default.
pub(crate) fn parse(attribute: TokenStream, files: &dyn Files, errors: &mut Errors) -> Keys {
    let entries = (|input: ParseStream<'_>| Ok(entries(input, errors))).parse2(attribute);
    let entries = entries.unwrap_or_else(|error| {
        errors.push(error);
        Vec::new()
    });
    let mut map: &'static dyn Map = &Ltm;
    let (mut root, mut space, mut grid) = (None, None, None);
    let mut epsilon = None;
    let mut asked = Asked::default();
    let mut options = Options {
        root: Root::Exact,
        space: Space::Block,
        diagonal: false,
        deterministic: false,
        fmad: false,
        runtime: quote!(::td_kernel),
    };
    let mut names: Vec<Ident> = Vec::new();
    let (mut order, mut prelude, mut constants) = (None, None, Vec::new());
    for entry in entries {
        let (Entry::Value(key, _) | Entry::List(key, _)) = &entry;
        let (key, name) = (key.clone(), key.unraw().to_string());
        if names.iter().any(|other| *other == name) {
            errors.span(key.span(), format!("`{name}` is given twice: keep one of the two"));
            continue;
        }
        names.push(key.unraw());
        let value = match entry {
            Entry::Value(_, value) => value,
            Entry::List(_, list) => {
                constants = prelude::constants(list, errors);
                continue;
            }
        };
        match name.as_str() {
            "order" => order = order::parse(key.span(), &value, errors),
            "prelude" => prelude = prelude::prelude(&value, files, errors),
            "map" => {
                let names: Vec<_> = MAPS.iter().map(|map| map.name()).chain(["auto"]).collect();
                if let Some(name) = word(&value, "map", &names, errors) {
                    map = td_kernel_geometry::map(name).unwrap_or(map);
                    asked.auto = (name == "auto").then(|| key.span());
                }
            }
            "sqrt" => root = Some((key, word(&value, "sqrt", Root::NAMES, errors))),
            "space" => space = Some((key, word(&value, "space", &["block", "thread"], errors))),
            "grid" => grid = Some((key, word(&value, "grid", &["balanced", "linear"], errors))),
            "epsilon" => epsilon = Some((key, epsilon_value(&value, errors))),
            "diagonal" => {
                let message = "`diagonal` must be `true` (pairs i >= j) or `false` (pairs i > j)";
                options.diagonal = boolean(&value, message, errors);
            }
            "fmad" => {
                let message = "`fmad` must be `true` (compilers may fuse a product with a sum) or `false` (only `fmaf` and `fma` do)";
                options.fmad = boolean(&value, message, errors);
            }
            "block" => {
                let block = integer(&value).filter(|value| BLOCKS.contains(value));
                if block.is_none() {
                    errors.at(
                        &value,
                        "`block` is the number of threads per side of a block: write 8, 16 or 32",
                    );
                }
                asked.block = Some((key.span(), block.unwrap_or(BLOCKS[0])));
            }
            "sweep" => {
                let names: Vec<_> = SWEEPS.iter().map(|sweep| sweep.name()).collect();
                let sweep = word(&value, "sweep", &names, errors).and_then(Sweep::of);
                asked.sweep = sweep.map(|sweep| (key.span(), sweep));
            }
            "tile" => match integer(&value) {
                Some(size) if size == 0 || TILES.contains(&size) => {
                    asked.tile = Some((key.span(), size));
                }
                _ => errors.at(
                    &value,
                    "`tile` is the number of elements per side of a tile: write a multiple of 32 \
                         from 32 to 256, or 0 for one thread per pair",
                ),
            },
            "deterministic" => {
                let message = "`deterministic` must be `true` (sums and histograms of floats have the same bits in every run) or `false`";
                options.deterministic = boolean(&value, message, errors);
                asked.deterministic = options.deterministic.then(|| key.span());
            }
            // The only remaining key.
            _ => match &value {
                Expr::Path(path) if is_plain(path) => options.runtime = path.to_token_stream(),
                _ => errors.at(
                    &value,
                    "`crate` is the path of the runtime crate: write `crate = ::td_kernel`",
                ),
            },
        }
    }
    options.space = space_of(map, &space, errors);
    asked.threads = space.filter(|_| options.space == Space::Thread).map(|(key, _)| key.span());
    let linear = linear_of(map, options.space, &grid, errors);
    options.root = root_of(map, &root, &epsilon, errors);
    Keys { options, map: (map, linear), asked, names, order, prelude, constants }
}

/// The value of a key that is true or false. False after adding an error.
fn boolean(value: &Expr, message: &str, errors: &mut Errors) -> bool {
    if let Expr::Lit(ExprLit { lit: Lit::Bool(value), .. }) = value {
        return value.value;
    }
    errors.at(value, message);
    false
}

/// The space; an error if the map does not support it.
fn space_of(map: &dyn Map, space: &Given<&'static str>, errors: &mut Errors) -> Space {
    let Some((key, Some("thread"))) = space else { return Space::Block };
    if !map.has_thread_space() {
        let able: Vec<_> =
            MAPS.iter().filter(|map| map.has_thread_space()).map(|map| map.name()).collect();
        let message = format!(
            "the map `{}` supports only block space: remove `space`, or write a map that supports thread space: {}",
            map.name(),
            list(&able)
        );
        errors.span(key.span(), message);
    }
    Space::Thread
}

/// Whether the grid is the one-dimensional one; an error if the map has only one grid.
fn linear_of(map: &dyn Map, space: Space, grid: &Given<&'static str>, errors: &mut Errors) -> bool {
    if let Some((key, _)) = grid {
        if !map.has_linear_grid() {
            errors.span(
                key.span(),
                format!("the map `{}` has only one grid: remove `grid`", map.name()),
            );
        } else if space == Space::Thread {
            errors.span(key.span(), "the grid is always linear in thread space: remove `grid`");
        }
    }
    let linear = matches!(grid, Some((_, Some("linear"))));
    map.has_linear_grid() && (linear || space == Space::Thread)
}

/// The root from its two keys; an error if the map takes no root, or the keys contradict each other.
fn root_of(
    map: &dyn Map,
    root: &Given<&'static str>,
    epsilon: &Given<f32>,
    errors: &mut Errors,
) -> Root {
    if !map.takes_root() {
        for key in root.iter().map(|each| &each.0).chain(epsilon.iter().map(|each| &each.0)) {
            errors.span(
                key.span(),
                format!("the map `{}` does not use a root: remove `{key}`", map.name()),
            );
        }
        return Root::Exact;
    }
    // An unknown root already has an error.
    let name = match root {
        Some((_, None)) => return Root::Exact,
        Some((_, Some(name))) => name,
        None => "exact",
    };
    let given = epsilon.as_ref().and_then(|(_, value)| *value);
    let root = Root::new(name, given.unwrap_or(DEFAULT_EPSILON)).unwrap_or(Root::Exact);
    if let (None, Some((key, _))) = (root.epsilon(), epsilon) {
        errors.span(
            key.span(),
            "the root `exact` is corrected in integers and does not use `epsilon`: remove `epsilon`, or write `sqrt = \"sqrt\"`, `\"newton\"` or `\"rsqrt\"`",
        );
    }
    root
}

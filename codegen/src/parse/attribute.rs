//! The keys of `#[td_kernel(…)]`.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Expr, ExprLit, ExprPath, Ident, Lit, Token};
use td_kernel_maps::{DEFAULT_EPSILON, Ltm, MAPS, Map, Root, Space};

use crate::errors::{Errors, list, nearest};
use crate::model::{Options, Sweep, Variant};
use crate::parse::sweep::Asked;

/// The known keys, in the order in which messages list them.
const KEYS: &[&str] =
    &["map", "sqrt", "epsilon", "space", "grid", "diagonal", "sweep", "block", "tile", "crate"];

/// The known threads per side of a block.
const BLOCKS: &[u32] = &[8, 16, 32];

/// The known elements per side of a tile.
const TILES: &[u32] = &[32, 64, 96, 128, 160, 192, 224, 256];

/// `key = value`.
struct Entry {
    key: Ident,
    value: Expr,
}

impl Parse for Entry {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let key = Ident::parse_any(input).map_err(|error| {
            let message = format!(
                "an option is a key and a value: write `{}`; the keys are {}",
                example(""),
                list(KEYS)
            );
            syn::Error::new(error.span(), message)
        })?;
        if !input.peek(Token![=]) {
            return Err(syn::Error::new(
                key.span(),
                format!("`{key}` needs a value: write `{}`", example(&key.to_string())),
            ));
        }
        input.parse::<Token![=]>()?;
        let mut value: Expr = input.parse()?;
        // A macro by example puts invisible brackets around what it is given.
        while let Expr::Group(group) = value {
            value = *group.expr;
        }
        Ok(Entry { key, value })
    }
}

/// What an entry looks like.
fn example(key: &str) -> &'static str {
    match key {
        "sqrt" => "sqrt = \"exact\"",
        "epsilon" => "epsilon = 1e-4",
        "space" => "space = \"block\"",
        "grid" => "grid = \"balanced\"",
        "diagonal" => "diagonal = true",
        "sweep" => "sweep = \"rows\"",
        "block" => "block = 16",
        "tile" => "tile = 128",
        "crate" => "crate = ::td_kernel",
        _ => "map = \"ltm\"",
    }
}

/// Reads the options; what is wrong gets an error and its default.
pub(crate) fn parse(attribute: TokenStream, errors: &mut Errors) -> (Options, Asked) {
    let entries = match Punctuated::<Entry, Token![,]>::parse_terminated.parse2(attribute) {
        Ok(entries) => entries,
        Err(error) => {
            errors.push(error);
            Punctuated::new()
        }
    };
    let mut map: &'static dyn Map = &Ltm;
    let mut root: Option<(Ident, Option<&'static str>)> = None;
    let mut epsilon: Option<(Ident, Option<f32>)> = None;
    let mut space: Option<(Ident, Option<&'static str>)> = None;
    let mut grid: Option<(Ident, Option<&'static str>)> = None;
    let mut asked = Asked::default();
    let mut options = Options {
        variant: Variant { map, linear: false, sweep: Sweep::Classic, tile: 0, columns: 8 },
        root: Root::Exact,
        space: Space::Block,
        diagonal: false,
        block: 16,
        runtime: quote!(::td_kernel),
    };
    let mut seen: Vec<String> = Vec::new();
    for Entry { key, value } in entries {
        let name = key.unraw().to_string();
        if seen.contains(&name) {
            errors.span(key.span(), format!("`{name}` is given twice: keep one of the two"));
            continue;
        }
        match name.as_str() {
            "map" => {
                let names: Vec<_> = MAPS.iter().map(|map| map.name()).chain(["auto"]).collect();
                if let Some(name) = word(&value, "map", &names, errors) {
                    map = td_kernel_maps::map(name).unwrap_or(map);
                    asked.auto = (name == "auto").then(|| key.span());
                }
            }
            "sqrt" => root = Some((key, word(&value, "sqrt", Root::NAMES, errors))),
            "space" => space = Some((key, word(&value, "space", &["block", "thread"], errors))),
            "grid" => grid = Some((key, word(&value, "grid", &["balanced", "linear"], errors))),
            "epsilon" => epsilon = Some((key, epsilon_value(&value, errors))),
            "diagonal" => match &value {
                Expr::Lit(ExprLit { lit: Lit::Bool(value), .. }) => options.diagonal = value.value,
                _ => errors
                    .at(&value, "`diagonal` is `true` (pairs i >= j) or `false` (pairs i > j)"),
            },
            "block" => {
                asked.block = Some(key.span());
                match integer(&value).filter(|value| BLOCKS.contains(value)) {
                    Some(value) => options.block = value,
                    None => errors.at(
                        &value,
                        "`block` is the number of threads per side of a block: write 8, 16 or 32",
                    ),
                }
            }
            "sweep" => {
                let sweep = word(&value, "sweep", Sweep::NAMES, errors).and_then(Sweep::of);
                asked.sweep = sweep.map(|sweep| (key.span(), sweep));
            }
            "tile" => match integer(&value) {
                Some(size) if size == 0 || TILES.contains(&size) => {
                    asked.tile = Some((key.span(), size));
                }
                _ => errors.at(
                    &value,
                    "`tile` is the number of elements per side of a tile: write a multiple of 32 \
                         from 32 to 256, or 0 for one thread a pair",
                ),
            },
            "crate" => match &value {
                Expr::Path(path) if is_plain(path) => options.runtime = path.to_token_stream(),
                _ => errors.at(
                    &value,
                    "`crate` is the path of the runtime crate: write `crate = ::td_kernel`",
                ),
            },
            _ => {
                let hint = nearest(&name, KEYS);
                errors.span(
                    key.span(),
                    format!("unknown key `{name}`{hint}; the keys are {}", list(KEYS)),
                );
            }
        }
        seen.push(name);
    }
    options.space = space_of(map, space.as_ref(), errors);
    asked.threads = space.filter(|_| options.space == Space::Thread).map(|(key, _)| key.span());
    options.variant.map = map;
    options.variant.linear = linear_of(map, options.space, grid.as_ref(), errors);
    options.root = root_of(map, root.as_ref(), epsilon.as_ref(), errors);
    (options, asked)
}

/// The space, which must be one that the map works in.
fn space_of(
    map: &dyn Map,
    space: Option<&(Ident, Option<&'static str>)>,
    errors: &mut Errors,
) -> Space {
    let Some((key, Some("thread"))) = space else { return Space::Block };
    if !map.has_thread_space() {
        let able: Vec<_> =
            MAPS.iter().filter(|map| map.has_thread_space()).map(|map| map.name()).collect();
        let message = format!(
            "the map `{}` works on blocks only: remove `space`; on threads work {}",
            map.name(),
            list(&able)
        );
        errors.span(key.span(), message);
    }
    Space::Thread
}

/// Whether the grid is the one-dimensional one, where the map has two.
fn linear_of(
    map: &dyn Map,
    space: Space,
    grid: Option<&(Ident, Option<&'static str>)>,
    errors: &mut Errors,
) -> bool {
    if let Some((key, _)) = grid {
        if !map.has_linear_grid() {
            errors
                .span(key.span(), format!("the map `{}` has one grid: remove `grid`", map.name()));
        } else if space == Space::Thread {
            errors.span(key.span(), "in thread space the grid is a line: remove `grid`");
        }
    }
    let linear = matches!(grid, Some((_, Some("linear"))));
    map.has_linear_grid() && (linear || space == Space::Thread)
}

/// The root from its two keys, which must mean something to the map and to each other.
fn root_of(
    map: &dyn Map,
    root: Option<&(Ident, Option<&'static str>)>,
    epsilon: Option<&(Ident, Option<f32>)>,
    errors: &mut Errors,
) -> Root {
    if !map.takes_root() {
        for key in root.iter().map(|each| &each.0).chain(epsilon.iter().map(|each| &each.0)) {
            errors.span(
                key.span(),
                format!("the map `{}` takes no root: remove `{key}`", map.name()),
            );
        }
        return Root::Exact;
    }
    // A root that is unknown has its error already.
    let name = match root {
        Some((_, None)) => return Root::Exact,
        Some((_, Some(name))) => name,
        None => "exact",
    };
    let given = epsilon.and_then(|(_, value)| *value);
    let root = Root::new(name, given.unwrap_or(DEFAULT_EPSILON)).unwrap_or(Root::Exact);
    if let (None, Some((key, _))) = (root.epsilon(), epsilon) {
        errors.span(
            key.span(),
            "the root `exact` is repaired with integers and has no epsilon: remove `epsilon`, \
             or write `sqrt = \"sqrt\"`, `\"newton\"` or `\"rsqrt\"`",
        );
    }
    root
}

/// A string literal that is one of `known`.
fn word(
    value: &Expr,
    key: &str,
    known: &[&'static str],
    errors: &mut Errors,
) -> Option<&'static str> {
    let Expr::Lit(ExprLit { lit: Lit::Str(literal), .. }) = value else {
        errors.at(value, format!("`{key}` takes a string: one of {}", quoted(known)));
        return None;
    };
    let given = literal.value();
    let found = known.iter().copied().find(|name| *name == given);
    if found.is_none() {
        let hint = nearest(&given, known);
        errors.at(value, format!("unknown {key} \"{given}\"{hint}; known are {}", quoted(known)));
    }
    found
}

/// Whether a path is one of modules, which can be gone on with.
fn is_plain(path: &ExprPath) -> bool {
    let mut segments = path.path.segments.iter();
    path.qself.is_none() && path.attrs.is_empty() && segments.all(|each| each.arguments.is_none())
}

fn quoted(names: &[&str]) -> String {
    names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
}

fn epsilon_value(value: &Expr, errors: &mut Errors) -> Option<f32> {
    let parsed = match value {
        Expr::Lit(ExprLit { lit: Lit::Float(literal), .. }) => literal.base10_parse::<f32>().ok(),
        _ => None,
    };
    // From 1/2 on, even the second block of the first rows would land in the wrong one.
    let valid = parsed.filter(|epsilon| (0.0..0.5).contains(epsilon));
    if valid.is_none() {
        errors.at(
            value,
            "`epsilon` is a float literal, at least 0 and below 0.5: write `epsilon = 1e-4`",
        );
    }
    valid
}

fn integer(value: &Expr) -> Option<u32> {
    match value {
        Expr::Lit(ExprLit { lit: Lit::Int(literal), .. }) => literal.base10_parse().ok(),
        _ => None,
    }
}

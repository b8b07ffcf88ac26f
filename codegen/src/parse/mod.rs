//! From tokens to the checked model. Only the modules below, `derive`, `element` and `errors` use `syn`'s types.

mod associated;
mod attribute;
mod body;
mod collisions;
mod dot;
mod entries;
mod entry;
mod fold;
mod function;
mod given;
mod item;
mod lower;
mod many;
mod near;
mod nearest;
mod order;
mod pushes;
mod reduce;
mod scope;
mod sets;
mod start;
mod sweep;
pub(crate) mod tiles;
pub(crate) mod types;
mod unused;
mod value;
mod verbatim;
mod writes;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::{Attribute, Visibility};
use td_kernel_maps::{Map, NEAREST, RECTANGLE, Root, SET_TILES, Space, Strips};

use self::attribute::Keys;
use self::body::Bodies;
use self::function::ASSOCIATED;
use crate::Files;
use crate::attributes::Attributes;
use crate::errors::Errors;
use crate::kind::{self, HISTOGRAMS, first_histogram, first_reduction_of_all};
use crate::model::{Kernel, Parameter};

/// A wrong item: its errors, and what the rest of the user's code can use of it.
pub(crate) struct Rejected {
    /// The errors, and the tokens of the item that are kept.
    pub(crate) errors: TokenStream,
    /// The outline of the kernel, against which the rest of the user's code compiles.
    pub(crate) outline: Option<Outline>,
}

/// The parts of a kernel that other code can use.
pub(crate) struct Outline {
    pub(crate) name: Ident,
    pub(crate) visibility: Visibility,
    pub(crate) conditions: Vec<Attribute>,
    pub(crate) runtime: TokenStream,
    /// `None` for a wrong parameter.
    pub(crate) parameters: Vec<Option<Parameter>>,
}

/// Reads an invocation.
pub(crate) fn kernel(
    attribute: TokenStream,
    item: &TokenStream,
    files: &dyn Files,
) -> Result<Kernel, Box<Rejected>> {
    let mut errors = Errors::default();
    let Keys { mut options, mut map, mut asked, of_triangles, order, prelude, constants } =
        attribute::parse(attribute, files, &mut errors);
    let (prelude, span) = prelude.unzip();
    let function = match item::parse(item, &mut errors) {
        Ok(function) => function,
        Err(rest) => {
            let errors = errors.into_tokens(&[]);
            return Err(Box::new(Rejected { errors: quote!(#errors #rest), outline: None }));
        }
    };
    function::check(&function, &mut errors);
    let (mut parameters, mut folds, dot) = function::parameters(&function, &mut errors);
    dot::check(dot.as_ref(), &parameters, &folds, &mut errors);
    let has_features = fold::check(&parameters, &folds, dot.is_some(), &mut errors);
    let asks_for_map = of_triangles.iter().any(|key| key != "diagonal" && key != "space");
    // A block of a fold reads much of each element, so blocks that run together should share elements.
    if has_features && !asks_for_map {
        map = (&Strips, false);
    }
    let has_many_blocks = first_histogram(&parameters).or(first_reduction_of_all(&parameters));
    let is_walked = has_many_blocks.is_some() && asked.deterministic.is_none() && !has_features;
    // A thread of its own for each pair has no map of persistent blocks.
    if is_walked && !asks_for_map && asked.threads.is_none() {
        map = (HISTOGRAMS, false);
    }
    kind::check_wide(&parameters, &mut errors);
    kind::check_arrays(&parameters, &mut errors);
    let has_two_sets = sets::has_two_sets(&mut parameters, &mut errors);
    if has_two_sets {
        sets::refuse_keys(&of_triangles, &mut errors);
        let of_rectangle: &dyn Map = match has_features {
            true => &Strips,
            false if is_walked => HISTOGRAMS,
            false => RECTANGLE,
        };
        // The rejected keys no longer matter.
        (options.space, options.root, options.diagonal) = (Space::Block, Root::Exact, false);
        (asked.threads, asked.auto, map) = (None, None, (of_rectangle, false));
    }
    let of_triangle = if has_two_sets { &[] } else { &of_triangles[..] };
    let is_nearest = nearest::check(&parameters, of_triangle, &mut errors);
    if is_nearest {
        (options.space, options.root) = (Space::Block, Root::Exact);
        (asked.threads, asked.auto, map) = (None, None, (NEAREST, false));
    }
    let is_of_sets =
        many::check(&parameters, has_two_sets, dot.as_ref(), of_triangle, &asked, &mut errors);
    if is_of_sets {
        map = if has_features { (SET_TILES, false) } else { map };
        (options.space, options.root, options.diagonal) = (Space::Block, Root::Exact, false);
        (asked.threads, asked.auto, asked.sweep, asked.tile, asked.block) = Default::default();
    }
    let is_reduced = reduce::check(&parameters, of_triangle, &asked, prelude.as_ref(), &mut errors);
    if is_reduced {
        (options.space, options.root, options.deterministic) = (Space::Block, Root::Exact, false);
    }
    let has_quick = dot.is_some() && !folds.is_empty();
    let (product, dot) = dot.map(|dot| (dot.name.clone(), Some(dot))).unzip();
    // On devices without suitable tensor cores, a product is a fold, unless the kernel has others.
    folds.extend(dot.filter(|_| !has_quick));
    let has_tiles = !is_of_sets || !(has_two_sets || is_nearest);
    let (mut variants, mut fallback) = match is_reduced {
        true => {
            sweep::check_folds(&parameters, &folds, &mut errors);
            (vec![reduce::variant()], None)
        }
        false => (
            sweep::variants(&asked, map, &parameters, &folds, &mut errors),
            sweep::fallback(&asked, map, &parameters).filter(|_| has_tiles),
        ),
    };
    if is_of_sets && !has_features {
        // The others are for large triangles. Rectangles of all sizes have runs, and nearest neighbours have rows.
        variants.retain(|_| has_tiles);
        variants.insert(0, many::variant(is_nearest));
    }
    let (prelude_body, dot) = (prelude.as_ref(), product.as_ref());
    let context = body::BodyContext { files, prelude: prelude_body, dot, has_quick };
    let bodies =
        body::parse(&function.body, &parameters, &folds, has_features, &context, &mut errors);
    let sets = parameters.iter().flatten().find(|each| each.kind.has_sets());
    if let (Some(bodies), Some(sets)) = (&bodies, sets) {
        many::check_bodies(sets, bodies, &mut errors);
    }
    let mut near = None;
    if let (Some(Bodies { lower: Some(lower), .. }), false) = (&bodies, has_features) {
        near = near::check(&lower.scan, order.as_ref(), &parameters, &mut errors);
        if asked.deterministic.is_some() {
            near::add_each_pair(&asked, &mut variants, &mut errors);
            fallback = None;
        }
        variants.push(near::variant(is_nearest));
    } else if let (Some(order), Some(_)) = (&order, &bodies) {
        order::refuse(order, &mut errors);
    }
    if let (Some(Bodies { lower: Some(_), .. }), true) = (&bodies, has_features) {
        lower::check(asked.deterministic, &parameters, &mut errors);
        // After the tiles in which all pairs are evaluated, which a search for neighbours uses in its first round.
        variants.push(lower::variant(has_two_sets, &parameters));
    }
    let fallbacks = usize::from(fallback.is_some());
    variants.extend(fallback);
    if let Some(Bodies { feature, pair: body, quick, .. }) = &bodies
        && errors.is_empty()
    {
        let name = &function.name;
        let (prelude, feature) = (prelude.as_ref(), feature.as_ref());
        let code = unused::UserCode { prelude, feature, quick: quick.as_ref(), pair: body };
        unused::check(name, &parameters, &folds, &code, &mut errors);
        match (&product, quick) {
            (Some(dot), Some(quick)) => {
                dot::check_quick_use(dot, &parameters, [quick, body], &mut errors);
            }
            (Some(dot), None) => dot::check_use(dot, body, &mut errors),
            (None, _) => {}
        }
    }
    let attributes = Attributes::of(&function.attributes);
    let is_associated = associated::is_associated(&function, files);
    if is_associated {
        errors.span(function.name.span(), ASSOCIATED);
    }
    let is_method = function.is_method() || is_associated;
    let rejected = |errors: Errors, outline: Outline| {
        let errors = errors.into_tokens(&outline.conditions);
        // A type cannot be declared among methods.
        Err(Box::new(Rejected { errors, outline: (!is_method).then_some(outline) }))
    };
    let Some(Bodies { mut feature, lower, quick, pair: body }) =
        bodies.filter(|_| errors.is_empty())
    else {
        let outline = Outline {
            name: function.name,
            visibility: function.visibility,
            conditions: attributes.conditions,
            runtime: options.runtime,
            parameters,
        };
        return rejected(errors, outline);
    };
    let dot = product.map(|dot| {
        variants.extend(dot::variant(options.deterministic, &parameters));
        if let Some(quick) = &quick {
            return dot::of_body(&dot, &parameters, quick);
        }
        let (dot, error, of_feature) = dot::folded(&dot, &parameters, &body);
        folds.extend(error.map(Some));
        feature = Some(of_feature);
        dot
    });
    let partners = match is_of_sets {
        true => Vec::new(),
        false => entries::by_element(&options, &parameters),
    };
    let kernel = Kernel {
        name: function.name,
        attributes,
        visibility: function.visibility,
        options,
        variants,
        fallbacks,
        entries: entries::variant(&parameters).filter(|_| !is_of_sets),
        partners,
        parameters: parameters.into_iter().flatten().collect(),
        folds: folds.into_iter().flatten().collect(),
        dot,
        constants,
        prelude,
        feature,
        lower,
        quick,
        near,
        body,
    };
    collisions::check(&kernel, span.unwrap_or_else(Span::call_site), &mut errors);
    if errors.is_empty() {
        return Ok(kernel);
    }
    let outline = Outline {
        name: kernel.name,
        visibility: kernel.visibility,
        conditions: kernel.attributes.conditions,
        runtime: kernel.options.runtime,
        parameters: kernel.parameters.into_iter().map(Some).collect(),
    };
    rejected(errors, outline)
}

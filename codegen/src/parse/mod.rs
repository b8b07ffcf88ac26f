//! From tokens to the checked model. Only the modules below, `derive`, `element` and `errors` take `syn` apart.

mod attribute;
mod body;
mod fold;
mod function;
mod item;
mod nearest;
mod place;
mod pushes;
mod scope;
mod sets;
mod start;
mod sweep;
pub(crate) mod tiles;
pub(crate) mod types;
mod unused;
mod value;

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Attribute, Visibility};
use td_kernel_maps::{Map, NEAREST, RECTANGLE, Root, Space, Strips};

use self::attribute::Keys;
use self::function::ASSOCIATED;
use crate::Files;
use crate::attributes::Attributes;
use crate::errors::Errors;
use crate::model::{Kernel, Parameter};

/// A wrong item: its errors, and what the rest of the user's code may see of it.
pub(crate) struct Rejected {
    /// The errors, and tokens of the item to be kept.
    pub(crate) errors: TokenStream,
    /// The outline of the kernel, for the rest of the user's code to compile against.
    pub(crate) outline: Option<Outline>,
}

/// What other code sees of a kernel.
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
    let Keys { mut options, mut map, mut asked, of_triangles } =
        attribute::parse(attribute, &mut errors);
    let function = match item::parse(item, &mut errors) {
        Ok(function) => function,
        Err(rest) => {
            let errors = errors.into_tokens(&[]);
            return Err(Box::new(Rejected { errors: quote!(#errors #rest), outline: None }));
        }
    };
    function::check(&function, &mut errors);
    let (mut parameters, folds) = function::parameters(&function, &mut errors);
    let has_features = fold::check(&parameters, &folds, &mut errors);
    let asks_for_map = of_triangles.iter().any(|key| key != "diagonal" && key != "space");
    // A block of a fold reads much of each element, so blocks that run together should share elements.
    if has_features && !asks_for_map {
        map = (&Strips, false);
    }
    let are_two = sets::are_two(&mut parameters, &mut errors);
    if are_two {
        sets::refuse_keys(&of_triangles, &mut errors);
        let of_rectangle: &dyn Map = if has_features { &Strips } else { RECTANGLE };
        // What the refused keys would mean is of no interest any more.
        (options.space, options.root, options.diagonal) = (Space::Block, Root::Exact, false);
        (asked.threads, asked.auto, map) = (None, None, (of_rectangle, false));
    }
    let of_triangle = if are_two { &[] } else { &of_triangles[..] };
    if nearest::check(&parameters, of_triangle, &mut errors) {
        (options.space, options.root) = (Space::Block, Root::Exact);
        (asked.threads, asked.auto, map) = (None, None, (NEAREST, false));
    }
    let mut variants = sweep::variants(&asked, map, &parameters, &folds, &mut errors);
    let fallback = sweep::fallback(&asked, map, &parameters);
    let fallbacks = usize::from(fallback.is_some());
    variants.extend(fallback);
    let bodies = body::parse(&function.body, &parameters, has_features, files, &mut errors);
    if let Some((feature, body)) = &bodies
        && errors.is_empty()
    {
        let name = &function.name;
        unused::check(name, &parameters, &folds, feature.as_ref(), body, &mut errors);
    }
    let attributes = Attributes::of(&function.attributes);
    let is_associated = place::is_associated(&function, files);
    if is_associated {
        errors.span(function.name.span(), ASSOCIATED);
    }
    let is_method = function.is_method() || is_associated;
    match bodies {
        Some((feature, body)) if errors.is_empty() => Ok(Kernel {
            name: function.name,
            attributes,
            visibility: function.visibility,
            options,
            variants,
            fallbacks,
            parameters: parameters.into_iter().flatten().collect(),
            folds: folds.into_iter().flatten().collect(),
            feature,
            body,
        }),
        _ => {
            let errors = errors.into_tokens(&attributes.conditions);
            // A type cannot stand among methods.
            let outline = (!is_method).then(|| Outline {
                name: function.name,
                visibility: function.visibility,
                conditions: attributes.conditions,
                runtime: options.runtime,
                parameters,
            });
            Err(Box::new(Rejected { errors, outline }))
        }
    }
}

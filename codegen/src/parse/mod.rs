//! From tokens to the checked model. Only the modules below, `derive` and `errors` see `syn`.

mod attribute;
mod body;
mod function;
pub(crate) mod types;

use proc_macro2::TokenStream;
use quote::quote;

use crate::errors::Errors;
use crate::model::{Kernel, Kind};
use crate::parse::attribute::Sweep;
use crate::{Files, expand};

/// Elements per side of a tile, unless the attribute says otherwise: the size that was fastest, or
/// nearly, from n = 4096 to 30,720, and no slower than one thread a pair at 1024.
const DEFAULT_TILE: u32 = 128;

/// Reads an invocation; on failure, the errors and the shape of the item, for the rest of the
/// user's code to compile against.
pub(crate) fn kernel(
    attribute: TokenStream,
    item: &TokenStream,
    files: &dyn Files,
) -> Result<Kernel, TokenStream> {
    let mut errors = Errors::default();
    let (mut options, sweep) = attribute::parse(attribute, &mut errors);
    let function = match function::parse(item) {
        Ok(function) => function,
        Err(error) => {
            errors.push(error);
            let errors = errors.into_tokens();
            return Err(quote!(#errors #item));
        }
    };
    function::check(&function, &mut errors);
    let parameters = function::parameters(&function, &mut errors);
    let has = |kind| parameters.iter().flatten().any(|each| each.kind == kind);
    match sweep {
        // A kernel that only reads, sums and lists gains by tiles at every n that was measured; one
        // that writes by itself may count on neighbouring threads having neighbouring j.
        Sweep::Open
            if (has(Kind::Sum) || has(Kind::Pairs))
                && !has(Kind::Packed)
                && !has(Kind::SliceMut) =>
        {
            options.tile = Some(DEFAULT_TILE);
        }
        Sweep::Tiles(tile) if has(Kind::Packed) => errors.span(
            tile,
            "a tile is swept by columns, and neighbouring threads would write packed slots far apart: \
             remove `tile`, or sum or list instead",
        ),
        _ => {}
    }
    let body = body::parse(&function, files, &mut errors);
    let (attributes, conditions) = function::kept_attributes(&function);
    let visibility = {
        let visibility = &function.vis;
        quote!(#visibility)
    };
    match body {
        Some(body) if errors.is_empty() => Ok(Kernel {
            name: function.sig.ident,
            attributes,
            conditions,
            visibility,
            options,
            parameters: parameters.into_iter().flatten().collect(),
            body,
        }),
        _ => {
            let name = &function.sig.ident;
            let shape = expand::shape(name, &visibility, &options.runtime, &parameters);
            let errors = errors.into_tokens();
            Err(quote!(#errors #shape))
        }
    }
}

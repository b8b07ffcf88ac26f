//! Reads the types of results from their angle brackets.

use quote::quote;
use syn::{GenericArgument, PathArguments, Type, TypePath};

use super::gather::{Gather, components};
use crate::cuda_type::{self, CudaType, Origin};
use crate::element::{Element, among, argument_among, bare};
use crate::errors::Errors;

/// The type of a result without an index.
pub(super) fn alone(gather: Gather, path: &TypePath, errors: &mut Errors) -> Option<Element> {
    let name = gather.name();
    let is_sum = gather == Gather::Sum;
    let is_gathered = |cuda: &CudaType| {
        cuda.origin != Origin::User
            && !(is_sum && (components(cuda).is_small() || cuda_type::is_half(cuda)))
    };
    let message = |ty: &Type| {
        // The type if another output can have it.
        let instead = match among(ty, |_| true).map(|(cuda, _)| cuda) {
            Some(cuda) if cuda.origin == Origin::User => {
                format!(": write one parameter for each field of `{}`", cuda.name)
            }
            Some(cuda) if is_sum && cuda_type::is_half(&cuda) => {
                ", because a 16-bit float would be rounded at every addition: write `f32`".into()
            }
            Some(_) if is_sum => {
                ", because an 8-bit or 16-bit integer would soon overflow: write `i32` or `u32`"
                    .into()
            }
            _ => ": write one of them".into(),
        };
        match is_sum {
            true => format!(
                "`Sums` must be of f32, f64, i32, u32, i64, u64, or an array of 2, 3 or 4 of these, or of up to 64 f32 or 32 f64{instead}"
            ),
            false => format!(
                "`{name}` must be of f32, f64, f16, bf16, i8 to i64, u8 to u64, an array of 2, 3 or 4 of these, or a number of at most 32 bits with the index of the other element, `{name}<(f32, u32)>`{instead}"
            ),
        }
    };
    let (cuda, rust) = argument_among(name, path, is_gathered, message, errors)?;
    Some((cuda_type::compared(cuda), rust))
}

/// The type of a result with the index of the other element: `(f32, u32)`.
pub(super) fn partnered(name: &str, path: &TypePath, errors: &mut Errors) -> Option<Element> {
    let PathArguments::AngleBracketed(arguments) = &path.path.segments.last()?.arguments else {
        return None;
    };
    let mut types = arguments.args.iter();
    let (Some(GenericArgument::Type(ty)), None) = (types.next(), types.next()) else {
        errors.at(path, format!("`{name}` takes one type: write `&mut {name}<(f32, u32)>`"));
        return None;
    };
    let Type::Tuple(tuple) = bare(ty) else { return None };
    let mut parts = tuple.elems.iter();
    let (Some(value), Some(index), None) = (parts.next(), parts.next(), parts.next()) else {
        errors.at(
            ty,
            format!("a tuple must be a value and the index of the other element: write `{name}<(f32, u32)>`"),
        );
        return None;
    };
    let value_type = small(value, errors);
    let index_type = among(index, |cuda| cuda_type::is_one_of(cuda, &["u32"]));
    if index_type.is_none() {
        errors.at(
            index,
            format!("the index of the other element must be `u32`: write `{name}<(f32, u32)>`"),
        );
    }
    let ((cuda, rust), (_, index)) = (value_type?, index_type?);
    Some((cuda, quote!((#rust, #index))))
}

/// The type of a value that has an index, in which values are compared.
pub(crate) fn small(value: &Type, errors: &mut Errors) -> Option<Element> {
    let is_small = |cuda: &CudaType| {
        let is_short = cuda_type::size(cuda).is_some_and(|bytes| bytes <= 4);
        components(cuda).count == 1 && is_short
    };
    let found = among(value, is_small);
    if found.is_none() {
        errors.at(value, "`Nearest` and results like `Minima<(T, u32)>` hold numbers of at most 32 bits, because a number and an index share an atomic of 64 bits: write one of f32, f16, bf16, i8, i16, i32, u8, u16, u32");
    }
    found.map(|(cuda, rust)| (cuda_type::compared(cuda), rust))
}

//! The types of parameters and fields.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{
    Expr, ExprLit, GenericArgument, Lit, PathArguments, Type, TypeArray, TypePath, TypeReference,
};

use crate::errors::{Errors, list};
use crate::model::Kind;
use crate::names;
use crate::types::{self, CudaType, Origin, SUMS, SUPPORTED};

/// What a parameter's type says.
pub(crate) struct Parsed {
    /// What the kernel does with the parameter (`Slice` where `#[each]` may make it `Each`).
    pub(crate) kind: Kind,
    /// The type of its elements in CUDA.
    pub(crate) cuda: CudaType,
    /// The same type in Rust.
    pub(crate) rust: TokenStream,
}

/// Reads the type of a parameter.
pub(crate) fn parameter(ty: &Type, errors: &mut Errors) -> Option<Parsed> {
    let ty = bare(ty);
    match ty {
        Type::Reference(reference) => referenced(reference, errors),
        Type::Path(path) if output(path).is_some() => {
            let name = output(path)?;
            errors.at(
                ty,
                format!(
                    "the kernel writes to it: write `&mut {name}{}`",
                    if name == "Pairs" { "" } else { "<T>" }
                ),
            );
            None
        }
        _ => {
            let (cuda, rust) = element(ty, errors)?;
            Some(Parsed { kind: Kind::Scalar, cuda, rust })
        }
    }
}

fn referenced(reference: &TypeReference, errors: &mut Errors) -> Option<Parsed> {
    if let Some(lifetime) = &reference.lifetime {
        errors.at(
            lifetime,
            "a launch decides how long its arguments are borrowed: remove the lifetime",
        );
        return None;
    }
    let mutable = reference.mutability.is_some();
    match bare(&reference.elem) {
        Type::Slice(slice) => {
            let (cuda, rust) = element(&slice.elem, errors)?;
            Some(Parsed { kind: if mutable { Kind::SliceMut } else { Kind::Slice }, cuda, rust })
        }
        Type::Path(path) if output(path).is_some() => written(path, mutable, errors),
        Type::Reference(inner) => {
            errors.at(
                inner,
                "a reference to a reference cannot be sent to a GPU: write `&[T]` or `&mut [T]`",
            );
            None
        }
        other => {
            errors.at(
                other,
                "a kernel takes slices, scalars and outputs: write `&[T]`, `&mut [T]`, `T`, \
                 `&mut Packed<T>`, `&mut Square<T>`, `&mut Sum<T>` or `&mut Pairs`",
            );
            None
        }
    }
}

/// `Packed`, `Square`, `Sum` or `Pairs`, where the path ends with one of them.
fn output(path: &TypePath) -> Option<&'static str> {
    let last = path.path.segments.last()?;
    ["Packed", "Square", "Sum", "Pairs"].into_iter().find(|name| last.ident == name)
}

fn written(path: &TypePath, mutable: bool, errors: &mut Errors) -> Option<Parsed> {
    let name = output(path)?;
    let last = path.path.segments.last()?;
    if !mutable {
        errors.at(path, format!("the kernel writes to it: write `&mut {name}`"));
        return None;
    }
    if name == "Pairs" {
        if !last.arguments.is_none() {
            errors.at(
                &last.arguments,
                "`Pairs` lists index pairs and takes no type: write `&mut Pairs`",
            );
            return None;
        }
        // The list holds CUDA's uint2, which is what two u32 are.
        let cuda = types::vector("u32", 2)?;
        return Some(Parsed { kind: Kind::Pairs, cuda, rust: quote!([::core::primitive::u32; 2]) });
    }
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        errors
            .at(path, format!("`{name}` needs the type of its elements: write `&mut {name}<f32>`"));
        return None;
    };
    let mut arguments = arguments.args.iter();
    let (Some(GenericArgument::Type(ty)), None) = (arguments.next(), arguments.next()) else {
        errors.at(path, format!("`{name}` takes one type: write `&mut {name}<f32>`"));
        return None;
    };
    let (cuda, rust) = element(ty, errors)?;
    if let Some(kind) = match name {
        "Packed" => Some(Kind::Packed),
        "Square" => Some(Kind::Square),
        _ => None,
    } {
        return Some(Parsed { kind, cuda, rust });
    }
    if !SUMS.iter().any(|sum| types::primitive(sum).is_some_and(|sum| sum == cuda)) {
        errors.at(ty, format!("a `Sum` is of a type that CUDA adds atomically: {}", list(SUMS)));
        return None;
    }
    Some(Parsed { kind: Kind::Sum, cuda, rust })
}

/// Reads the type of an element, and gives it in CUDA and in Rust. Numbers are named in full, so
/// that they mean what the C++ says even where the user's `f32` is a type of their own.
fn element(ty: &Type, errors: &mut Errors) -> Option<(CudaType, TokenStream)> {
    let ty = bare(ty);
    let cuda = match ty {
        Type::Path(path) => named(path, errors)?,
        Type::Array(array) => vector(array, errors)?,
        _ => {
            errors.at(ty, format!("no type that a GPU shares with Rust: write one of {SUPPORTED}"));
            return None;
        }
    };
    let rust = if cuda.origin == Origin::User { quote!(#ty) } else { in_full(ty) };
    Some((cuda, rust))
}

/// A number, or an array of them, by its full name.
pub(crate) fn in_full(ty: &Type) -> TokenStream {
    match bare(ty) {
        Type::Array(array) => {
            let (element, length) = (in_full(&array.elem), &array.len);
            quote!([#element; #length])
        }
        ty => quote_spanned!(ty.span()=> ::core::primitive::#ty),
    }
}

/// A primitive, or else a struct of the user's.
pub(crate) fn named(path: &TypePath, errors: &mut Errors) -> Option<CudaType> {
    let last = path.path.segments.last()?;
    let name = last.ident.to_string();
    if let Some(cuda) = path.path.get_ident().and_then(|_| types::primitive(&name)) {
        return Some(cuda);
    }
    if let Some(instead) = types::instead(&name) {
        errors.at(path, format!("`{name}` cannot be sent to a GPU; {instead}"));
        return None;
    }
    if !last.arguments.is_none() || path.qself.is_some() {
        errors.at(path, format!("no type that a GPU shares with Rust: write one of {SUPPORTED}"));
        return None;
    }
    if let Some(message) = names::refused_type(&name) {
        errors.at(path, message);
        return None;
    }
    Some(types::user(name))
}

fn vector(array: &TypeArray, errors: &mut Errors) -> Option<CudaType> {
    let name = match bare(&array.elem) {
        Type::Path(path) => path.path.get_ident().map(ToString::to_string),
        _ => None,
    };
    let found =
        name.zip(length(&array.len)).and_then(|(name, length)| types::vector(&name, length));
    if found.is_none() {
        errors.at(
            array,
            "CUDA has vectors of 2, 3 or 4 numbers: write `[f32; 4]` and the like, or a struct with \
             #[repr(C)] and #[derive(DeviceType)] around the array",
        );
    }
    found
}

/// The type without parentheses, or the invisible ones around what a macro by example has put in.
pub(crate) fn bare(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => bare(&group.elem),
        Type::Paren(paren) => bare(&paren.elem),
        _ => ty,
    }
}

/// The length of an array, where it is a literal.
pub(crate) fn length(expression: &Expr) -> Option<usize> {
    match expression {
        Expr::Lit(ExprLit { lit: Lit::Int(literal), .. }) => literal.base10_parse().ok(),
        _ => None,
    }
}

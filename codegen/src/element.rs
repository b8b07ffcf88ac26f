//! The types of elements and fields: from the written type to its types in CUDA and in Rust.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::{Expr, ExprLit, GenericArgument, Lit, PathArguments, Type, TypeArray, TypePath};

use crate::cuda_type::{self, CudaType, Origin};
use crate::errors::{Errors, moved, span_of};
use crate::names;

/// The message for a type that an element or a field cannot have.
const SUPPORTED: &str = "this type cannot be shared with a GPU: write f32, f64, i8 to i64, u8 to u64, f16 or bf16 of the crate half, an array of 2, 3 or 4 of these, or a struct with #[repr(C)] and #[derive(DeviceType)]";

/// The message for elements whose length is not part of their type.
const ROWS: &str = "the number of features must be part of an element's type: write an array, as in `&[[f32; 3]]`, or `&Features<f32>` for rows of any length";

/// The type of elements, in CUDA and in Rust.
pub(crate) type Element = (CudaType, TokenStream);

/// The message for a number or a string that only Rust has, wherever it is used as a type; `None` for any other type.
fn refused_name(name: &str) -> Option<String> {
    let why = match name {
        "usize" | "isize" => "its size depends on the machine: write `u32` or `u64`",
        "bool" => "not every byte is a valid `bool`: write `u8`",
        "char" => "not every number is a valid `char`: write `u32`",
        "f16" => "only nightly Rust has this type: write `half::f16`",
        "f128" => "only nightly Rust has this type: write `f64`",
        "u128" | "i128" => "128-bit integers cannot be kernel parameters: write `[u64; 2]`",
        "String" | "str" => "CUDA does not have a string type: write `u8` elements",
        _ => return None,
    };
    Some(format!("`{name}` cannot be sent to a GPU, because {why}"))
}

/// The type of an output's elements, in its angle brackets.
pub(crate) fn argument(name: &str, path: &TypePath, errors: &mut Errors) -> Option<Element> {
    element(written(name, path, errors)?, errors)
}

/// Like `argument`, for elements that may also be arrays of more than four floats.
pub(crate) fn slice_argument(name: &str, path: &TypePath, errors: &mut Errors) -> Option<Element> {
    let ty = written(name, path, errors)?;
    wide(ty).or_else(|| element(ty, errors))
}

/// Like `argument`, for a parameter with few allowed types, which `message` lists for another one.
pub(crate) fn argument_among(
    name: &str,
    path: &TypePath,
    is_among: impl Fn(&CudaType) -> bool,
    message: impl FnOnce(&Type) -> String,
    errors: &mut Errors,
) -> Option<Element> {
    let ty = written(name, path, errors)?;
    let found = among(ty, is_among);
    if found.is_none() {
        errors.at(ty, message(ty));
    }
    found
}

/// The message for a type that only Rust has, or an array of them. `None` for 128-bit numbers: the caller's message covers
/// their size.
pub(crate) fn only_in_rust(ty: &Type) -> Option<String> {
    match bare(ty) {
        Type::Array(array) => only_in_rust(&array.elem),
        Type::Path(path) => {
            let name = path.path.segments.last()?.ident.unraw().to_string();
            refused_name(&name).filter(|_| !name.ends_with("128"))
        }
        _ => None,
    }
}

/// The type of an element, if it is one of those. Errors about elements of any type are dropped: they may suggest another wrong
/// type.
pub(crate) fn among(ty: &Type, is_among: impl Fn(&CudaType) -> bool) -> Option<Element> {
    element(ty, &mut Errors::default()).filter(|(cuda, _)| is_among(cuda))
}

/// The type in an output's angle brackets, as written.
pub(crate) fn written<'a>(name: &str, path: &'a TypePath, errors: &mut Errors) -> Option<&'a Type> {
    // Arrays, features and sets are read only.
    let reference =
        if ["Arrays", "FeatureSets", "Features", "Sets"].contains(&name) { "&" } else { "&mut " };
    // A state is a struct.
    let example = if name == "Reduce" { "State" } else { "f32" };
    let PathArguments::AngleBracketed(arguments) = &path.path.segments.last()?.arguments else {
        let message = format!(
            "`{name}` needs the type of its elements: write `{reference}{name}<{example}>`"
        );
        errors.at(path, message);
        return None;
    };
    let mut arguments = arguments.args.iter();
    let (Some(GenericArgument::Type(ty)), None) = (arguments.next(), arguments.next()) else {
        errors.at(path, format!("`{name}` takes one type: write `{reference}{name}<{example}>`"));
        return None;
    };
    Some(ty)
}

/// Reads the type of an element, and returns it in CUDA and in Rust. Numbers get their full names, so that they match the C++
/// even if the user's scope has another type called `f32`. The crate `half` has no full name that is valid in every crate: its
/// numbers stay as written, and rustc compares them ([`half_check`]).
pub(crate) fn element(ty: &Type, errors: &mut Errors) -> Option<Element> {
    let ty = bare(ty);
    let cuda = match ty {
        Type::Array(array) => vector(array, errors)?,
        _ => named(path(ty, errors)?, errors)?,
    };
    let rust = if cuda.origin == Origin::User { quote!(#ty) } else { in_full(ty) };
    Some((cuda, rust))
}

/// Like `element`, for the elements of a slice, which may also be arrays of more than four floats.
pub(crate) fn slice_element(ty: &Type, errors: &mut Errors) -> Option<Element> {
    let is_row = match bare(ty) {
        Type::Slice(_) => true,
        Type::Path(path) => path.path.segments.last().is_some_and(|last| last.ident == "Vec"),
        _ => false,
    };
    if is_row {
        errors.at(ty, ROWS);
        return None;
    }
    wide(ty).or_else(|| element(ty, errors))
}

/// An array of more than four floats, in CUDA and in Rust.
pub(crate) fn wide(ty: &Type) -> Option<Element> {
    let Type::Array(array) = bare(ty) else { return None };
    let Type::Path(path) = bare(&array.elem) else { return None };
    let cuda = cuda_type::wide(&number(path)?.to_string(), length(&array.len)?)?;
    Some((cuda, in_full(ty)))
}

/// A number, or an array of them, by its full name.
pub(crate) fn in_full(ty: &Type) -> TokenStream {
    let (ty, span) = (bare(ty), span_of(&ty.to_token_stream()));
    if let Type::Path(path) = ty
        && let Some(name) = number(path)
    {
        let name = Ident::new(&name.to_string(), span);
        return quote_spanned!(span=> ::core::primitive::#name);
    }
    match ty {
        Type::Array(array) => {
            let (element, length) = (in_full(&array.elem), &array.len);
            quote_spanned!(span=> [#element; #length])
        }
        ty => ty.to_token_stream(),
    }
}

/// The name of a number, if the path is one: `f32`, or in full, `core::primitive::f32`.
fn number(path: &TypePath) -> Option<&Ident> {
    let mut segments = path.path.segments.iter();
    let (first, second) = (segments.next()?, segments.next());
    let name = match second {
        None if path.path.leading_colon.is_none() => first,
        Some(_) if is_primitive(path) => path.path.segments.last()?,
        _ => return None,
    };
    let is_plain = path.qself.is_none() && name.arguments.is_none();
    (is_plain && cuda_type::primitive(&name.ident.to_string()).is_some()).then_some(&name.ident)
}

/// Whether the path is the full name of a Rust number.
fn is_primitive(path: &TypePath) -> bool {
    let names: Vec<_> = path.path.segments.iter().map(|each| &each.ident).collect();
    matches!(names[..], [root, module, _] if (root == "core" || root == "std") && module == "primitive")
}

/// The name of a 16-bit float of the crate `half`, if the path ends with it. The crate may be renamed or re-exported.
fn half(path: &TypePath) -> Option<String> {
    let last = path.path.segments.last()?;
    let name = last.ident.unraw().to_string();
    let is_plain = path.qself.is_none() && last.arguments.is_none() && !is_primitive(path);
    (is_plain && cuda_type::half(&name).is_some()).then_some(name)
}

/// Has rustc check that a type written as one of the crate `half`, or as an array of them, is that type.
pub(crate) fn half_check(
    cuda: &CudaType,
    rust: &TokenStream,
    runtime: &TokenStream,
) -> TokenStream {
    let checks = cuda_type::halves(&cuda.name).map(|helper| {
        let check = Ident::new(helper, span_of(rust));
        let runtime = moved(runtime, span_of(rust));
        quote_spanned!(span_of(rust)=> const _: () = #runtime::__private::#check::<#rust>();)
    });
    quote!(#(#checks)*)
}

/// A number, or else a user's struct.
pub(crate) fn named(path: &TypePath, errors: &mut Errors) -> Option<CudaType> {
    let last = path.path.segments.last()?;
    let name = last.ident.unraw().to_string();
    if number(path).is_some() {
        return cuda_type::primitive(&name);
    }
    if let Some(half) = half(path) {
        return cuda_type::half(&half);
    }
    if let Some(message) = refused_name(&name) {
        errors.at(path, message);
        return None;
    }
    if !last.arguments.is_none() || path.qself.is_some() || name == "Self" {
        errors.at(path, SUPPORTED);
        return None;
    }
    if let Some(message) = names::refused_type(&name) {
        errors.at(path, message);
        return None;
    }
    Some(cuda_type::user(name))
}

/// Only a path can be a type that a GPU shares with Rust.
pub(crate) fn path<'a>(ty: &'a Type, errors: &mut Errors) -> Option<&'a TypePath> {
    match ty {
        Type::Path(path) => Some(path),
        _ => {
            errors.at(ty, SUPPORTED);
            None
        }
    }
}

fn vector(array: &TypeArray, errors: &mut Errors) -> Option<CudaType> {
    let name = match bare(&array.elem) {
        Type::Path(path) => match number(path).map(Ident::to_string).or_else(|| half(path)) {
            Some(name) => Some(name),
            // If the path is a struct, the array around it is the mistake.
            None => named(path, errors).map(|_| None)?,
        },
        _ => None,
    };
    let found =
        name.zip(length(&array.len)).and_then(|(name, length)| cuda_type::vector(&name, length));
    if found.is_none() {
        errors.at(
            array,
            "an array must be a vector of 2, 3 or 4 numbers; in `&[T]`, `Sets<T>` and `Sums<T>` it may have up to 64 `f32` or 32 `f64`: write a type like `[f32; 4]`, a struct with #[repr(C)] and #[derive(DeviceType)] that contains the array, or `&Features<f32>` for vectors of any length",
        );
    }
    found
}

/// The type without parentheses, or the invisible group that `macro_rules!` puts around an argument.
pub(crate) fn bare(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => bare(&group.elem),
        Type::Paren(paren) => bare(&paren.elem),
        _ => ty,
    }
}

/// The length of an array, if it is a literal.
pub(crate) fn length(expression: &Expr) -> Option<usize> {
    match bare_expression(expression) {
        Expr::Lit(ExprLit { lit: Lit::Int(literal), .. }) => literal.base10_parse().ok(),
        _ => None,
    }
}

/// The expression without the invisible group that `macro_rules!` puts around an argument.
pub(crate) fn bare_expression(expression: &Expr) -> &Expr {
    match expression {
        Expr::Group(group) => bare_expression(&group.expr),
        _ => expression,
    }
}

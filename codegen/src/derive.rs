//! `#[derive(DeviceType)]`: the C++ definition of a `#[repr(C)]` struct.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Attribute, Data, DeriveInput, Fields, Type};

use crate::cuda::definition;
use crate::cuda_type::{self, CudaType, Origin};
use crate::element::{bare, half_check, in_full, length, named, path};
use crate::errors::{Errors, moved, span_of};
use crate::expand::helper_definition;
use crate::names;

/// A field: its name, and its declaration in C++.
struct Field {
    name: Ident,
    declaration: String,
    /// The Rust type of the struct that it holds, possibly in an array; `None` if it holds numbers.
    part: Option<TokenStream>,
    /// The C++ type that it holds.
    cuda: CudaType,
    /// Its type in Rust, with full names for numbers.
    rust: TokenStream,
}

/// Expands the derive.
pub(crate) fn device_type(item: TokenStream) -> TokenStream {
    let input = match syn::parse2::<DeriveInput>(item) {
        Ok(input) => input,
        Err(error) => return error.to_compile_error(),
    };
    let mut errors = Errors::default();
    let alignment = check(&input, &mut errors);
    let runtime = runtime(&input, &mut errors);
    let fields = fields(&input, &mut errors);
    if !errors.is_empty() {
        let (errors, fallback) = (errors.into_tokens(&[]), fallback(&input, &runtime));
        return quote!(#errors #fallback);
    }
    expand(&input.ident, alignment, &fields, &runtime)
}

/// Reports what has no C++ definition. Returns the tokens of `repr(align)`, if present.
fn check(input: &DeriveInput, errors: &mut Errors) -> Option<TokenStream> {
    // An enum or a union already has an error: another one about a missing `repr(C)` would distract.
    let mut is_c = !matches!(input.data, Data::Struct(_));
    let mut alignment = None;
    for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("repr")) {
        let parsed = attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("C") {
                is_c = true;
            } else if meta.path.is_ident("align") {
                let content;
                syn::parenthesized!(content in meta.input);
                alignment = Some(content.parse::<syn::LitInt>()?.to_token_stream());
            } else if meta.path.is_ident("packed") {
                return Err(meta.error("CUDA cannot load a packed struct: remove `packed`"));
            }
            Ok(())
        });
        if let Err(error) = parsed {
            errors.push(error);
        }
    }
    if !is_c {
        errors.at(
            &input.ident,
            "the struct needs the same layout in Rust and in C++: write `#[repr(C)]` above it",
        );
    }
    if !input.generics.params.is_empty() {
        errors.at(&input.generics, "a `DeviceType` cannot be generic, because its C++ struct has one layout: remove the generics");
    }
    if let Some(message) = names::refused(&input.ident.unraw().to_string()) {
        errors.span(input.ident.span(), message);
    }
    alignment
}

/// The path of the runtime crate: `#[device_type(crate = ::path)]`, or the default.
fn runtime(input: &DeriveInput, errors: &mut Errors) -> TokenStream {
    let mut path = None;
    for attribute in input.attrs.iter().filter(|each| is_ours(each)) {
        let parsed = attribute.parse_args_with(|input: ParseStream<'_>| {
            input.parse::<syn::Token![crate]>()?;
            input.parse::<syn::Token![=]>()?;
            input.call(syn::Path::parse_mod_style)
        });
        match parsed {
            Ok(_) if path.is_some() => {
                errors.at(attribute, "`device_type` is given twice: keep one of the two");
            }
            Ok(given) => path = Some(given.to_token_stream()),
            Err(_) => errors.at(
                attribute,
                "`device_type` takes only the key `crate`: write `#[device_type(crate = ::td_kernel)]`",
            ),
        }
    }
    path.unwrap_or_else(|| quote!(::td_kernel))
}

fn is_ours(attribute: &Attribute) -> bool {
    attribute.path().is_ident("device_type")
}

fn fields(input: &DeriveInput, errors: &mut Errors) -> Vec<Field> {
    let Data::Struct(data) = &input.data else {
        errors.at(
            &input.ident,
            "only a struct can be a `DeviceType`: write a struct with `#[repr(C)]`",
        );
        return Vec::new();
    };
    let Fields::Named(named) = &data.fields else {
        errors.at(
            &input.ident,
            "C++ needs a name for each field: write `struct Name { field: f32 }`",
        );
        return Vec::new();
    };
    if named.named.is_empty() {
        errors
            .at(&input.ident, "an empty struct has a size of 0 in Rust and 1 in C++: add a field");
    }
    named.named.iter().filter_map(|each| field(each, errors)).collect()
}

fn field(field: &syn::Field, errors: &mut Errors) -> Option<Field> {
    let name = field.ident.clone()?;
    let plain = name.unraw().to_string();
    // Rust rejects `_` too, but only after the derive has run.
    let unnamed = (plain == "_").then(|| "`_` cannot name a field: choose a name".to_owned());
    if let Some(message) = unnamed.or_else(|| names::refused(&plain)) {
        errors.span(name.span(), message);
    }
    for attribute in field.attrs.iter().filter(|each| is_ours(each)) {
        errors.at(
            attribute,
            "`device_type` is an attribute of the struct, not of a field: remove it, or write it above the struct",
        );
    }
    let mut lengths = Vec::new();
    let mut element = bare(&field.ty);
    while let Type::Array(array) = element {
        match length(&array.len) {
            None => errors.at(
                &array.len,
                "the length of an array in a `DeviceType` must be a literal: write a number",
            ),
            Some(0) => errors.at(
                &array.len,
                "C++ does not allow empty arrays: write a length of at least 1, or remove the field",
            ),
            Some(length) => lengths.push(length),
        }
        element = bare(&array.elem);
    }
    let cuda = named(path(element, errors)?, errors)?;
    let part = (cuda.origin == Origin::User).then(|| element.to_token_stream());
    let rust = if part.is_some() { field.ty.to_token_stream() } else { in_full(&field.ty) };
    Some(Field { declaration: definition::member(&cuda, &plain, &lengths), name, part, cuda, rust })
}

/// The fallback for a wrong struct: a `DeviceType`, so that its other uses compile.
fn fallback(input: &DeriveInput, runtime: &TokenStream) -> TokenStream {
    let (name, cuda) = (&input.ident, input.ident.unraw().to_string());
    let (generics, arguments, _) = input.generics.split_for_impl();
    let conditions = input.generics.where_clause.as_ref().map(|clause| clause.predicates.iter());
    let conditions = conditions.into_iter().flatten();
    // A type parameter may lack these traits. With the bounds, only the struct's own error remains.
    let bounds = (!input.generics.params.is_empty()).then(|| {
        quote!(Self: ::core::marker::Copy + ::core::marker::Send + ::core::marker::Sync + 'static,)
    });
    let conditions = quote!(where #bounds #(#conditions),*);
    quote! {
        unsafe impl #generics #runtime::DeviceType for #name #arguments #conditions {
            const ALIGNMENT: ::core::primitive::usize = 1;
            const DEFINITION: ::core::option::Option<&'static #runtime::__private::Definition> =
                ::core::option::Option::Some(&#runtime::__private::Definition {
                    name: #cuda,
                    parts: &[],
                    pieces: &[],
                });
        }
    }
}

fn expand(
    struct_name: &Ident,
    alignment: Option<TokenStream>,
    fields: &[Field],
    runtime: &TokenStream,
) -> TokenStream {
    let cuda = struct_name.unraw().to_string();
    let members: String = fields.iter().map(|field| field.declaration.as_str()).collect();
    let alignment = alignment.map(|bytes| bytes.to_string());
    let open = definition::open(&cuda, alignment.as_deref(), &members);
    let alignment = definition::alignment(&cuda);
    let offsets = fields.iter().map(|field| {
        let name = &field.name;
        let text = definition::offset(&cuda, &name.unraw().to_string());
        quote! {
            #runtime::__private::Piece::Text(#text),
            #runtime::__private::Piece::Number(::core::mem::offset_of!(Self, #name)),
        }
    });
    let close = definition::close(&cuda);
    // Raw pointers, because a reference to a type that derefs to a number would also coerce.
    let checks = fields.iter().map(|Field { name, rust, .. }| {
        let span = span_of(rust);
        let field = Ident::new("field", span);
        quote_spanned!(span=>
            const _: fn(&#struct_name) -> *const #rust = |#field| &raw const #field.#name;
        )
    });
    let names = fields.iter().map(|field| &field.name);
    let halves: BTreeSet<_> =
        fields.iter().flat_map(|field| cuda_type::halves(&field.cuda.name)).collect();
    let halves = halves.into_iter().map(|helper| helper_definition(helper, runtime));
    let half_checks = fields.iter().map(|Field { cuda, rust, .. }| half_check(cuda, rust, runtime));
    let parts = fields.iter().filter_map(|field| field.part.as_ref()).map(|part| {
        let spelled = part.to_string();
        let plain = spelled.rsplit("::").next().unwrap_or(&spelled).trim();
        let plain = plain.trim_start_matches("r#").to_owned();
        let runtime = moved(runtime, span_of(part));
        quote_spanned!(span_of(part)=> #runtime::__private::definition::<#part>(#plain))
    });
    quote! {
        // SAFETY: the struct is `repr(C)`, and each of its fields is a number, an array of numbers, or a struct that `parts`
        // below requires to be a DeviceType itself. When a kernel is compiled, the definition asserts that the struct's size,
        // alignment and offsets are the same in C++ and in Rust.
        unsafe impl #runtime::DeviceType for #struct_name {
            const ALIGNMENT: ::core::primitive::usize = ::core::mem::align_of::<Self>();
            const DEFINITION: ::core::option::Option<&'static #runtime::__private::Definition> =
                ::core::option::Option::Some(&#runtime::__private::Definition {
                    name: #cuda,
                    parts: &[#(#halves,)* #(#parts),*],
                    pieces: &[
                        #runtime::__private::Piece::Text(#open),
                        #runtime::__private::Piece::Number(::core::mem::size_of::<Self>()),
                        #runtime::__private::Piece::Text(#alignment),
                        #runtime::__private::Piece::Number(::core::mem::align_of::<Self>()),
                        #(#offsets)*
                        #runtime::__private::Piece::Text(#close),
                    ],
                });
        }

        // The fields have the types that the C++ definition names, even if the scope redefines a number's name.
        #(#checks)*
        #(#half_checks)*

        // There are no other fields: an attribute below the derive could have added one.
        const _: fn(&#struct_name) = |#struct_name { #(#names: _),* }| ();
    }
}

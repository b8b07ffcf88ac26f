//! `#[derive(DeviceType)]`: the C++ twin of a `#[repr(C)]` struct.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{Data, DeriveInput, Fields, Type};

use crate::errors::Errors;
use crate::names;
use crate::parse::types::{bare, in_full, length, named};
use crate::types::{Origin, SUPPORTED};

/// A field: its name, and its declaration in C++.
struct Field {
    name: Ident,
    declaration: String,
    /// The Rust type of the struct it holds (perhaps in an array), if it holds one.
    part: Option<TokenStream>,
    /// Its type in Rust, numbers by their full names.
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
        return errors.into_tokens();
    }
    expand(&input.ident, alignment, &fields, &runtime)
}

/// Refuses what has no C++ twin; gives the tokens of `repr(align)`, if any.
fn check(input: &DeriveInput, errors: &mut Errors) -> Option<TokenStream> {
    let mut is_c = false;
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
                return Err(meta
                    .error("a packed struct has no C++ twin that CUDA can load: remove `packed`"));
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
            "the layout must be C's, for C++ to have the same: write `#[repr(C)]` above the struct",
        );
    }
    if !input.generics.params.is_empty() {
        errors.at(&input.generics, "one C++ struct has one layout: remove the generics");
    }
    if let Some(message) = names::refused(&input.ident.unraw().to_string()) {
        errors.span(input.ident.span(), message);
    }
    alignment
}

/// The path of the runtime crate: `#[device_type(crate = ::path)]`, or its own name.
fn runtime(input: &DeriveInput, errors: &mut Errors) -> TokenStream {
    let mut path = quote!(::td_kernel);
    for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("device_type"))
    {
        let parsed = attribute.parse_nested_meta(|meta| {
            if !meta.path.is_ident("crate") {
                return Err(meta.error(
                    "`device_type` has one key: write `#[device_type(crate = ::td_kernel)]`",
                ));
            }
            path = meta.value()?.parse::<syn::Path>()?.to_token_stream();
            Ok(())
        });
        if let Err(error) = parsed {
            errors.push(error);
        }
    }
    path
}

fn fields(input: &DeriveInput, errors: &mut Errors) -> Vec<Field> {
    let Data::Struct(data) = &input.data else {
        errors.at(&input.ident, "only a struct has a C++ twin: write a struct with #[repr(C)]");
        return Vec::new();
    };
    let Fields::Named(named) = &data.fields else {
        errors.at(
            &input.ident,
            "the fields need names for C++ to have: write `struct Name { field: f32 }`",
        );
        return Vec::new();
    };
    if named.named.is_empty() {
        errors.at(
            &input.ident,
            "a struct without fields has no size in Rust but one in C++: give it a field",
        );
    }
    named.named.iter().filter_map(|each| field(each, errors)).collect()
}

fn field(field: &syn::Field, errors: &mut Errors) -> Option<Field> {
    let name = field.ident.clone()?;
    let plain = name.unraw().to_string();
    // Rust refuses it too, but only after the derive.
    let unnamed = (plain == "_").then(|| "`_` is no name of a field: choose one".to_owned());
    if let Some(message) = unnamed.or_else(|| names::refused(&plain)) {
        errors.span(name.span(), message);
        return None;
    }
    // Arrays are C arrays here: CUDA's vector types are aligned more strictly than Rust's arrays.
    let mut lengths = String::new();
    let mut element = bare(&field.ty);
    while let Type::Array(array) = element {
        let Some(length) = length(&array.len) else {
            errors.at(
                &array.len,
                "the length of an array in a DeviceType is a literal: write a number",
            );
            return None;
        };
        lengths += &format!("[{length}]");
        element = bare(&array.elem);
    }
    let Type::Path(path) = element else {
        errors
            .at(element, format!("no type that a GPU shares with Rust: write one of {SUPPORTED}"));
        return None;
    };
    let cuda = named(path, errors)?;
    let part = (cuda.origin == Origin::User).then(|| element.to_token_stream());
    let rust = if part.is_some() { field.ty.to_token_stream() } else { in_full(&field.ty) };
    Some(Field { declaration: format!("    {} {plain}{lengths};\n", cuda.name), name, part, rust })
}

fn expand(
    name: &Ident,
    alignment: Option<TokenStream>,
    fields: &[Field],
    runtime: &TokenStream,
) -> TokenStream {
    let cuda = name.unraw().to_string();
    let aligned = alignment.map_or_else(String::new, |alignment| format!("alignas({alignment}) "));
    let members: String = fields.iter().map(|field| field.declaration.as_str()).collect();
    let open = format!("struct {aligned}{cuda} {{\n{members}}};\nstatic_assert(sizeof({cuda}) == ");
    let alignment = format!(" && alignof({cuda}) == ");
    let offsets = fields.iter().map(|field| {
        let name = &field.name;
        let text = format!("\n    && offsetof({cuda}, {}) == ", name.unraw());
        quote! {
            #runtime::__private::Piece::Text(#text),
            #runtime::__private::Piece::Number(::core::mem::offset_of!(Self, #name)),
        }
    });
    let close = format!(",\n    \"{cuda} is laid out as in Rust\");\n");
    let (names, types): (Vec<_>, Vec<_>) =
        fields.iter().map(|field| (&field.name, &field.rust)).unzip();
    let parts = fields.iter().filter_map(|field| field.part.as_ref()).map(|part| {
        let spelled = part.to_string();
        let plain = spelled.rsplit("::").next().unwrap_or(&spelled).trim().to_owned();
        quote!(#runtime::__private::twin::<#part>(#plain))
    });
    quote! {
        // SAFETY: the struct is `repr(C)`, and each of its fields is a number, an array of numbers,
        // or a struct that `parts` below requires to be a DeviceType itself.
        unsafe impl #runtime::cudarc::driver::DeviceRepr for #name {}

        // SAFETY: as above. The twin asserts, when a kernel is compiled, that C++ gives the struct
        // the size, the alignment and the offsets that Rust does.
        unsafe impl #runtime::DeviceType for #name {
            const ALIGNMENT: ::core::primitive::usize = ::core::mem::align_of::<Self>();
            const TWIN: ::core::option::Option<&'static #runtime::__private::Twin> =
                ::core::option::Option::Some(&#runtime::__private::Twin {
                    name: #cuda,
                    parts: &[#(#parts),*],
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

        // The numbers among the fields are Rust's own, by whatever name the struct calls them.
        const _: fn(&#name) = |value| {
            #(let _: &#types = &value.#names;)*
        };

    }
}

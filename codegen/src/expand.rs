//! The Rust side of a kernel: a type that loads and launches it.

mod chunks;
mod constant;
mod fallback;
mod generic;
mod given_pairs;
mod joined;
mod launch;
mod near;
mod report;
mod sources;
mod unused;
mod variant;
mod warnings;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::Visibility;

pub(crate) use self::fallback::fallback;
use self::generic::implementations;
use self::launch::{
    arguments, bounds, call, count_parameters, launch_parameter, order, room, tuning,
};
use self::report::report;
pub(crate) use self::sources::all as all_sources;
use self::unused::unused;
pub(crate) use self::variant::helper_definition;
use self::variant::struct_definitions;
use self::warnings::warnings;
use crate::attributes::Attributes;
use crate::cuda;
use crate::element::half_check;
use crate::errors::Internal;
use crate::model::{Kernel, Role};
use crate::support::{self, Visit};

/// The generated items.
pub(crate) fn kernel(kernel: &Kernel) -> Result<TokenStream, Internal> {
    let Kernel {
        name,
        attributes,
        visibility,
        options,
        parameters,
        constants,
        prelude,
        feature,
        lower,
        body,
        ..
    } = kernel;
    let runtime = &options.runtime;
    let (inputs, entry): (Vec<_>, _) = (kernel.sources().collect(), cuda::entry(kernel));
    let (conditions, deprecated) = (&attributes.conditions, deprecated(attributes));
    let missing_counts = kernel.missing_counts();
    let counts = count_parameters(&missing_counts, runtime);
    let order = order(&missing_counts, parameters);
    let call = call(name, &missing_counts, parameters, runtime);
    let declarations = declarations(name, visibility, attributes, Some(call), runtime);
    let bounds = bounds(parameters.iter(), runtime);
    let launch_parameters: Vec<_> =
        parameters.iter().map(|each| launch_parameter(each, runtime)).collect();
    // All sources take the same arguments.
    let arguments = inputs.first().map(arguments);
    let room = room(parameters, runtime);
    let halves = parameters.iter().map(|each| half_check(&each.cuda, &each.rust, runtime));
    let tuning = tuning(&missing_counts, parameters, runtime);
    // Allow only past clippy's limit: `forbid` rejects any allow.
    let many = (parameters.len() + 2 > 7).then(|| quote!(#[allow(clippy::too_many_arguments)]));
    let chunks = inputs.first().and_then(|input| chunks::chunks(input, many.as_ref()));
    let plain_name = kernel.plain_name();
    let why = &kernel.variants.refused;
    let ways = [
        ("rows", &why.rows),
        ("devices", &why.devices),
        ("divided", &why.divided),
        ("tuning", &why.tuning),
        ("products", &why.products),
    ];
    let refused = refused_ways(runtime, &ways.map(|(way, why)| (way, why.as_deref())));
    let (diagonal, has_square) = (options.diagonal, kernel.has(Role::Square));
    let has_packed = kernel.has(Role::Packed) || kernel.has(Role::Matrix);
    let (is_rectangle, is_nearest) = (kernel.is_rectangle(), kernel.is_nearest());
    let is_exchanged = kernel.form.is_exchanged;
    let report = report(is_rectangle, runtime);
    let rows_documentation = match is_rectangle {
        true => quote! {
            /// The same kernel, whose launches visit only the pairs (i, j) with i in `rows`. A matrix has the
            /// values of these rows, or of all.
        },
        false => quote! {
            /// The same kernel, whose launches visit only the pairs (i, j) with i in `rows`, where i is the
            /// larger index. Packed slots are those of these rows, or of all.
        },
    };
    let generic = implementations(
        &quote!(#(#conditions)* #deprecated),
        name,
        &plain_name,
        runtime,
        parameters.iter().map(Some),
    );
    let joins = kernel.joins();
    let structs = struct_definitions(kernel);
    let loops_take_n = kernel.loops_source().is_some_and(|input| input.takes_n());
    let loops = variant::loops(kernel, loops_take_n, inputs.len());
    let all = all_sources(kernel);
    let near = near::near(kernel, all.len());
    let (parts, orders) = sources::parts(kernel, &all)?;
    let source_count = orders.len();
    let source = |at: usize| {
        quote! {{
            const TD_TEXT: #runtime::__private::Text<{ #runtime::__private::Source::length(&#name::TD_PARTED[#at]) }> =
                #runtime::__private::Source::joined(&#name::TD_PARTED[#at]);
            #runtime::__private::text(&TD_TEXT)
        }}
    };
    let (sources, cpu_source) = ((0..inputs.len()).map(source), source(inputs.len()));
    let nvrtc_options = kernel.nvrtc_options();
    let variants = inputs.iter().enumerate().map(|(at, input)| variant::variant(input, at));
    let warnings = warnings(kernel);
    let columns = kernel.begun_in_lines().map(|body| {
        let (directive, column) = (cuda::directive(body), body.column);
        quote!((#directive, #column))
    });
    let entries = given_pairs::entries(kernel, inputs.len() + 1);
    let pairs_source = match kernel.variants.entries {
        Some(_) => source(inputs.len() + 1),
        None => quote!(""),
    };
    let (pairs, keep) = (given_pairs::pairs(kernel), near::keep(kernel));
    let (count, optional, fallbacks) =
        (inputs.len(), kernel.optional_variants(), kernel.variants.fallbacks);
    let fitting = |all: TokenStream| match (optional, fallbacks) {
        (0, 0) => all,
        _ => quote!(#runtime::__private::fitting(#all, &#name::TD_VARIANTS, #optional, #fallbacks)),
    };
    let (fitting_sources, fitting_variants) =
        (fitting(quote!(&#name::TD_SOURCES)), fitting(quote!(&#name::TD_VARIANTS)));
    // Repeating the user's `include_str!` makes rustc rebuild when the file changes.
    let included = prelude
        .iter()
        .chain(feature)
        .chain(lower)
        .chain([body])
        .filter_map(|body| body.included.as_ref());
    let unused = unused(kernel);
    let constants = constant::definitions(name, constants, runtime);
    let watch = included.map(|path| {
        quote!(
            const _: &::core::primitive::str = ::core::include_str!(#path);
        )
    });

    // Without hygiene, a constant of that name in the user's scope would turn the binding into a pattern.
    let kernel_ = Ident::new("kernel", Span::mixed_site());

    Ok(quote! {
        #(#conditions)*
        #declarations

        #(#conditions)*
        #deprecated
        impl #name {
            /// Compiles the kernel for a device or several, or finds it compiled already.
            ///
            /// # Errors
            ///
            /// The kernel does not compile, or the device cannot compile anything.
            pub fn load(target: &impl ::core::convert::AsRef<#runtime::Target>) -> #runtime::Result<Self> {
                #(#watch)*
                #room
                #(#halves)*
                // SAFETY: the description and the arguments of `launch` are written from the same model.
                let #kernel_ = unsafe { #runtime::Kernel::load(::core::convert::AsRef::as_ref(target), Self::td_info()) };
                #kernel_.map(|#kernel_| Self { kernel: #kernel_ })
            }

            /// Launches the kernel over all pairs, or those of its rows. On a GPU it returns before the kernel ends.
            ///
            #[doc = ::core::concat!(" It takes, in this order: ", #order, ".")]
            ///
            /// # Errors
            ///
            /// The arguments disagree about n, are on another device or are misaligned, or n exceeds
            /// the map's limit: nothing has run. Or the device fails.
            #many
            pub fn launch(&self, #counts #(#launch_parameters),*) -> #runtime::Result<()> #bounds {
                #arguments
            }

            #chunks

            /// The generated CUDA C++, complete, of each variant. A launch takes the one for its number
            /// of elements. The first is for many.
            pub const SOURCES: &'static [&'static ::core::primitive::str] = #fitting_sources;

            #constants

            #structs

            // The parts of the sources.
            #[doc(hidden)]
            const TD_PARTS: &'static [&'static ::core::primitive::str] = &[#(#parts),*];

            // The sources of all variants, and the one for the CPU.
            #[doc(hidden)]
            const TD_PARTED: [#runtime::__private::Source; #source_count] = [
                #(#runtime::__private::Source { parts: #name::TD_PARTS, order: &[#(#orders),*] }),*
            ];

            // All variants, including those that may not fit.
            #[doc(hidden)]
            const TD_SOURCES: [&'static ::core::primitive::str; #count] = [#(#sources),*];

            #[doc(hidden)]
            const TD_VARIANTS: [#runtime::__private::Variant; #count] = [#(#variants),*];

            #[doc(hidden)]
            const TD_WARNINGS: &'static [#runtime::__private::Warning] = &[#(#warnings),*];

            /// The generated CUDA C++, complete, of the variant for many elements.
            pub const SOURCE: &'static ::core::primitive::str = #runtime::__private::first(Self::SOURCES);

            /// The generated C++ for a CPU, complete: plain loops over blocks of pairs.
            pub const CPU_SOURCE: &'static ::core::primitive::str = #cpu_source;

            /// The complete generated CUDA C++ of launches over given pairs. Empty if the kernel cannot visit them.
            pub const PAIRS_SOURCE: &'static ::core::primitive::str = #pairs_source;

            /// NVRTC's options for these sources.
            pub const OPTIONS: &'static [&'static ::core::primitive::str] = &[#(#nvrtc_options),*];

            /// The kernel's description for the runtime.
            #[doc(hidden)]
            const fn td_info() -> &'static #runtime::__private::KernelInfo {
                static INFO: #runtime::__private::KernelInfo = #runtime::__private::KernelInfo {
                    name: #plain_name,
                    entry: #entry,
                    diagonal: #diagonal,
                    has_square: #has_square,
                    has_packed: #has_packed,
                    is_rectangle: #is_rectangle,
                    is_exchanged: #is_exchanged,
                    is_nearest: #is_nearest,
                    near: #near,
                    joins: &[#(#joins),*],
                    entries: #entries,
                    refused: #refused,
                    options: #name::OPTIONS,
                    loops: #loops,
                    variants: #fitting_variants,
                    warnings: #name::TD_WARNINGS,
                    columns: &[#(#columns),*],
                };
                &INFO
            }

            /// The same kernel, launched on `stream` from now on.
            ///
            /// # Errors
            ///
            /// The stream belongs to another device than the kernel, or the device fails.
            pub fn with_stream(
                &self,
                stream: &impl #runtime::Stream,
            ) -> #runtime::Result<Self> {
                #runtime::Kernel::with_stream(&self.kernel, stream).map(|#kernel_| Self { kernel: #kernel_ })
            }

            #rows_documentation
            ///
            /// A launch is an error if the kernel cannot visit a part of its rows.
            #[must_use]
            pub fn rows(&self, rows: ::core::ops::Range<::core::primitive::usize>) -> Self {
                Self { kernel: #runtime::Kernel::rows(&self.kernel, rows) }
            }

            #pairs

            #keep

            #report

            /// Times the kernel's variants on these arguments. Launches of about as many elements then
            /// use the fastest one: those of this kernel and its clones, and, if the device has a cache,
            /// those of later processes.
            ///
            /// It launches the kernel several times, each of which adds to sums and lists: clear them.
            ///
            /// # Errors
            ///
            /// Those of a launch; there are no pairs; or `tune` does not go with the kernel or its devices: td-kernel has a table.
            #many
            pub fn tune(&self, #counts #(#launch_parameters),*) -> #runtime::Result<#runtime::TuneReport> #bounds {
                #tuning
            }
        }

        #generic

        #unused

        // Lists the kernel for `td_kernel::testing`, where the user's crate is compiled for its tests.
        #(#conditions)*
        #[cfg(test)]
        #deprecated
        const _: () = {
            #runtime::__private::register! { #plain_name, #fitting_variants, &#name::td_info().entries, &#name::td_info().near, #name::OPTIONS, #name::TD_WARNINGS }
        };
    })
}

/// The runtime's descriptions of launches over given pairs, over near pairs that they keep, and shared with other processes. They are
/// those of all kernels.
pub(crate) fn other_launches() -> TokenStream {
    let others = support::OTHERS.map(|other| {
        let ways = [
            ("rows", Visit::Ranges),
            ("divided", Visit::Values),
            ("chunks", Visit::Chunks),
            ("processes", Visit::Processes),
            ("mixed", Visit::Mixed),
            ("tuning", Visit::Tuning),
            ("reports", Visit::Reports),
        ];
        refused_ways(&quote!(crate), &ways.map(|(name, way)| (name, support::between(way, other))))
    });
    quote!([#(#others),*])
}

/// The runtime's description of the ways of launching that are not supported.
fn refused_ways(runtime: &TokenStream, ways: &[(&str, Option<&str>)]) -> TokenStream {
    let reasons = ways.iter().filter_map(|(way, why)| {
        let (way, why) = (Ident::new(way, Span::call_site()), why.as_ref()?);
        Some(quote!(#way: ::core::option::Option::Some(#why),))
    });
    quote!(#runtime::__private::Refused { #(#reasons)* ..#runtime::__private::Refused::NONE })
}

fn declarations(
    name: &Ident,
    visibility: &Visibility,
    attributes: &Attributes,
    call: Option<String>,
    runtime: &TokenStream,
) -> TokenStream {
    let deprecated = deprecated(attributes);
    // Kernels are named like functions: lints about the names of types must not see them.
    let name = &unseen(&quote!(#name));
    let documentation =
        (!attributes.is_documented).then(|| quote!(#[doc = r" A kernel over all pairs."]));
    let call = call.map(|call| {
        let call = format!(" `{call}`");
        quote! {
            ///
            /// [`load`](Self::load) compiles the kernel, [`launch`](Self::launch) runs it:
            #[doc = #call]
        }
    });
    let attributes = &attributes.type_attributes;
    quote! {
        #documentation
        #(#attributes)*
        #call
        #[derive(::core::clone::Clone, ::core::fmt::Debug)]
        #deprecated
        #visibility struct #name {
            #[doc(hidden)]
            kernel: #runtime::Kernel,
        }
    }
}

/// The user's tokens at their own span, marked as this crate's code, so that lints about the user's style ignore them.
fn unseen(tokens: &TokenStream) -> TokenStream {
    let mut tokens: Vec<_> = tokens.clone().into_iter().collect();
    if let Some(first) = tokens.first_mut() {
        first.set_span(Span::call_site().located_at(first.span()));
    }
    tokens.into_iter().collect()
}

/// A deprecated kernel's own items may use it.
fn deprecated(attributes: &Attributes) -> Option<TokenStream> {
    attributes.is_deprecated.then(|| quote!(#[allow(deprecated)]))
}

//! The runtime's description of each source of a kernel.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use td_kernel_geometry::{Space, Sweep, Tiling};

use super::joined::joined;
use crate::cuda::definition;
use crate::cuda_type::Origin;
use crate::errors::{moved, span_of};
use crate::model::{Kernel, Parameter, Role, SourceInput, Variant};

/// The runtime's description of a source; `at` is its index in the list of sources.
pub(crate) fn variant(input: &SourceInput<'_>, at: usize) -> TokenStream {
    let kernel = input.kernel;
    let options = &kernel.options;
    let runtime = &options.runtime;
    let Variant { map, linear, .. } = *input.variant;
    let root =
        if map.takes_root() { root(kernel) } else { quote!(#runtime::__private::Root::Exact) };
    let map = map.name();
    let space = match options.space {
        // A list has no triangle, in which a thread could find its pair.
        Space::Thread if !input.visits_entries() => quote!(Thread),
        _ => quote!(Block),
    };
    let (name, tiling, shared, sector) =
        (&kernel.name, tiling(input), shared(input), sector(kernel));
    let (has_rows, takes_n) = (input.has_rows(), input.takes_n());
    quote! {{
        const TILING: #runtime::__private::Tiling = #tiling;
        #runtime::__private::Variant {
            source: #name::TD_PARTED[#at],
            has_rows: #has_rows,
            takes_n: #takes_n,
            map: #map,
            root: #root,
            space: #runtime::__private::Space::#space,
            linear: #linear,
            tiling: TILING,
            shared: #shared,
            sector: #sector,
        }
    }}
}

/// The runtime's description of a CPU source; `at` is its index in the list of sources.
pub(super) fn loops(kernel: &Kernel, takes_n: bool, at: usize) -> TokenStream {
    let (name, runtime, options) = (&kernel.name, &kernel.options.runtime, kernel.loops_options());
    quote! {
        #runtime::__private::Loops {
            source: #name::TD_PARTED[#at],
            takes_n: #takes_n,
            options: &[#(#options),*],
        }
    }
}

/// The number of which n must be a multiple for the rows of all squares to start at memory sectors. These numbers are powers of
/// two, so the largest is a multiple of the others.
fn sector(kernel: &Kernel) -> TokenStream {
    let runtime = &kernel.options.runtime;
    kernel.with_role(Role::Square).fold(quote!(1), |others, Parameter { rust, .. }| {
        quote!(#runtime::__private::sector(::core::mem::size_of::<#rust>(), #others))
    })
}

/// The shared memory of a block, in bytes. rustc checks that it fits a block: only rustc knows the size of a user's struct.
fn shared(input: &SourceInput<'_>) -> TokenStream {
    let kernel = input.kernel;
    let runtime = &kernel.options.runtime;
    let folded = kernel.folds.iter().map(|fold| {
        let size = fold.size as usize;
        quote!(Folded { size: #size })
    });
    let kept: Vec<_> = kernel
        .parameters
        .iter()
        .flat_map(|each| each.kind.kept(input, each))
        .chain(folded)
        .collect();
    if kept.is_empty() {
        return quote!(0);
    }
    let is_square = kernel.has(Role::Square);
    let bytes = quote!(TILING.shared(#is_square, &[#(#runtime::__private::SharedUse::#kept),*]));
    let is_optional = kernel.optional_variants() > 0 && input.variant.tiling.sweep == Sweep::Mirror;
    if is_optional || kernel.variants.fallbacks > 0 {
        bytes
    } else {
        quote!(#runtime::__private::shared(#bytes))
    }
}

/// The tiling, as a Rust expression.
fn tiling(input: &SourceInput<'_>) -> TokenStream {
    let runtime = &input.kernel.options.runtime;
    let Tiling { sweep, side, columns, neighbours, height, unroll, .. } = input.variant.tiling;
    let sweep = Ident::new(&format!("{sweep:?}"), Span::call_site());
    let new = quote!(#runtime::__private::Tiling::new(#runtime::__private::Sweep::#sweep, #side));
    let tiling = quote!(#runtime::__private::Tiling);
    // By their paths: a trait in the user's scope may have methods of these names for every type.
    quote!(#tiling::with_height(
        #tiling::with_columns(#new, #columns, #neighbours), #height, #unroll
    ))
}

fn root(kernel: &Kernel) -> TokenStream {
    let runtime = &kernel.options.runtime;
    let root = kernel.options.root;
    let variant = match root.name() {
        "sqrt" => quote!(Sqrt),
        "newton" => quote!(Newton),
        "rsqrt" => quote!(Rsqrt),
        _ => quote!(Exact),
    };
    let epsilon = root.epsilon().map(|epsilon| quote!({ epsilon: #epsilon }));
    quote!(#runtime::__private::Root::#variant #epsilon)
}

/// The C++ definitions of the user's structs, as an item of the kernel's type, if the kernel uses structs. Only a struct's
/// derive knows its definition: rustc joins them when it evaluates constants.
pub(super) fn struct_definitions(kernel: &Kernel) -> Option<TokenStream> {
    if !kernel.has_structs() {
        return None;
    }
    let runtime = &kernel.options.runtime;
    let structs = kernel.parameters.iter().filter(|each| each.cuda.origin == Origin::User);
    // Each struct by its Rust path, even if C++ names are equal: whether two structs of one name are the same struct is only
    // known when the constant is evaluated.
    let structs = structs.map(|Parameter { cuda, rust, .. }| {
        let name = &cuda.name;
        let runtime = moved(runtime, span_of(rust));
        quote_spanned!(span_of(rust)=> #runtime::__private::definition::<#rust>(#name))
    });
    let halves = kernel.halves().map(|helper| helper_definition(helper, runtime));
    let definitions = halves.chain(structs);
    let joined = joined(&quote!(Definitions(&[#(#definitions),*])), runtime);
    Some(quote! {
        // The structs in C++, before each source.
        const TD_DEFINITIONS: &'static ::core::primitive::str = #joined;
    })
}

/// The definition of a helper, for the source before the kernel: structs may have members of its type.
pub(crate) fn helper_definition(name: &str, runtime: &TokenStream) -> TokenStream {
    let text = definition::helper(name);
    quote! {
        &#runtime::__private::Definition {
            name: #name,
            parts: &[],
            pieces: &[#runtime::__private::Piece::Text(#text)],
        }
    }
}

//! What the runtime is told of each of a kernel's texts, and the text itself.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use td_kernel_maps::Space;

use crate::cuda::store;
use crate::cuda::types::Origin;
use crate::errors::{moved, place};
use crate::model::{Kernel, Kind, Parameter, Sweep, Variant};

/// The fields of a variant but for its text: the one that the options hold now.
pub(crate) fn variant(kernel: &Kernel) -> TokenStream {
    let options = &kernel.options;
    let runtime = &options.runtime;
    let Variant { map, linear, sweep, .. } = options.variant;
    let root =
        if map.takes_root() { root(kernel) } else { quote!(#runtime::__private::Root::Exact) };
    let map = map.name();
    let (side, [x, y]) = (options.side(), options.threads());
    let space = match options.space {
        Space::Block => quote!(Block),
        Space::Thread => quote!(Thread),
    };
    let sweep = match sweep {
        Sweep::Classic => quote!(Classic),
        Sweep::Columns => quote!(Columns),
        Sweep::Rows => quote!(Rows),
        Sweep::Mirror => quote!(Mirror),
    };
    let (shared, sector) = (shared(kernel), sector(kernel));
    quote! {
        rows: ::core::option::Option::None,
        map: #map,
        root: #root,
        space: #runtime::__private::Space::#space,
        linear: #linear,
        sweep: #runtime::__private::Sweep::#sweep,
        side: #side,
        threads: [#x, #y],
        shared: #shared,
        sector: #sector,
    }
}

/// Of how many elements n has to be a multiple for the rows of all squares to start at sectors of memory. All
/// such counts are powers of two, so that the largest is a multiple of the others.
fn sector(kernel: &Kernel) -> TokenStream {
    let runtime = &kernel.options.runtime;
    kernel.of_kind(Kind::Square).fold(quote!(1), |others, Parameter { rust, .. }| {
        quote!(#runtime::__private::sector(::core::mem::size_of::<#rust>(), #others))
    })
}

/// The shared memory of a block, in bytes, for rustc to check that it is there: only rustc knows the
/// size of a user's struct.
fn shared(kernel: &Kernel) -> TokenStream {
    let options = &kernel.options;
    let runtime = &options.runtime;
    let tile = options.side() as usize;
    let is_square = kernel.has(Kind::Square);
    let before = kernel.alignment() as usize;
    let elements = match (options.space, options.variant.sweep) {
        (Space::Thread, _) => 0,
        (_, Sweep::Classic | Sweep::Mirror) => 2 * tile,
        (_, Sweep::Columns) => tile,
        (_, Sweep::Rows) if is_square => 2 * (2 * tile + before),
        (_, Sweep::Rows) => 2 * tile + before,
    };
    let stores_vectors = matches!(options.variant.sweep, Sweep::Rows | Sweep::Mirror);
    let indirect: Vec<_> =
        store::slots(kernel).filter(|slot| slot.vector.is_none()).map(|slot| slot.name).collect();
    let [width, height] = options.threads().map(|count| count as usize);
    let own = options.variant.stores.neighbours as usize;
    let segment = width * own;
    // The epilogue has one value of each sum for each warp that adds to the others'.
    let warps = match options.variant.sweep {
        Sweep::Columns => 0,
        _ => options.threads().iter().product::<u32>() as usize / 32,
    };
    let parts = kernel.parameters.iter().flat_map(|parameter| {
        let Parameter { kind, rust, .. } = parameter;
        let size = match kind {
            Kind::Sum => quote!(::core::mem::size_of::<#runtime::__private::Total<#rust>>()),
            _ => quote!(::core::mem::size_of::<#rust>()),
        };
        let count = match kind {
            Kind::Each => elements,
            Kind::Sum => warps,
            _ => 0,
        };
        let plain = (count > 0).then(|| quote!(#count * #size));
        let mirror = (*kind == Kind::Square && options.variant.sweep == Sweep::Mirror)
            .then(|| quote!(#runtime::__private::mirror(#tile, #size)));
        let is_indirect = stores_vectors && indirect.contains(&parameter.plain_name());
        let segments = is_indirect
            .then(|| quote!(#height * #runtime::__private::segment(#segment, #own, #size)));
        [plain, mirror, segments].into_iter().flatten()
    });
    let parts: Vec<_> = parts.collect();
    if parts.is_empty() {
        return quote!(0);
    }
    let is_optional = kernel.optional_variants() > 0 && options.variant.sweep == Sweep::Mirror;
    if is_optional { quote!(#(#parts)+*) } else { quote!(#runtime::__private::shared(#(#parts)+*)) }
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

/// The text, with the C++ twins of the user's structs before it where there are any. Only the
/// structs' own derive knows those, so rustc puts the parts together when it evaluates constants.
pub(super) fn with_twins(
    source: &str,
    plain_name: &str,
    runtime: &TokenStream,
    parameters: &[Parameter],
) -> TokenStream {
    // Each by its Rust path, even where C++ names are the same: that two structs of one name are
    // one and the same is seen when the constant is evaluated.
    let twins: Vec<TokenStream> = parameters
        .iter()
        .filter(|each| each.cuda.origin == Origin::User)
        .map(|Parameter { cuda, rust, .. }| {
            let name = &cuda.name;
            let runtime = moved(runtime, place(rust));
            quote_spanned!(place(rust)=> #runtime::__private::twin::<#rust>(#name))
        })
        .collect();
    if twins.is_empty() {
        return quote!(#source);
    }
    let (title, text) = source.split_at(source.find("\n\n").map_or(0, |at| at + 1));
    let file = format!("{plain_name}.cu");
    quote! {{
        const TWINS: &[&#runtime::__private::Twin] = &[#(#twins),*];
        const PARTS: #runtime::__private::Parts<'_> = #runtime::__private::Parts {
            twins: TWINS,
            title: #title,
            file: #file,
            text: #text,
        };
        const BYTES: [::core::primitive::u8; #runtime::__private::length(&PARTS)] =
            #runtime::__private::concatenate(&PARTS);
        #runtime::__private::text(&BYTES)
    }}
}

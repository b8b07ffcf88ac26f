//! The method `chunks`: the rows of the only output with a value for each pair, chunk by chunk.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::Lifetime;

use super::launch::{bounds, collected, count_names, count_parameters, wrong_parameter};
use crate::model::{Count, Parameter, SourceInput, Taken};
use crate::support::{self, Visit};

/// The output of the chunks: the only one with values for pairs.
fn chunked<'a>(parameters: impl Iterator<Item = &'a Parameter>) -> Option<&'a Parameter> {
    let slots: Vec<_> = parameters.filter(|each| each.is_slot()).collect();
    match slots[..] {
        [one] => Some(one),
        _ => None,
    }
}

/// Whether it needs the pairs of all rows.
fn is_whole(parameter: &Parameter) -> bool {
    support::refusal(parameter, Visit::Ranges).is_some()
}

/// The parameters and the result of `chunks`.
struct Signature<'a> {
    output: &'a Parameter,
    /// The counts that no other parameter has.
    missing_counts: Vec<Count>,
    generics: Option<TokenStream>,
    parameters: Vec<TokenStream>,
    result: TokenStream,
    bounds: Option<TokenStream>,
}

/// `None` without such an output. A wrong parameter takes any argument.
fn signature<'a>(
    parameters: impl Iterator<Item = Option<&'a Parameter>> + Clone,
    runtime: &TokenStream,
) -> Option<Signature<'a>> {
    let output = chunked(parameters.clone().flatten())?;
    let bounds = bounds(parameters.clone().flatten(), runtime);
    let others = parameters.filter(|each| each.is_none_or(|each| each.name != output.name));
    if others.clone().flatten().any(is_whole) {
        return None;
    }
    let missing_counts = Count::missing_of(output.is_of_rectangle(), others.clone());
    let taken = |each: &Parameter| each.kind.taken(each, runtime);
    let borrows = others.clone().flatten().any(|each| !matches!(taken(each), Taken::Value(_)));
    let lifetime = &match borrows {
        true => Lifetime::new("'arguments", Span::mixed_site()),
        false => Lifetime::new("'static", Span::call_site()),
    };
    let parameter = |(at, each): (usize, Option<&Parameter>)| match each {
        Some(each) => {
            let (name, ty) = (&each.name, taken(each).argument_type(Some(lifetime)));
            quote!(#name: #ty)
        }
        None => wrong_parameter(at),
    };
    let rust = &output.rust;
    Some(Signature {
        output,
        missing_counts,
        generics: borrows.then(|| quote!(<#lifetime>)),
        parameters: others.enumerate().map(parameter).collect(),
        result: quote!(#runtime::Result<#runtime::Chunks<#lifetime, #rust>>),
        bounds,
    })
}

/// The method, if the kernel has one.
pub(super) fn chunks(input: &SourceInput<'_>, many: Option<&TokenStream>) -> Option<TokenStream> {
    let kernel = input.kernel;
    let runtime = &kernel.options.runtime;
    let all = || kernel.parameters.iter();
    let Signature { output, missing_counts, generics, parameters, result, bounds } =
        signature(all().map(Some), runtime)?;
    let [this, rows, slots] =
        ["this", "rows", "slots"].map(|name| Ident::new(name, Span::mixed_site()));
    let arguments = Ident::new("arguments", Span::mixed_site());
    let launch = Ident::new("launch", Span::mixed_site());
    let counts = count_parameters(&missing_counts, runtime);
    let (missing_names, launch_counts): (Vec<_>, Vec<_>) = (
        count_names(&missing_counts).collect(),
        count_names(&Count::missing(all().map(Some))).collect(),
    );
    let others: Vec<_> = all().filter(|each| each.name != output.name).collect();
    if is_whole(output) {
        let rust = &output.rust;
        let names = others.iter().map(|each| &each.name);
        let bounds = bounds.unwrap_or_else(|| quote!(where));
        // A bound for every lifetime is checked only where the method is called.
        return Some(quote! {
            #[doc(hidden)]
            #many
            pub fn chunks #generics (&self, #counts #(#parameters),*) -> #result
            #bounds
                for<'call> #runtime::Square<#rust>: #runtime::__private::InChunks<'call>,
            {
                <#runtime::Square<#rust> as #runtime::__private::InChunks<'_>>::never((#(#missing_names,)* #(#names,)*))
            }
        });
    }
    let collected = collected(input, &missing_counts, &others, &launch, &arguments);
    let names = all().map(|each| if each.name == output.name { &slots } else { &each.name });
    let chunked = output.plain_name();
    Some(quote! {
        /// The kernel's rows in chunks: their values are never in memory all at once.
        ///
        #[doc = ::core::concat!(" It takes the arguments of `launch` without `", #chunked, "`, whose values these are.")]
        ///
        /// # Errors
        ///
        /// The arguments disagree about n, are on another device or are misaligned, or the rows do not exist.
        #many
        pub fn chunks #generics (&self, #counts #(#parameters),*) -> #result #bounds {
            #(let #missing_names = #runtime::__private::Count::count(#missing_names);)*
            #collected
            let #launch = #launch.chunks()?;
            let #this = ::core::clone::Clone::clone(self);
            ::core::result::Result::Ok(#launch.by(move |#rows, #slots| {
                Self::launch(&Self::rows(&#this, #rows), #(#launch_counts,)* #(#names),*)
            }))
        }
    })
}

/// The method of a wrong kernel, with an empty body.
pub(super) fn fallback<'a>(
    parameters: impl Iterator<Item = Option<&'a Parameter>> + Clone,
    runtime: &TokenStream,
) -> Option<TokenStream> {
    let Signature { missing_counts, generics, parameters, result, bounds, .. } =
        signature(parameters, runtime)?;
    let counts = count_parameters(&missing_counts, runtime);
    Some(quote! {
        pub fn chunks #generics (&self, #counts #(#parameters),*) -> #result #bounds { loop {} }
    })
}

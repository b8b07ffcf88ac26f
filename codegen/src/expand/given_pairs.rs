//! The runtime's description of what launches over given pairs run, and the method `pairs`.

use proc_macro2::TokenStream;
use quote::quote;

use super::variant::{loops, variant};
use crate::model::{Kernel, SourceInput};

/// The description, or why the kernel cannot visit given pairs. `at` is the index of its GPU source in the list of sources; its CPU
/// source and its GPU sources by element come next.
pub(super) fn entries(kernel: &Kernel, at: usize) -> TokenStream {
    let Some(variant) = &kernel.variants.entries else {
        let why = &kernel.variants.refused.pairs;
        return quote!(::core::result::Result::Err(#why));
    };
    let input = SourceInput::given_pairs(kernel, variant);
    let runtime = &kernel.options.runtime;
    let variant = self::variant(&input, at);
    let loops = loops(kernel, input.loops().takes_n(), at + 1);
    let by_element = kernel.partners_sources().zip(at + 2..);
    let partners = by_element.map(|(input, at)| self::variant(&input, at));
    quote! {
        ::core::result::Result::Ok(#runtime::__private::Entries {
            variant: #variant,
            partners: &[#(#partners),*],
            loops: #loops,
        })
    }
}

/// The method `pairs`.
pub(super) fn pairs(kernel: &Kernel) -> TokenStream {
    let runtime = &kernel.options.runtime;
    quote! {
        /// The same kernel, whose launches visit only these pairs, each as often as it is on the list. The argument
        /// for `Packed` or `Matrix` is then a `Buffer` with a value for each entry of the list, in its order.
        ///
        /// It replaces an earlier list. If no argument determines n, it is the largest i plus one; for a list that
        /// launches have pushed, the largest n of these launches.
        ///
        /// A launch is an error if a pair is outside of its elements, or if the kernel cannot visit given pairs.
        #[must_use]
        pub fn pairs(&self, pairs: &#runtime::GivenPairs) -> Self {
            Self { kernel: #runtime::Kernel::pairs(&self.kernel, pairs) }
        }
    }
}

//! `x: &[T]` and `x: &mut [T]`: raw pointers, and the length if the body uses it.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::model::{About, Argument, Kind, Parameter, Role, SourceInput, Taken};

/// `x: &[T]`.
pub(crate) const SLICE: &dyn Kind = &Slice { is_written: false };

/// `x: &mut [T]`.
pub(crate) const SLICE_MUT: &dyn Kind = &Slice { is_written: true };

struct Slice {
    is_written: bool,
}

impl Kind for Slice {
    fn about(&self) -> About {
        let (name, spelling, role) = match self.is_written {
            true => ("slices_mut", "&mut [T]", Role::Memory),
            false => ("slices", "&[T]", Role::Input),
        };
        About { written: "[…] = …", ..About::input(name, spelling, role) }
    }

    fn parameters(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        let name = format!("{}_arg", parameter.plain_name());
        self.declared(&name, input, parameter)
    }

    fn pair_parameters(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        self.declared(&parameter.plain_name(), input, parameter)
    }

    fn pair_arguments(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<Argument> {
        let pointer = format!("{}_arg", parameter.plain_name());
        let all = [pointer].into_iter().chain(input.kernel.length_of(parameter));
        all.map(Argument::Expression).collect()
    }

    fn taken(&self, parameter: &Parameter, runtime: &TokenStream) -> Taken {
        let rust = &parameter.rust;
        match self.is_written {
            false => Taken::Trait { is_mut: false, name: quote!(#runtime::Slice<#rust>) },
            true => Taken::Trait { is_mut: true, name: quote!(#runtime::SliceMut<#rust>) },
        }
    }

    fn call(
        &self,
        input: &SourceInput<'_>,
        parameter: &Parameter,
        arguments: &Ident,
    ) -> Option<TokenStream> {
        input.kernel.length_of(parameter).map(|_| quote!(#arguments.length();))
    }
}

impl Slice {
    /// Declares the pointer `name`, and the length if the body uses it.
    fn declared(&self, name: &str, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        let cuda = &parameter.cuda.name;
        let pointer = match self.is_written {
            // Not `__restrict__`: other pointers may alias these elements.
            true => format!("{cuda} *const {name}"),
            false => format!("const {cuda} *const __restrict__ {name}"),
        };
        let length = input.kernel.length_of(parameter);
        let length = length.map(|name| format!("const unsigned long long {name}"));
        [pointer].into_iter().chain(length).collect()
    }
}

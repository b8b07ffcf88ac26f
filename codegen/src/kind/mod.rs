//! The kinds of parameters: a module each.
//!
//! A kind says what a signature calls it, which parameters of the kernel and of the pair function are made of it, what
//! the templates of the sweeps know about it, what it keeps in shared memory, and how a launch takes its argument.
//! What the sweeps do with it stands in their templates (`kernels/*.cu`), which list parameters by kind.
//!
//! A new kind is a module here, its line in [`KINDS`], the templates of the sweeps that it works in, and the type of
//! its argument in the runtime.

mod each;
mod packed;
mod pairs;
mod scalar;
mod slice;
mod square;
mod sum;

use std::fmt;

use minijinja::Value;
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::{GenericArgument, Lifetime, PathArguments, TypePath};

pub(crate) use self::each::EACH;
pub(crate) use self::scalar::SCALAR;
pub(crate) use self::slice::{SLICE, SLICE_MUT};
use crate::cuda::types::CudaType;
use crate::errors::{Errors, span_of};
use crate::model::{Parameter, Text};
use crate::parse::types;

/// Every kind, in the order in which messages list them.
pub(crate) const KINDS: &[&dyn Kind] =
    &[EACH, SLICE, SLICE_MUT, SCALAR, packed::PACKED, square::SQUARE, sum::SUM, pairs::PAIRS];

/// A kind of parameter.
pub(crate) trait Kind: Sync {
    /// Its name: the list of its parameters in the templates.
    fn name(&self) -> &'static str;

    /// How a signature spells it: `&mut Sum<T>`.
    fn spelling(&self) -> &'static str;

    /// What it is to the sweeps.
    fn role(&self) -> Role;

    /// The runtime's type in its spelling, for an output.
    fn output(&self) -> Option<&'static str> {
        None
    }

    /// For an output: the type of its elements, from the path in the signature. Where it is wrong, it has got an
    /// error.
    fn element(&self, path: &TypePath, errors: &mut Errors) -> Option<Element> {
        argument(self.output().unwrap_or_default(), path, errors).map(|(_, element)| element)
    }

    /// The kernel's parameters, as C++ declares them.
    fn parameters(&self, text: &Text<'_>, parameter: &Parameter) -> Vec<String>;

    /// The pair function's parameters, as C++ declares them.
    fn pair_parameters(&self, text: &Text<'_>, parameter: &Parameter) -> Vec<String>;

    /// What the pair function is called with.
    fn pair_arguments(&self, text: &Text<'_>, parameter: &Parameter) -> Vec<Argument>;

    /// What the templates know about it besides its name and its type.
    fn facts(&self, _: &Text<'_>, _: &Parameter) -> Vec<(&'static str, Value)> {
        Vec::new()
    }

    /// What it keeps in a block's shared memory: values of [`Kept`](td_kernel_maps::Kept), as Rust.
    fn kept(&self, _: &Text<'_>, _: &Parameter) -> Vec<TokenStream> {
        Vec::new()
    }

    /// Whether a value of its type is among the kernel's parameters, and not only addresses.
    fn is_passed(&self) -> bool {
        false
    }

    /// The type of its argument in `launch`.
    fn argument_type(&self, parameter: &Parameter, runtime: &TokenStream) -> TokenStream;

    /// The same in the tuple of a `LaunchWith`, borrowed for `lifetime`: `impl Trait` has no place there, so it is a trait
    /// object.
    fn tuple_type(
        &self,
        parameter: &Parameter,
        runtime: &TokenStream,
        lifetime: &Lifetime,
    ) -> TokenStream;

    /// The statements with which `launch` takes its argument: a method of the runtime's `Launch`, which gets the
    /// parameter's name for messages.
    fn argument(&self, text: &Text<'_>, parameter: &Parameter, arguments: &Ident) -> TokenStream;
}

/// What a kind is to the sweeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The pairs are made of its elements.
    Elements,
    /// The body reads it.
    Input,
    /// The body writes to it by itself.
    Memory,
    /// A slot for each pair, in packed rows.
    Packed,
    /// Two slots for each pair, in the rows of a square.
    Square,
    /// One result of all pairs: each pair has to be visited once.
    Gathered,
}

/// What the pair function is called with.
pub(crate) enum Argument {
    /// The pair's two elements, which each sweep has elsewhere.
    Element,
    /// The variable that the pair's value is written to, of which some sweeps have several.
    Value(String),
    /// The same in every sweep.
    Text(String),
}

/// The type of elements, in CUDA and in Rust.
pub(crate) type Element = (CudaType, TokenStream);

impl PartialEq for dyn Kind {
    fn eq(&self, other: &dyn Kind) -> bool {
        self.name() == other.name()
    }
}

impl fmt::Debug for dyn Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The kind of an output whose path ends with its name.
pub(crate) fn output(path: &TypePath) -> Option<&'static dyn Kind> {
    let last = path.path.segments.last()?;
    KINDS.iter().copied().find(|kind| kind.output().is_some_and(|name| last.ident == name))
}

/// The spellings of the kinds, as far as `listed` takes them: "`A`, `B` or `C`".
pub(crate) fn spellings(listed: impl Fn(&dyn Kind) -> bool) -> String {
    let names: Vec<_> = KINDS
        .iter()
        .filter(|kind| listed(**kind))
        .map(|kind| format!("`{}`", kind.spelling()))
        .collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => names.concat(),
    }
}

/// The type of an output's elements, in its angle brackets, and the type as it is written.
fn argument<'a>(
    name: &str,
    path: &'a TypePath,
    errors: &mut Errors,
) -> Option<(&'a syn::Type, Element)> {
    let PathArguments::AngleBracketed(arguments) = &path.path.segments.last()?.arguments else {
        errors
            .at(path, format!("`{name}` needs the type of its elements: write `&mut {name}<f32>`"));
        return None;
    };
    let mut arguments = arguments.args.iter();
    let (Some(GenericArgument::Type(ty)), None) = (arguments.next(), arguments.next()) else {
        errors.at(path, format!("`{name}` takes one type: write `&mut {name}<f32>`"));
        return None;
    };
    Some((ty, types::element(ty, errors)?))
}

/// `arguments.method("name", name)?;`, whose errors about the argument's type point at the parameter.
fn take(parameter: &Parameter, method: &str, arguments: &Ident) -> TokenStream {
    let Parameter { name, .. } = parameter;
    let (text, span) = (parameter.plain_name(), span_of(&quote!(#name)));
    let method = Ident::new(method, span);
    quote_spanned!(span=> #arguments.#method(#text, #name)?;)
}

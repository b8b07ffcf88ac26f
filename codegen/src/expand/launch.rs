//! The parameters and bodies of `launch` and `tune`.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};

use crate::cuda_type::Origin;
use crate::kind;
use crate::model::{Count, Parameter, SourceInput, Taken};

/// The first parameters of a launch: the element counts that its other arguments do not have.
pub(super) fn count_parameters(missing_counts: &[Count], runtime: &TokenStream) -> TokenStream {
    let names = count_names(missing_counts);
    quote!(#(#names: impl #runtime::__private::Count,)*)
}

/// The parameters of a launch, in order, for its documentation.
pub(super) fn order(missing_counts: &[Count], parameters: &[Parameter]) -> String {
    let counts = missing_counts.iter().map(|count| (count.name().to_owned(), "usize".to_owned()));
    let written = |each: &Parameter| {
        let spelling = each.kind.about().spelling;
        let (_, ty) = spelling.rsplit_once(": ").unwrap_or(("", spelling));
        let rust = each.rust.to_string().replace(' ', "").replace("::core::primitive::", "");
        let count = match each.neighbours {
            0 => String::new(),
            count => format!(", {count}"),
        };
        let ty = ty.replace(", K", &count);
        (each.name.to_string(), ty.replacen('T', &rust.replace(';', "; "), 1))
    };
    let all = counts.chain(parameters.iter().map(written));
    all.map(|(name, ty)| format!("`{name}: {ty}`")).collect::<Vec<_>>().join("; ")
}

/// A call that loads and launches the kernel, for the documentation of its type.
pub(super) fn call(
    name: &Ident,
    missing_counts: &[Count],
    parameters: &[Parameter],
    runtime: &TokenStream,
) -> String {
    let counts = missing_counts.iter().map(|count| count.name().to_owned());
    let argument = |each: &Parameter| {
        let prefix = match each.kind.taken(each, runtime) {
            Taken::Value(_) => "",
            Taken::Type { is_mut: false, .. } | Taken::Trait { is_mut: false, .. } => "&",
            Taken::Type { is_mut: true, .. } | Taken::Trait { is_mut: true, .. } => "&mut ",
        };
        format!("{prefix}{}", each.name)
    };
    let all: Vec<_> = counts.chain(parameters.iter().map(argument)).collect();
    format!("{name}::load(&device)?.launch({})?", all.join(", "))
}

pub(super) fn count_names(counts: &[Count]) -> impl Iterator<Item = Ident> {
    counts.iter().map(|count| Ident::new(count.name(), Span::call_site()))
}

/// A parameter of a launch.
pub(super) fn launch_parameter(parameter: &Parameter, runtime: &TokenStream) -> TokenStream {
    let Parameter { name, kind, written, .. } = parameter;
    let argument_type = kind.taken(parameter, runtime).argument_type(None);
    let argument_type = as_written(argument_type, written.as_ref());
    quote!(#name: #argument_type)
}

/// A wrong parameter of a launch, which takes any argument.
pub(super) fn wrong_parameter(at: usize) -> TokenStream {
    let name = format_ident!("wrong_{at}");
    quote!(#name: impl ::core::marker::Sized)
}

/// The type with the user's own token for its name, so that an editor finds the type from the signature.
fn as_written(argument_type: TokenStream, written: Option<&Ident>) -> TokenStream {
    let replaced = |token| match token {
        TokenTree::Ident(name) => {
            let own = written.filter(|written| **written == name);
            TokenTree::Ident(own.cloned().unwrap_or(name))
        }
        TokenTree::Group(group) => {
            let inner = as_written(group.stream(), written);
            let mut replaced = Group::new(group.delimiter(), inner);
            replaced.set_span(group.span());
            TokenTree::Group(replaced)
        }
        other => other,
    };
    argument_type.into_iter().map(replaced).collect()
}

/// Up to this many parameters fit a kernel whatever their types, except for user structs: other parameters take at most 32
/// bytes, and a list with values takes 40.
const FEW: usize = 800;

/// Has rustc check the size of the kernel's parameters: only rustc knows a struct's size.
pub(super) fn room(parameters: &[Parameter], runtime: &TokenStream) -> Option<TokenStream> {
    let values = parameters.iter().filter(|each| each.kind.about().is_passed);
    let has_struct = values.clone().any(|each| each.cuda.origin == Origin::User);
    let numbers = || parameters.iter().flat_map(|each| each.kind.numbers(each));
    if !has_struct && numbers().count() <= FEW {
        return None;
    }
    let addresses = 8 * numbers().map(|each| each.kind.about().words).sum::<usize>();
    let sizes = values.map(|Parameter { cuda, rust, .. }| match cuda.origin {
        // Without the trait's constant: a struct without a definition has another error.
        Origin::User => {
            quote!(+ ::core::mem::size_of::<#rust>() + ::core::mem::align_of::<#rust>())
        }
        _ => quote!(+ #runtime::__private::room::<#rust>()),
    });
    Some(quote!(const _: () = #runtime::__private::parameters(#addresses #(#sizes)*);))
}

/// The bounds under which rustc checks what uses the user's structs. A struct without a definition in C++ is then an error where
/// the kernel names it, and not again in each of these items. The lifetime defers the bounds to the items' users.
pub(super) fn bounds<'a>(
    parameters: impl Iterator<Item = &'a Parameter>,
    runtime: &TokenStream,
) -> Option<TokenStream> {
    let structs = parameters.filter(|each| each.cuda.origin == Origin::User);
    let structs: Vec<_> = structs.map(|each| &each.rust).collect();
    (!structs.is_empty()).then(|| quote!(where #(for<'td> #structs: #runtime::DeviceType,)*))
}

/// The body of `launch`. Its variables have names that no parameter can have.
pub(super) fn arguments(input: &SourceInput<'_>) -> TokenStream {
    let parameters = &input.kernel.parameters;
    let launch = Ident::new("launch", Span::mixed_site());
    let arguments = Ident::new("arguments", Span::mixed_site());
    let missing_counts = input.kernel.missing_counts();
    let parameters: Vec<_> = parameters.iter().collect();
    let collected = collected(input, &missing_counts, &parameters, &launch, &arguments);
    quote! {
        #collected
        // SAFETY: the calls above give the parameters of the source, in order and with their types.
        unsafe { #launch.run() }
    }
}

/// Statements that bind these arguments to the variable `launch`, in order, through the variable `arguments`. They call methods
/// that no trait in the user's scope can replace.
pub(super) fn collected(
    input: &SourceInput<'_>,
    missing_counts: &[Count],
    parameters: &[&Parameter],
    launch: &Ident,
    arguments: &Ident,
) -> TokenStream {
    let runtime = &input.kernel.options.runtime;
    let counts = missing_counts.iter().zip(count_names(missing_counts)).map(|(count, name)| {
        let role = Ident::new(input.kernel.own_count(*count).role(), Span::call_site());
        let label = count.name();
        quote! {
            #arguments.bind(td_private::Axis::#role, #label, td_private::Count::count(#name))?;
        }
    });
    let calls = parameters.iter().map(|each| kind::bind(input, each, arguments));
    let kernel = Ident::new("kernel", Span::mixed_site());
    // Methods of `&` and `&mut` are found before the methods that a trait has for values. Lints attribute a `?` after a user's
    // path to the user.
    quote! {
        use #runtime::__private as td_private;
        let #kernel = &self.kernel;
        let mut #launch = #kernel.launch_of(Self::td_info())?;
        let #arguments = &mut #launch;
        #(#counts)*
        #(#calls)*
    }
}

/// The body of `tune`. Its closure's variable has a name that no parameter can have.
pub(super) fn tuning(
    missing_counts: &[Count],
    parameters: &[Parameter],
    runtime: &TokenStream,
) -> TokenStream {
    let variant = Ident::new("variant", Span::mixed_site());
    let counts: Vec<_> = count_names(missing_counts).collect();
    let names = parameters.iter().map(|each| &each.name);
    quote! {
        #(let #counts = #runtime::__private::Count::count(#counts);)*
        #runtime::Kernel::tune(&self.kernel, &mut |#variant| {
            Self::launch(&Self { kernel: ::core::clone::Clone::clone(#variant) }, #(#counts,)* #(#names),*)
        })
    }
}

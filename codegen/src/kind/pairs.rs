//! `x: &mut Pairs` and `x: &mut Pairs<T>`: a list of pairs, without values or with a value each.

use minijinja::Value;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{GenericArgument, PathArguments, PathSegment, Type, TypePath};

use crate::cuda_type;
use crate::element::{Element, argument};
use crate::errors::Errors;
use crate::model::{About, Kind, Parameter, Role, SourceInput, Taken};

/// `x: &mut Pairs`.
pub(crate) const PAIRS: &dyn Kind = &Pairs::Alone;

/// `x: &mut Pairs<T>`.
pub(super) const PAIRS_OF: &dyn Kind = &Pairs::Valued;

/// `x: &mut Pairs` within many sets: the launch takes a `Pairs<u32>`, whose values are the indices of sets.
pub(super) const PAIRS_IN_SETS: &dyn Kind = &Pairs::InSets;

/// The values of a list of pairs.
#[derive(PartialEq, Eq)]
enum Pairs {
    /// None.
    Alone,
    /// Those that a body pushes.
    Valued,
    /// The indices of the pairs' sets, which a body does not push.
    InSets,
}

impl Pairs {
    /// The pair function's parameter. For a 16-bit float, the body pushes a `float`.
    fn pushed(&self, parameter: &Parameter) -> String {
        let value = &parameter.cuda;
        match self {
            Pairs::Alone => "td_pushed".to_owned(),
            Pairs::InSets => "td_pushed_in_set".to_owned(),
            Pairs::Valued if cuda_type::is_half(value) && cuda_type::parts(value).is_none() => {
                format!("td_pushed_of<{}, float>", value.name)
            }
            Pairs::Valued => format!("td_pushed_of<{}>", value.name),
        }
    }
}

impl Kind for Pairs {
    fn about(&self) -> About {
        let (name, spelling, words) = match self {
            Pairs::Alone => ("lists", "&mut Pairs", 3),
            // The addresses of i, j, the values and the count, and the capacity.
            Pairs::Valued | Pairs::InSets => ("valued_lists", "&mut Pairs<T>", 5),
        };
        About {
            written: if *self == Pairs::Valued { ".push(…)" } else { ".push()" },
            passed_as: "_pushed",
            names_set: *self == Pairs::InSets,
            lists_pairs: true,
            is_long: *self != Pairs::Alone,
            words,
            ..About::output(name, spelling, Role::Gathered, "Pairs")
        }
    }

    fn is_spelled(&self, last: &PathSegment) -> bool {
        last.ident == "Pairs" && last.arguments.is_none() == (*self == Pairs::Alone)
    }

    fn element(&self, path: &TypePath, errors: &mut Errors) -> Option<Element> {
        if *self == Pairs::Alone {
            // The list holds CUDA's `uint2`, which has the layout of two `u32`.
            return Some((cuda_type::vector("u32", 2)?, quote!([::core::primitive::u32; 2])));
        }
        if is_of_nothing(path) {
            errors.at(
                path,
                "a list of pairs without values does not take a type: write `&mut Pairs`",
            );
            // The type of the user's argument, so that no second error follows.
            return Some((cuda_type::primitive("f32")?, quote!(())));
        }
        argument("Pairs", path, errors)
    }

    fn parameters(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        let (name, cuda) = (parameter.plain_name(), &parameter.cuda.name);
        let lists = match self {
            Pairs::Alone => vec![format!("{cuda} *const {name}_list")],
            Pairs::Valued | Pairs::InSets => vec![
                format!("unsigned int *const {name}_of_i"),
                format!("unsigned int *const {name}_of_j"),
                format!("{cuda} *const {name}_values"),
            ],
        };
        let ends = [
            format!("unsigned long long *const {name}_count"),
            format!("const unsigned long long {name}_capacity"),
        ];
        lists.into_iter().chain(ends).collect()
    }

    fn pair_parameters(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        vec![format!("{} &{}", self.pushed(parameter), parameter.plain_name())]
    }

    fn facts(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<(&'static str, Value)> {
        if *self == Pairs::Alone {
            return Vec::new();
        }
        // Whether a thread can keep the values of a few pairs in registers: only rustc knows the size of a struct.
        vec![
            ("is_small", Value::from(parameter.is_kept())),
            ("pushed", Value::from(self.pushed(parameter))),
            ("pushed_start", Value::from(if *self == Pairs::InSets { "{set}" } else { "" })),
        ]
    }

    fn taken(&self, parameter: &Parameter, runtime: &TokenStream) -> Taken {
        let rust = &parameter.rust;
        let values = (*self != Pairs::Alone).then(|| quote!(<#rust>));
        Taken::Type { is_mut: true, ty: quote!(#runtime::Pairs #values) }
    }
}

/// Whether the type is `Pairs<()>`, which equals the runtime's `Pairs` without a type.
fn is_of_nothing(path: &TypePath) -> bool {
    let Some(PathSegment { arguments: PathArguments::AngleBracketed(arguments), .. }) =
        path.path.segments.last()
    else {
        return false;
    };
    arguments.args.iter().any(|argument| {
        matches!(argument, GenericArgument::Type(Type::Tuple(tuple)) if tuple.elems.is_empty())
    })
}

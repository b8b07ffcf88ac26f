//! `x: &mut Pairs`: a list of pairs without values.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{PathSegment, TypePath};

use crate::cuda_type;
use crate::element::Element;
use crate::errors::Errors;
use crate::model::{Argument, Kind, Parameter, Role, SourceInput, Taken};

/// `x: &mut Pairs`.
pub(crate) const PAIRS: &dyn Kind = &Pairs;

struct Pairs;

impl Kind for Pairs {
    fn name(&self) -> &'static str {
        "lists"
    }

    fn spelling(&self) -> &'static str {
        "&mut Pairs"
    }

    fn role(&self) -> Role {
        Role::Gathered
    }

    fn output(&self) -> Option<&'static str> {
        Some("Pairs")
    }

    fn written(&self) -> &'static str {
        ".push()"
    }

    fn is_spelled(&self, last: &PathSegment) -> bool {
        last.ident == "Pairs" && last.arguments.is_none()
    }

    fn element(&self, _: &TypePath, _: &mut Errors) -> Option<Element> {
        // The list holds CUDA's `uint2`, which has the layout of two `u32`.
        Some((cuda_type::vector("u32", 2)?, quote!([::core::primitive::u32; 2])))
    }

    fn parameters(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        let (name, cuda) = (parameter.plain_name(), &parameter.cuda.name);
        vec![
            format!("{cuda} *const {name}_list"),
            format!("unsigned long long *const {name}_count"),
            format!("const unsigned long long {name}_capacity"),
        ]
    }

    fn pair_parameters(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        vec![format!("td_pushed &{}", parameter.plain_name())]
    }

    fn pair_arguments(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<Argument> {
        vec![Argument::Expression(format!("{}_pushed", parameter.plain_name()))]
    }

    fn taken(&self, _: &Parameter, runtime: &TokenStream) -> Taken {
        Taken::Type { is_mut: true, ty: quote!(#runtime::Pairs) }
    }
}

//! `#[set] x: &mut Minima<T>` and `Maxima<T>`, in kernels over `Sets`: an extreme of each set, with `(T, u32)` and the pair's index
//! in its set.
//!
//! A pair offers its value to the cell of its set at once. The cell is read first: few pairs are better than all before them, so
//! atomics are rare.

use syn::TypePath;

use super::gather::{Gather, Partner, components};
use super::types::{alone, partnered};
use crate::element::Element;
use crate::errors::Errors;
use crate::kind::SET;
use crate::model::{About, Argument, Kind, Parameter, Role, SourceInput};

/// Every kind of extreme of a set.
pub(in crate::kind) const SET_EXTREMES: &[&dyn Kind] = &[
    &SetExtreme { gather: Gather::Min, has_pair: false },
    &SetExtreme { gather: Gather::Max, has_pair: false },
    &SetExtreme { gather: Gather::Min, has_pair: true },
    &SetExtreme { gather: Gather::Max, has_pair: true },
];

struct SetExtreme {
    gather: Gather,
    /// Whether it has the index of its pair.
    has_pair: bool,
}

impl SetExtreme {
    /// What a pair offers its value to.
    fn offered(&self, parameter: &Parameter) -> String {
        let number = &parameter.cuda.name;
        let cell = self.gather.cell(number, self.has_pair);
        match self.has_pair {
            true => {
                let best = self.gather.part(number, Partner::Any);
                format!("td_pair_offer_to_set<{number}, {best}>")
            }
            false => {
                let best = self.gather.part(number, Partner::None);
                format!("td_offer_to_set<{number}, {best}, {cell}>")
            }
        }
    }
}

impl Kind for SetExtreme {
    fn about(&self) -> About {
        let (name, spelling) = match (self.gather, self.has_pair) {
            (Gather::Min, false) => ("minima_of_sets", "#[set] x: &mut Minima<T>"),
            (Gather::Min, true) => ("minima_of_sets_with_pairs", "#[set] x: &mut Minima<T>"),
            (_, false) => ("maxima_of_sets", "#[set] x: &mut Maxima<T>"),
            (_, true) => ("maxima_of_sets_with_pairs", "#[set] x: &mut Maxima<T>"),
        };
        About {
            written: ".offer(…)",
            is_listed: false,
            has_partner: self.has_pair,
            is_of_set: true,
            names_pair: self.has_pair,
            names_set: true,
            words: 1,
            ..About::output(name, spelling, Role::Gathered, self.gather.name())
        }
    }

    fn element(&self, path: &TypePath, errors: &mut Errors) -> Option<Element> {
        let (name, has_pair) = (self.gather.name(), self.has_pair);
        let (cuda, rust) = match has_pair {
            true => partnered(name, path, errors)?,
            false => alone(self.gather, path, errors)?,
        };
        if components(&cuda).count > 1 {
            errors.at(path, format!("an extreme of a set is a number: write a `#[set] x: &mut {name}<T>` for each component"));
            return None;
        }
        Some((cuda, rust))
    }

    fn parameters(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        let cell = self.gather.cell(&parameter.cuda.name, self.has_pair);
        vec![format!("{cell} *const {}_cells", parameter.plain_name())]
    }

    fn pair_parameters(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        vec![format!("const {} {}", self.offered(parameter), parameter.plain_name())]
    }

    fn pair_arguments(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<Argument> {
        let cell = format!("{}_cells + {SET}", parameter.plain_name());
        vec![Argument::Expression(match (self.has_pair, input.domain.is_rectangle()) {
            (false, _) => format!("{{{cell}}}"),
            (true, true) => format!("{{{cell}, i * own.columns + j}}"),
            // Half of a product that may have 33 bits.
            (true, false) => {
                format!("{{{cell}, (unsigned int)((unsigned long long)i * (i - 1) / 2) + j}}")
            }
        })]
    }
}

/// The kind of extreme for a path: of the results that it names, with a pair if the type has one.
pub(crate) fn set_extreme(path: &TypePath) -> Option<&'static dyn Kind> {
    let last = path.path.segments.last()?;
    let is_tuple = |ty| matches!(crate::element::bare(ty), syn::Type::Tuple(_));
    let has_pair = super::first_argument(last).is_some_and(is_tuple);
    SET_EXTREMES
        .iter()
        .find(|kind| kind.is_spelled(last) && kind.has_partner() == has_pair)
        .copied()
}

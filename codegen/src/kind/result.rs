//! `#[each] x: &mut Sums<T>`, `Minima<T>` and `Maxima<T>`, or `#[row]` or `#[column]` for a rectangle: a result for each
//! element.
//!
//! A thread accumulates its part of an element's result in registers. After its pairs, it adds the part to the element's cells
//! with atomics. A vector has one array of cells for each component.

mod gather;
mod set_extremes;
mod types;

use minijinja::{Value, context};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{GenericArgument, PathArguments, PathSegment, Type, TypePath};
use td_kernel_geometry::Sweep;

pub(super) use self::gather::order;
use self::gather::{Gather, Partner, components};
pub(super) use self::set_extremes::SET_EXTREMES;
pub(crate) use self::set_extremes::set_extreme;
pub(super) use self::types::small;
use self::types::{alone, partnered};
use super::arrays::ARRAY_SUMS;
use super::{reduce, wide};
use crate::element::{Element, bare};
use crate::errors::Errors;
use crate::model::{About, End, Kind, Members, Parameter, Role, SourceInput};

/// A result for each element.
struct ElementResult {
    /// How values are combined.
    gather: Gather,
    /// The elements that have the result.
    end: End,
    /// Whether the result has the index of the other element.
    has_partner: bool,
}

/// Every kind of result.
pub(super) const RESULTS: &[&dyn Kind] = &[
    &of(Gather::Sum, End::Each),
    &of(Gather::Sum, End::Row),
    &of(Gather::Sum, End::Column),
    &of(Gather::Min, End::Each),
    &of(Gather::Min, End::Row),
    &of(Gather::Min, End::Column),
    &of(Gather::Max, End::Each),
    &of(Gather::Max, End::Row),
    &of(Gather::Max, End::Column),
    &with_partner(Gather::Min, End::Each),
    &with_partner(Gather::Min, End::Row),
    &with_partner(Gather::Min, End::Column),
    &with_partner(Gather::Max, End::Each),
    &with_partner(Gather::Max, End::Row),
    &with_partner(Gather::Max, End::Column),
];

const fn of(gather: Gather, end: End) -> ElementResult {
    ElementResult { gather, end, has_partner: false }
}

const fn with_partner(gather: Gather, end: End) -> ElementResult {
    ElementResult { gather, end, has_partner: true }
}

/// The kind of result for an attribute's name and a type's path.
pub(crate) fn result(marker: &str, path: &TypePath) -> Option<&'static dyn Kind> {
    let last = path.path.segments.last()?;
    let end = End::of(marker)?;
    let name = super::output(path)?.output()?;
    if name == ARRAY_SUMS {
        return Some(end.choose(wide::GIVEN_SUMS));
    }
    if name == Gather::Sum.name() && first_argument(last).is_some_and(wide::is_wide) {
        return Some(end.choose(wide::SUMS));
    }
    if name == reduce::NAME {
        return Some(end.choose(reduce::REDUCTIONS));
    }
    let has_partner = name != Gather::Sum.name()
        && first_argument(last).is_some_and(|ty| matches!(bare(ty), Type::Tuple(_)));
    let is_it = |kind: &&&dyn Kind| {
        kind.role() == Role::Result(end)
            && kind.output() == Some(name)
            && kind.has_partner() == has_partner
    };
    RESULTS.iter().find(is_it).copied()
}

/// The first type in angle brackets.
fn first_argument(last: &PathSegment) -> Option<&Type> {
    match &last.arguments {
        PathArguments::AngleBracketed(arguments) => match arguments.args.first()? {
            GenericArgument::Type(ty) => Some(ty),
            _ => None,
        },
        _ => None,
    }
}

impl ElementResult {
    /// The type in which a thread accumulates one element's result.
    fn part(&self, input: &SourceInput<'_>, parameter: &Parameter) -> String {
        let number = &components(&parameter.cuda).number;
        let is_wide = input.folds_columns() && self.adds_floats(parameter);
        let partner = match input.variant.tiling.sweep {
            _ if !self.has_partner => Partner::None,
            _ if input.is_loops => Partner::Any,
            Sweep::Columns | Sweep::Classic if number == "float" => Partner::InOrder,
            _ => Partner::Any,
        };
        // The CPU adds up many pairs as doubles before it adds to the cell. Without features, a pair has a part of its own.
        let part = match is_wide {
            true => format!("td_sum<{number}, double>"),
            false => self.gather.part(number, partner),
        };
        match components(&parameter.cuda).count {
            1 => part,
            count => {
                let is_sum = self.gather == Gather::Sum;
                let vector = if is_sum { "td_sums" } else { "td_best_components" };
                format!("{vector}<{}, {part}, {count}>", parameter.cuda.name)
            }
        }
    }

    /// The pair function's parameter for one of the pair's elements.
    fn given(&self, input: &SourceInput<'_>, parameter: &Parameter) -> String {
        let part = self.part(input, parameter);
        match self.has_partner {
            true => format!("td_offer_with_index<{}, {part}>", parameter.cuda.name),
            false => format!("{part} &"),
        }
    }

    /// The parameter with the number of elements of all sets, by which the digits of an exact sum are apart. A source for tiles has
    /// the number of a set's elements only.
    fn stride(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Option<String> {
        let is_taken =
            input.kernel.form.members == Members::Many && self.is_exact(input.kernel, parameter);
        is_taken.then(|| format!("{}_stride", parameter.plain_name()))
    }

    /// The cells of an element, or the digits of exact sums, each with the vector member that it stores.
    fn cells(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<(String, &'static str)> {
        let of = if self.is_exact(input.kernel, parameter) { "digits" } else { "cells" };
        let name = format!("{}_{of}", parameter.plain_name());
        let members = members(parameter).iter();
        members.map(|member| (format!("{name}{}", suffix(member)), *member)).collect()
    }
}

/// The members of a vector; an empty one for a single number.
fn members(parameter: &Parameter) -> &'static [&'static str] {
    match components(&parameter.cuda).count {
        1 => &[""],
        count => [".x", ".y", ".z", ".w"].get(..count).unwrap_or_default(),
    }
}

/// The suffix of variable names for a member.
fn suffix(member: &str) -> String {
    member.replace('.', "_")
}

impl Kind for ElementResult {
    fn about(&self) -> About {
        let (end, has_partner) = (self.end, self.has_partner);
        let names = match (self.gather, has_partner) {
            (Gather::Sum, _) => ["sums_of_each", "sums_of_rows", "sums_of_columns"],
            (Gather::Min, false) => ["minima_of_each", "minima_of_rows", "minima_of_columns"],
            (Gather::Max, false) => ["maxima_of_each", "maxima_of_rows", "maxima_of_columns"],
            (Gather::Min, true) => ["nearest_of_each", "nearest_of_rows", "nearest_of_columns"],
            (Gather::Max, true) => ["farthest_of_each", "farthest_of_rows", "farthest_of_columns"],
        };
        let (spelling, written) = match self.gather {
            Gather::Sum => ("#[each] x: &mut Sums<T>", end.choose([".i += …", " += …", " += …"])),
            Gather::Min => ("#[each] x: &mut Minima<T>", ".offer(…)"),
            Gather::Max => ("#[each] x: &mut Maxima<T>", ".offer(…)"),
        };
        About {
            written,
            is_listed: end == End::Each && !has_partner,
            can_drop: true,
            has_partner,
            ..About::output(end.choose(names), spelling, Role::Result(end), self.gather.name())
        }
    }

    fn element(&self, path: &TypePath, errors: &mut Errors) -> Option<Element> {
        match self.has_partner {
            true => partnered(self.gather.name(), path, errors),
            false => alone(self.gather, path, errors),
        }
    }

    fn adds_floats(&self, parameter: &Parameter) -> bool {
        self.gather == Gather::Sum && components(&parameter.cuda).is_float()
    }

    fn lines(&self, parameter: &Parameter) -> Vec<String> {
        if !self.adds_floats(parameter) || !self.end.has_row() {
            return Vec::new();
        }
        let name = parameter.plain_name();
        let members = members(parameter).iter();
        members.map(|member| format!("{name}_part{}", suffix(member))).collect()
    }

    fn parameters(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        let number = components(&parameter.cuda).number;
        let cell = match self.is_exact(input.kernel, parameter) {
            true => "unsigned long long",
            false => self.gather.cell(&number, self.has_partner),
        };
        let cells = self.cells(input, parameter).into_iter();
        let cells = cells.map(|(name, _)| format!("{cell} *const {name}"));
        let stride = self.stride(input, parameter);
        cells.chain(stride.map(|stride| format!("const unsigned int {stride}"))).collect()
    }

    fn pair_parameters(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        let (given, name) = (self.given(input, parameter), parameter.plain_name());
        vec![match (self.end, self.gather) {
            (End::Each, Gather::Sum) => format!("const td_ends<{given}> {name}"),
            (End::Each, _) => {
                let value = &parameter.cuda.name;
                format!("const td_offers<{value}, {given}> {name}")
            }
            _ if self.has_partner => format!("const {given} {name}"),
            _ => format!("{given}{name}"),
        }]
    }

    fn facts(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<(&'static str, Value)> {
        let number = components(&parameter.cuda).number;
        let name = parameter.plain_name();
        let cells = self.cells(input, parameter).into_iter();
        let planes: Vec<_> = cells
            .map(|(cells, member)| {
                let suffix = suffix(member);
                let warps = format!("{name}_warps{suffix}");
                context! { cells, member, suffix, warps }
            })
            .collect();
        // The members of a part that move from lane to lane.
        let own: &[_] = if self.has_partner { &["value", "partner"] } else { &["value"] };
        let passed = members(parameter).iter();
        let passed = passed.flat_map(|member| own.iter().map(move |own| format!("{member}.{own}")));
        let adds = self.gather == Gather::Sum;
        vec![
            ("width", Value::from(0)),
            ("part", Value::from(self.part(input, parameter))),
            ("planes", Value::from(planes)),
            ("passed", passed.collect()),
            ("exact", Value::from(self.is_exact(input.kernel, parameter))),
            ("stride", Value::from(self.stride(input, parameter))),
            ("has_row", Value::from(self.end.has_row())),
            ("has_column", Value::from(self.end.has_column())),
            ("number", Value::from(number.as_str())),
            // The expression, after a part, of the value for its cell.
            ("value", Value::from(if adds { ".value" } else { ".rank()" })),
            ("shared", Value::from(self.gather.shared(&number, self.has_partner))),
            ("is_float", Value::from(components(&parameter.cuda).is_float())),
            ("adds", Value::from(adds)),
            // On the CPU: a pair's variables, how one is stored or added to those of a row, what that row has then, and a part's.
            (
                "own",
                Value::from(
                    self.end.choose(["@_row, @_col", "@_row", "@_col"]).replace('@', &name),
                ),
            ),
            (
                "stored",
                Value::from(if components(&parameter.cuda).is_float() { "[c] = " } else { " += " }),
            ),
            (
                "of_line",
                Value::from(if components(&parameter.cuda).is_float() { "part" } else { "line" }),
            ),
            ("of_part", Value::from(self.part(input, parameter))),
            // The type of a row's or a column's sum on the CPU.
            (
                "wide",
                Value::from(match self.adds_floats(parameter) {
                    true => "double",
                    false => self.gather.shared(&number, self.has_partner),
                }),
            ),
            // What combines the parts of a block's warps, those of a warp's threads, and a part and its cell.
            (
                "together",
                Value::from(if adds { "td_sum_of_warps" } else { "td_greatest_of_warps" }),
            ),
            (
                "of_lanes",
                Value::from(if adds { "td_sum_of_lanes" } else { "td_greatest_of_lanes" }),
            ),
            ("atomic", Value::from(if adds { "atomicAdd" } else { "atomicMax" })),
        ]
    }

    fn kept(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<TokenStream> {
        let sweep = input.variant.tiling.sweep;
        if !self.end.has_row() || matches!(sweep, Sweep::Classic | Sweep::Sets) {
            return Vec::new();
        }
        let components = components(&parameter.cuda);
        let bytes = self.gather.shared_bytes(&components.number, self.has_partner);
        let size = bytes * components.count;
        vec![quote!(Result { size: #size })]
    }
}

//! `#[each] x: &mut Nearest<T, K>`, or `#[row]` for two sets: the K nearest neighbours of each element.
//!
//! The sweeps stage a bound for each element, like an element: the value of the farthest of its nearest neighbours so far. A
//! pushed pair goes to the element's queue if it is within the bound. Between the rounds of the map, a second kernel of the
//! same source merges the queues.

use minijinja::Value;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Expr, ExprLit, GenericArgument, Lit, PathArguments, TypePath};
use td_kernel_geometry::Sweep;

use super::result::{order, small};
use crate::cuda_type::CudaType;
use crate::element::{Element, bare_expression};
use crate::errors::Errors;
use crate::model::{About, End, Kind, Parameter, Role, SourceInput, Taken};

/// The nearest neighbours of each element.
struct Nearest(End);

/// The kinds of nearest neighbours, by the elements that have them.
pub(super) const NEAREST: [&dyn Kind; 3] =
    [&Nearest(End::Each), &Nearest(End::Row), &Nearest(End::Column)];

/// The most neighbours of an element: a warp merges them in shared memory.
const MOST: u32 = 256;

/// The most neighbours that a thread keeps in registers.
const MOST_IN_REGISTERS: u32 = 16;
/// In place of the number of neighbours, if a launch sets it.
const AT_RUN_TIME: u32 = 0;

/// The kind for an attribute's name and a type's path, if it is one of these.
pub(crate) fn nearest(marker: &str, path: &TypePath) -> Option<&'static dyn Kind> {
    let name = path.path.segments.last()?.ident.to_string();
    Some(End::of(marker)?.choose(NEAREST)).filter(|kind| kind.output() == Some(&name))
}

/// How the values of neighbours are bounded.
struct Bound {
    /// The type of a bound: the number's own, or a 32-bit type for small integers.
    name: &'static str,
    /// The type in which a lower bound over boxes is compared with a bound. A negative number is not converted to an unsigned one.
    limit: &'static str,
    /// What converts a lower bound before it is compared with a value: `push` rounds a double to a float, so the bound of such a
    /// value is rounded too.
    rounded: &'static str,
    /// The function that converts a cell to a bound.
    of_cell: &'static str,
}

fn bound(cuda: &CudaType) -> Bound {
    let [name, limit, rounded, of_cell] = match cuda.name.as_str() {
        "float" => ["float", "float", "(float)", "td_float_bound"],
        name if name.starts_with("unsigned") => {
            ["unsigned int", "long long", "", "td_unsigned_bound"]
        }
        _ => ["int", "int", "", "td_signed_bound"],
    };
    Bound { name, limit, rounded, of_cell }
}

impl Kind for Nearest {
    fn about(&self) -> About {
        let names = ["neighbours_of_each", "neighbours_of_rows", "neighbours_of_columns"];
        let (name, role) = (self.0.choose(names), Role::Neighbours(self.0));
        About {
            written: ".push(…)",
            passed_as: "_pushed",
            is_listed: self.0 == End::Each,
            words: 6,
            ..About::output(name, "#[each] x: &mut Nearest<T, K>", role, "Nearest")
        }
    }

    fn element(&self, path: &TypePath, errors: &mut Errors) -> Option<Element> {
        let PathArguments::AngleBracketed(arguments) = &path.path.segments.last()?.arguments else {
            errors.at(path, "`Nearest` needs the type of the values and the number of neighbours: write `&mut Nearest<f32, 10>` for the ten nearest neighbours of each element");
            return None;
        };
        let mut written = arguments.args.iter();
        let (Some(GenericArgument::Type(value)), count, None) =
            (written.next(), written.next(), written.next())
        else {
            errors.at(path, "`Nearest` takes the type of the values and the number of neighbours: write `&mut Nearest<f32, 10>`, or `&mut Nearest<f32>` if `device.nearest_k(n, k)` gives the number");
            return None;
        };
        // Without a number, the argument of a launch sets it.
        let Some(count) = count else { return small(value, errors) };
        match literal(count) {
            Some(1..=MOST) => {}
            Some(number) => errors.at(count, format!("K is {number}: write a number of neighbours from 1 to {MOST}")),
            None => errors.at(count, format!("the number of neighbours must be a literal, because it is a constant of the kernel: write a number from 1 to {MOST}, or `Nearest<T>` if `device.nearest_k(n, k)` gives it")),
        }
        small(value, errors)
    }

    fn neighbours(&self, path: &TypePath) -> u32 {
        let Some(last) = path.path.segments.last() else { return 1 };
        match &last.arguments {
            PathArguments::AngleBracketed(arguments) => arguments
                .args
                .iter()
                .nth(1)
                .map_or(AT_RUN_TIME, |count| literal(count).unwrap_or(1)),
            _ => 1,
        }
    }

    fn parameters(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        let (bound, name) = (bound(&parameter.cuda).name, parameter.plain_name());
        if input.variant.tiling.sweep == Sweep::SetRows {
            // Each element's cells are written by one thread.
            return vec![format!("unsigned long long *const {name}_cells")];
        }
        if input.is_loops {
            // Without queues: the cells are written at once, behind locks.
            return vec![
                format!("unsigned long long *const {name}_cells"),
                format!("unsigned int *const {name}_count"),
            ];
        }
        // Without rounds, the kernel writes the cells itself.
        let cells = match input.variant.tiling.sweep {
            Sweep::Near => format!("unsigned long long *const {name}_cells"),
            _ => format!("const unsigned long long *const __restrict__ {name}_cells"),
        };
        vec![
            format!("const {bound} *const __restrict__ {name}_all"),
            cells,
            format!("unsigned long long *const {name}_queue"),
            format!("unsigned int *const {name}_count"),
            format!("const unsigned int {name}_capacity"),
            format!("unsigned int *const {name}_missed"),
        ]
    }

    fn pair_parameters(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        vec![format!("td_near<{}> &{}", parameter.cuda.name, parameter.plain_name())]
    }

    fn facts(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<(&'static str, Value)> {
        let is_at_run_time = parameter.neighbours == AT_RUN_TIME;
        let (count, bound) = (neighbours(parameter), bound(&parameter.cuda));
        let queues = if input.is_loops { "td_neighbour_lists" } else { "td_queues" };
        let is_marked = matches!(input.variant.tiling.sweep, Sweep::Near | Sweep::SetRows);
        let is_plain = input.is_loops && input.kernel.feature.is_none();
        vec![
            // The sweeps stage bounds.
            ("type", Value::from(bound.name)),
            ("staged", Value::from(bound.name)),
            ("pushed", Value::from(format!("td_near<{}>", parameter.cuda.name))),
            ("queues", Value::from(format!("{queues}<{count}, {}>", order(&parameter.cuda.name)))),
            ("order", Value::from(order(&parameter.cuda.name))),
            ("bound_of_cell", Value::from(bound.of_cell)),
            ("is_at_run_time", Value::from(is_at_run_time)),
            // A thread has registers for so few.
            ("is_own", Value::from(!is_at_run_time && parameter.neighbours <= MOST_IN_REGISTERS)),
            // A warp sorts at least as many cells as it has threads.
            ("room", Value::from(parameter.neighbours.next_power_of_two().max(32))),
            // The cells of an element in shared memory.
            (
                "places",
                match is_at_run_time {
                    true => Value::from("NEAREST"),
                    false => Value::from(parameter.neighbours.next_power_of_two().max(32)),
                },
            ),
            ("has_column", Value::from(self.0.has_column())),
            // A pair that is near one of its elements goes to the queues of both.
            ("put", Value::from(if self.0.has_column() { "put_each" } else { "put" })),
            ("and_column", Value::from(if self.0.has_column() { ", @_col" } else { "" })),
            // Whether a thread keeps bounds in registers.
            (
                "is_kept",
                Value::from(input.variant.tiling.sweep == Sweep::Product && !input.is_loops),
            ),
            ("is_in_loops", Value::from(input.is_loops)),
            ("is_marked", Value::from((is_marked && !input.is_loops) || is_plain)),
            ("limit", Value::from(bound.limit)),
            ("rounded", Value::from(bound.rounded)),
            ("value_type", Value::from(parameter.cuda.name.as_str())),
        ]
    }

    fn kept(&self, _: &SourceInput<'_>, _: &Parameter) -> Vec<TokenStream> {
        let kept = self.0.choose([quote!(Element), quote!(Row), quote!(Column)]);
        vec![quote!(#kept { size: 4 })]
    }

    fn taken(&self, parameter: &Parameter, runtime: &TokenStream) -> Taken {
        let (rust, count) = (&parameter.rust, parameter.neighbours as usize);
        Taken::Type { is_mut: true, ty: quote!(#runtime::Nearest<#rust, #count>) }
    }
}

/// The number of neighbours in the source.
pub(crate) fn neighbours(parameter: &Parameter) -> String {
    match parameter.neighbours {
        AT_RUN_TIME => "TD_NEAREST".into(),
        count => count.to_string(),
    }
}

/// The number in this argument, if it is a literal.
fn literal(argument: &GenericArgument) -> Option<u32> {
    let GenericArgument::Const(expression) = argument else { return None };
    match bare_expression(expression) {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) if number.suffix().is_empty() => {
            number.base10_parse().ok()
        }
        _ => None,
    }
}

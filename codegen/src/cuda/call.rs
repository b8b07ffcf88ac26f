//! The parameters and arguments of the functions that evaluate a pair.

use minijinja::{Value, context};
use td_kernel_geometry::Sweep;

use super::layout::SEPARATOR;
use super::{filter, fold, loops, product};
use crate::kind::SET;
use crate::model::{Argument, Body, Kernel, Members, Parameter, Role, SourceInput};

/// The indices and counts that a body uses: of `i`, `j` and `n`; for a rectangle of `i`, `j`, `rows` and `columns`; for many sets
/// of `i`, `j` and `set`. Unused values are not passed.
fn indices<'a>(kernel: &Kernel, body: &'a Body) -> impl Iterator<Item = &'static str> + use<'a> {
    let names: &[_] = match kernel.is_rectangle() {
        _ if kernel.form.members == Members::Many => &["i", "j", SET],
        true => &["i", "j", "rows", "columns"],
        false => &["i", "j", "n"],
    };
    let features = kernel.feature.is_some().then_some("features");
    names.iter().copied().chain(features).filter(|name| body.uses(name))
}

/// The parameters of the pair function.
pub(super) fn pair_parameters(input: &SourceInput<'_>) -> String {
    let folds =
        input.kernel.folds.iter().map(|fold| format!("{} {}", fold.cuda.name, fold.plain_name()));
    function_parameters(input, &input.kernel.body, folds)
}

/// The parameters of the function with this body. `own` are those after the indices.
pub(super) fn function_parameters(
    input: &SourceInput<'_>,
    body: &Body,
    own: impl Iterator<Item = String>,
) -> String {
    let indices = indices(input.kernel, body).map(|name| format!("const unsigned int {name}"));
    let inputs = inputs(input.kernel, body).flat_map(|each| each.kind.pair_parameters(input, each));
    indices.chain(own).chain(inputs).collect::<Vec<_>>().join(SEPARATOR)
}

/// The arguments of a call of the pair function.
pub(super) fn pair_arguments(input: &SourceInput<'_>) -> Vec<Value> {
    let folds = input.kernel.folds.iter().map(|fold| {
        let name = fold.plain_name();
        let sweep = input.variant.tiling.sweep;
        let folded = |name: &str| match sweep {
            Sweep::Entries => filter::value(name),
            Sweep::Reduce => format!("{name}_folds[index]"),
            _ if input.is_loops => loops::value(name),
            Sweep::Filter | Sweep::Product => filter::value(name),
            _ => fold::value(name),
        };
        let is_product = sweep == Sweep::Product && !input.is_loops;
        let value = match &input.kernel.dot {
            Some(dot) if input.kernel.quick.is_none() => {
                product::value(dot, &name, folded, is_product)
            }
            _ => folded(&name),
        };
        (name, value)
    });
    function_arguments(input, &input.kernel.body, folds)
}

/// The arguments of a call of the function with this body. `own` are the names and values of those after the indices.
pub(super) fn function_arguments(
    input: &SourceInput<'_>,
    body: &Body,
    own: impl Iterator<Item = (String, String)>,
) -> Vec<Value> {
    let indices = indices(input.kernel, body);
    let indices = indices.map(|name| (name.to_owned(), input.kernel.own_name(name).to_owned()));
    let own = indices.chain(own);
    let own = own.map(|(name, value)| argument(&name, &Argument::Expression(value), None));
    let inputs = inputs(input.kernel, body).flat_map(|each| {
        let arguments = each.kind.pair_arguments(input, each).into_iter();
        arguments.map(|what| argument(&each.plain_name(), &what, Some(each)))
    });
    own.chain(inputs).collect()
}

/// The user's parameters that the function with this body has. If another body uses scalars and slices too, or elements, the
/// function has only those that it uses.
fn inputs<'a>(kernel: &'a Kernel, body: &'a Body) -> impl Iterator<Item = &'a Parameter> {
    let is_passed = |each: &&Parameter| match each.kind.role() {
        Role::Input => kernel.feature.is_none() || kernel.uses_input(body, each),
        Role::Elements | Role::Row | Role::Column => {
            kernel.quick.is_none() || body.uses(&each.plain_name())
        }
        _ => true,
    };
    kernel.parameters.iter().filter(is_passed)
}

/// An argument, in which `%row`, `%column`, `%i`, `%j` and `%value` stand for what a call has: the pair's elements, its parts of their
/// results, and what follows the name of a value.
fn argument(name: &str, argument: &Argument, parameter: Option<&Parameter>) -> Value {
    let text = match argument {
        Argument::Element => "{%row, %column}".to_owned(),
        Argument::RowElement => "%row".to_owned(),
        Argument::ColumnElement => "%column".to_owned(),
        Argument::Result(end, has_partner) => {
            let (i, j) = if *has_partner { ("{%i, j}", "{%j, i}") } else { ("%i", "%j") };
            end.choose([format!("{{{i}, {j}}}"), i.to_owned(), j.to_owned()])
        }
        Argument::Value(value) => format!("{value}%value"),
        Argument::Expression(expression) => expression.clone(),
    };
    context! {
        name, text,
        is_kept => parameter.is_some_and(Parameter::is_kept),
        is_wide => parameter.is_some_and(Parameter::is_wide_sum),
    }
}

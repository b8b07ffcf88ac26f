//! The values that fill the template of the sweep `filter`.

use minijinja::{Value, context};
use td_kernel_geometry::Sweep;

use super::inputs::expression;
use super::layout::SEPARATOR;
use super::{fold, given_pairs};
use crate::errors::Internal;
use crate::model::{Argument, Body, Kernel, Parameter, Role, SourceInput};
use crate::names;

/// The template's name, without its extension.
pub(super) fn template(input: &SourceInput<'_>) -> &'static str {
    if input.kernel.is_nearest() { "filter_nearest" } else { "filter_pairs" }
}

/// The argument for a pair's fold in a call of the pair function.
pub(super) fn value(name: &str) -> String {
    format!("{name}_fold")
}

/// The kernel's parameters for the user's parameters.
pub(super) fn users_parameters<'a>(
    input: &'a SourceInput<'_>,
) -> impl Iterator<Item = String> + 'a {
    let parameters = input.kernel.parameters.iter();
    parameters.flat_map(|each| each.kind.parameters(input, each))
}

/// The name of the kernel's parameter with the operands of tensor cores: 16-bit floats, or the features themselves.
pub(super) fn operands(input: &SourceInput<'_>) -> &'static str {
    let is_integer = input.kernel.dot.as_ref().is_some_and(|dot| dot.number == "int");
    let is_product = input.variant.tiling.sweep == Sweep::Product;
    if is_integer && is_product { "operands" } else { "halves" }
}

/// The kernel's parameters after the user's: features in tensor core format, and their scales and shares of an
/// error. For two sets, one of each for rows and one for columns.
pub(super) fn parameters(input: &SourceInput<'_>) -> impl Iterator<Item = String> {
    let sides: &[&str] = if input.kernel.is_rectangle() { &["row_", "column_"] } else { &[""] };
    let sweep = input.variant.tiling.sweep;
    let operands = operands(input);
    let halves =
        sides.iter().map(move |side| format!("const uint4 *const __restrict__ {side}{operands}"));
    // Integers have neither.
    let sides_with_factors = if operands == "halves" { sides } else { &[] };
    let factor = if sweep == Sweep::Product { "float2" } else { "float" };
    let factors = sides_with_factors
        .iter()
        .map(move |side| format!("const {factor} *const __restrict__ {side}factors"));
    let is_multiplied = matches!(sweep, Sweep::Filter | Sweep::Product) && !input.is_loops;
    halves.chain(factors).filter(move |_| is_multiplied)
}

/// How pairs are filtered, and how the remaining ones are evaluated.
pub(super) fn context(input: &SourceInput<'_>) -> Result<Value, Internal> {
    let (kernel, tiling) = (input.kernel, input.variant.tiling);
    let Some(lower) = kernel.lower.as_ref().filter(|_| tiling.sweep == Sweep::Filter) else {
        return Ok(context! {});
    };
    let counts = input.counts().map(|count| format!("const unsigned int {count}"));
    let refined = counts.chain(users_parameters(input));
    let elements = |role| {
        let elements = kernel.with_role(role).filter(|each| lower.uses(&each.plain_name()));
        let facts = |each: &Parameter| {
            context! { name => each.plain_name(), type => each.cuda.name.as_str() }
        };
        elements.map(facts).collect::<Vec<_>>()
    };
    let has = |role| kernel.has(role);
    Ok(context! {
        refine_parameters => refined.collect::<Vec<_>>().join(SEPARATOR),
        // Which of a pair's indices, or the offsets of its elements, the pair function gets.
        refine_uses => context! {
            i => kernel.body.uses(kernel.own_name("i")) || has(Role::Elements) || has(Role::Row),
            j => kernel.body.uses(kernel.own_name("j")) || has(Role::Elements) || has(Role::Column),
        },
        lower_elements => elements(Role::Elements),
        lower_rows => elements(Role::Row),
        lower_columns => elements(Role::Column),
        lower_uses => context! {
            i => lower.uses(kernel.own_name("i")),
            j => lower.uses(kernel.own_name("j")),
            error => lower.uses("dot_lower"),
        },
        lower_parameters => lower_parameters(input, lower),
        lower_arguments => lower_arguments(input, lower)?,
        ..pair_context(input)?
    })
}

/// How a thread evaluates one pair, whose features it reads from memory.
pub(super) fn pair_context(input: &SourceInput<'_>) -> Result<Value, Internal> {
    let kernel = input.kernel;
    Ok(context! {
        folds => fold::folds(kernel),
        feature_uses_k => kernel.feature.as_ref().is_some_and(|feature| feature.uses("k")),
        feature_arguments => given_pairs::feature_arguments(input, ["row", "col"])?,
    })
}

/// The indices and counts that the lower bound uses.
fn numbers<'a>(kernel: &Kernel, lower: &'a Body) -> impl Iterator<Item = &'static str> + use<'a> {
    let counts: &[_] = if kernel.is_rectangle() { &["rows", "columns"] } else { &["n"] };
    let all = ["i", "j"].iter().chain(counts).chain(&["features"]).copied();
    all.filter(|name| lower.uses(name))
}

/// The elements, scalars and slices that the lower bound uses.
fn inputs<'a>(kernel: &'a Kernel, lower: &'a Body) -> impl Iterator<Item = &'a Parameter> {
    kernel.parameters.iter().filter(|each| match each.kind.role() {
        Role::Elements | Role::Row | Role::Column => lower.uses(&each.plain_name()),
        Role::Input => kernel.uses_input(lower, each),
        _ => false,
    })
}

/// The parameters of the lower bound's function: what it uses, and the bounds of the product.
fn lower_parameters(input: &SourceInput<'_>, lower: &Body) -> String {
    let numbers = numbers(input.kernel, lower).map(|name| format!("const unsigned int {name}"));
    let inputs =
        inputs(input.kernel, lower).flat_map(|each| each.kind.pair_parameters(input, each));
    let bounds = names::OF_LOWER.into_iter().filter(|name| lower.uses(name));
    let bounds = bounds.map(|name| format!("const float {name}"));
    numbers.chain(inputs).chain(bounds).collect::<Vec<_>>().join(SEPARATOR)
}

/// The arguments of a call of that function, in the same order, for pair k of the thread's eight pairs in columns c and c + 1.
fn lower_arguments(input: &SourceInput<'_>, lower: &Body) -> Result<String, Internal> {
    let numbers = numbers(input.kernel, lower).map(|name| input.kernel.own_name(name).to_owned());
    let inputs = inputs(input.kernel, lower).flat_map(|each| {
        let name = each.plain_name();
        let arguments = each.kind.pair_arguments(input, each).into_iter();
        arguments.map(move |argument| match argument {
            Argument::Element => {
                Ok(format!("{{{name}_row[k / 2 % 2], {name}_col[k / 4].value[k % 2]}}"))
            }
            Argument::RowElement => Ok(format!("{name}_row[k / 2 % 2]")),
            Argument::ColumnElement => Ok(format!("{name}_col[k / 4].value[k % 2]")),
            other => expression(other),
        })
    });
    let inputs = inputs.collect::<Result<Vec<_>, _>>()?;
    let product = "products[c + k / 4][k % 4]";
    let error = "error[k / 2 % 2] + fabsf(column_error[k / 4].value[k % 2])";
    // If the error is infinite, the difference is a NaN, and `fmaxf` returns minus infinity.
    let least = format!("fmaxf(__fmaf_rd(-2.0f, {error}, {product}), __uint_as_float(0xff800000))");
    let bounds = [product.to_owned(), least].into_iter().zip(names::OF_LOWER);
    let bounds = bounds.filter(|(_, name)| lower.uses(name)).map(|(bound, _)| bound);
    Ok(numbers.chain(inputs).chain(bounds).collect::<Vec<_>>().join(SEPARATOR))
}

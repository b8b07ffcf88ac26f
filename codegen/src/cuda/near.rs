//! The values that fill the template of the sweep `near`, and those of its boxes for the CPU's loops.

use minijinja::{Value, context};
use td_kernel_maps::Sweep;

use super::layout::SEPARATOR;
use super::plain::OF_PARTS;
use super::{Constant, filter};
use crate::model::{Argument, Body, Kernel, Near, Parameter, Role, SourceInput};
use crate::names;

/// The names of up to three coordinates, and of the edges of a periodic box.
const COORDINATES: [(&str, &str); 3] = [("x", "width"), ("y", "height"), ("z", "depth")];

/// Whether the source sorts its elements and compares boxes.
fn is_near(input: &SourceInput<'_>) -> bool {
    let is_near = match input.variant.tiling.sweep {
        Sweep::Entries | Sweep::Partners => false,
        sweep => input.is_loops || sweep == Sweep::Near,
    };
    is_near && input.kernel.near.is_some()
}

/// The slices with elements, which are copied in order.
fn sorted(kernel: &Kernel) -> impl Iterator<Item = &Parameter> {
    kernel.of_role(Role::Elements)
}

/// The kernel's parameters after the user's: the elements in order, and the boxes.
pub(super) fn parameters(input: &SourceInput<'_>) -> Vec<String> {
    if is_near(input) { declared(input.kernel, "const ") } else { Vec::new() }
}

fn declared(kernel: &Kernel, written: &str) -> Vec<String> {
    let order = format!("{written}unsigned int *const __restrict__ order");
    let copies = sorted(kernel).map(|each| {
        format!("{written}{} *const __restrict__ {}_sorted", each.cuda.name, each.plain_name())
    });
    let boxes = format!("{written}td_box<td_point> *const __restrict__ boxes");
    [order].into_iter().chain(copies).chain([boxes]).collect()
}

/// The constants of the functions for the CPU.
pub(super) fn of_loops(kernel: &Kernel) -> Vec<Constant> {
    let tile =
        ("TILE", "32".into(), "elements of a tile, tiles of a group and groups of a section");
    [vec![tile], constants(kernel)].concat()
}

/// The same for a GPU, after those of its tiles.
pub(super) fn constants(kernel: &Kernel) -> Vec<Constant> {
    let dimensions = kernel.near.as_ref().map_or(1, |near| near.coordinates.len());
    vec![
        ("ORDER", dimensions.to_string(), "coordinates by which elements are sorted"),
        ("SAMPLES", "1024".into(), "elements whose coordinates determine the grid"),
        ("DIGITS", "256".into(), "values of the bits by which keys are sorted at a time"),
        ("BLOCK_KEYS", "16 * THREADS".into(), "keys that a block sorts"),
    ]
}

/// How elements are sorted, boxes are compared and pairs pass.
pub(super) fn context(input: &SourceInput<'_>) -> Value {
    let kernel = input.kernel;
    let (Some(near), Some(lower)) = (&kernel.near, &kernel.lower) else { return context! {} };
    if !is_near(input) {
        return context! {};
    }
    let counts = input.counts().map(|count| format!("const unsigned int {count}"));
    let of_parts = input.domain.parameters().iter().chain(OF_PARTS).filter(|_| input.is_loops);
    let before = counts.chain(of_parts.map(|&each| each.to_owned()));
    let users = before.chain(filter::users_parameters(input)).collect::<Vec<_>>();
    let facts = |each: &Parameter| {
        context! { name => each.plain_name(), type => each.cuda.name.as_str() }
    };
    let boxed = sorted(kernel).find(|each| each.plain_name() == near.boxed);
    let (inputs, arguments) = inputs(input, lower);
    context! {
        near_parameters => users.join(SEPARATOR),
        near_last => declared(kernel, "").join(SEPARATOR),
        near_inputs => inputs,
        near_arguments => arguments,
        sorted => sorted(kernel).map(facts).collect::<Vec<_>>(),
        boxed => boxed.map(facts),
        members => near.members.clone(),
        coordinates => near.coordinates.clone(),
        dimensions => near.coordinates.len(),
        measures => measures(near, lower),
    }
}

/// What the lower bound uses besides boxes: the parameters of its function, and the arguments of a call.
fn inputs(input: &SourceInput<'_>, lower: &Body) -> (String, String) {
    let n = lower.uses("n").then(|| ("const unsigned int n".to_owned(), "n".to_owned()));
    let others = input.kernel.inputs(lower).flat_map(|each| {
        let arguments = each.kind.pair_arguments(input, each).into_iter();
        let expressions = arguments.filter_map(|argument| match argument {
            Argument::Expression(expression) => Some(expression),
            _ => None,
        });
        each.kind.pair_parameters(input, each).into_iter().zip(expressions)
    });
    let (parameters, arguments): (Vec<_>, Vec<_>) = n.into_iter().chain(others).unzip();
    let joined = |all: Vec<String>| all.iter().map(|each| format!("{SEPARATOR}{each}")).collect();
    (joined(parameters), joined(arguments))
}

/// The functions of two boxes that the lower bound uses.
fn measures(near: &Near, lower: &Body) -> Vec<Value> {
    let measure = |name: &'static str| {
        let coordinates = || COORDINATES.iter().take(near.coordinates.len());
        let squares = coordinates().map(|(x, _)| format!("{x} * {x}")).collect::<Vec<_>>();
        let sum = coordinates().map(|(x, _)| *x).collect::<Vec<_>>().join(" + ");
        let of = name.rsplit('_').next().unwrap_or_default();
        let value = match of {
            "square" => format!("td_at_least({})", squares.join(" + ")),
            "distance" => format!("sqrt(td_at_least({}))", squares.join(" + ")),
            _ => format!("td_at_least({sum})"),
        };
        let is_periodic = name.starts_with("periodic");
        let edges = coordinates().map(|(_, edge)| format!("{SEPARATOR}const Edge {edge}"));
        let gaps = coordinates().zip(&near.coordinates).map(|((x, edge), at)| {
            let edge = if is_periodic { format!(", {edge}") } else { String::new() };
            format!("const auto {x} = Box::gap(i.lo{at}, i.hi{at}, j.lo{at}, j.hi{at}{edge});")
        });
        context! {
            name, of, value, is_periodic,
            edges => if is_periodic { edges.collect::<String>() } else { String::new() },
            gaps => gaps.collect::<Vec<_>>(),
        }
    };
    names::OF_BOXES.into_iter().filter(|name| lower.uses(name)).map(measure).collect()
}

//! The values that fill the template of the sweep `near`, and those of its boxes for the CPU's loops.

use minijinja::{Value, context};
use td_kernel_geometry::Sweep;

use super::inputs::input_arguments;
use super::layout::SEPARATOR;
use super::{Constant, filter, plain};
use crate::cuda_type::parts;
use crate::errors::Internal;
use crate::model::{Body, Boxed, Kernel, NearBoxes, Parameter, Role, SourceInput};
use crate::names;

/// The names of up to three coordinates, and of the edges of a periodic box.
const COORDINATES: [(&str, &str); 3] = [("x", "width"), ("y", "height"), ("z", "depth")];

/// The types of these edges in templates.
const EDGES: [&str; 3] = ["Width", "Height", "Depth"];

/// Whether the source sorts its elements and compares boxes.
pub(super) fn is_near(input: &SourceInput<'_>) -> bool {
    input.variant.tiling.sweep == Sweep::Near
}

/// The parameters of the CPU's loops in place of a map's: the elements of a part, and the device, if several take the parts in turn.
pub(super) fn part_parameters(input: &SourceInput<'_>) -> &'static [&'static str] {
    match input.variant.tiling.sweep {
        Sweep::Near => &[
            "const unsigned int height",
            "const unsigned int device",
            "const unsigned int devices",
        ],
        Sweep::SetRows => &["const unsigned int height", "const unsigned int row_begin"],
        _ => plain::OF_PARTS,
    }
}

/// The template's name, without its extension.
pub(super) fn template(input: &SourceInput<'_>) -> &'static str {
    if input.kernel.is_nearest() { "near_nearest" } else { "near" }
}

/// For each set: the role of its elements, the prefix of the names of its parameters, and the name of its count.
fn words(kernel: &Kernel) -> &'static [(Role, &'static str, &'static str)] {
    match kernel.is_rectangle() {
        true => &[(Role::Row, "row_", "rows"), (Role::Column, "column_", "columns")],
        false => &[(Role::Elements, "", "n")],
    }
}

/// The parameters of all functions of a source that lists pairs, after the user's: the skin, the address of the list, that of its
/// count, and its capacity.
const OF_LIST: &[&str] = &[
    "const double skin",
    "uint2 *const kept",
    "unsigned long long *const used",
    "const unsigned long long room",
];

/// Those after the user's: of the list, if the source lists pairs.
fn list_parameters(input: &SourceInput<'_>) -> impl Iterator<Item = String> {
    let all = if input.is_list { OF_LIST } else { &[] };
    all.iter().map(|&each| each.to_owned())
}

/// The kernel's parameters after the user's: the list, the elements in order, and the boxes.
pub(super) fn parameters(input: &SourceInput<'_>) -> Vec<String> {
    let Some(near) = input.kernel.near.as_ref().filter(|_| is_near(input)) else {
        return Vec::new();
    };
    let set_parameters =
        (0..near.sets.len()).flat_map(|set| declared(input.kernel, near, set, "const "));
    list_parameters(input).chain(set_parameters).collect()
}

/// Those of a set.
fn declared(kernel: &Kernel, near: &NearBoxes, set: usize, written: &str) -> Vec<String> {
    let (role, prefix, _) = words(kernel)[set];
    let order = format!("{written}unsigned int *const __restrict__ {prefix}order");
    let copies = kernel.with_role(role).map(|each| {
        format!("{written}{} *const __restrict__ {}_sorted", each.cuda.name, each.plain_name())
    });
    let point = point(kernel, near, set);
    let boxes = format!("{written}td_box<{point}> *const __restrict__ {prefix}boxes");
    [order].into_iter().chain(copies).chain([boxes]).collect()
}

/// The elements of a set that have boxes.
fn boxed<'a>(kernel: &'a Kernel, near: &NearBoxes, set: usize) -> Option<&'a Parameter> {
    kernel.parameters.iter().find(|each| each.plain_name() == near.sets[set].name)
}

/// The name of the type of a set's boxed coordinates. Sets of one type share it.
fn point(kernel: &Kernel, near: &NearBoxes, set: usize) -> &'static str {
    let name = |set| boxed(kernel, near, set).map(|each| &each.cuda.name);
    if set > 0 && name(0) != name(set) { "td_column_point" } else { "td_point" }
}

/// The constants of the functions for the CPU.
pub(super) fn loop_constants(kernel: &Kernel) -> Vec<Constant> {
    let tile =
        ("TILE", "32".into(), "elements of a tile, tiles of a group and groups of a section");
    let tested = ("TESTED", "256".into(), "elements of each set whose pairs are tested, at most");
    [vec![tile, tested], constants(kernel)].concat()
}

/// The number of coordinates by which elements are sorted.
fn dimensions(near: &NearBoxes) -> usize {
    near.sets.first().map_or(1, |set| set.coordinates.len())
}

/// The same for a GPU, after those of its tiles.
pub(super) fn constants(kernel: &Kernel) -> Vec<Constant> {
    let dimensions = kernel.near.as_ref().map_or(1, dimensions);
    vec![
        ("ORDER", dimensions.to_string(), "coordinates by which elements are sorted"),
        ("SAMPLES", "1024".into(), "elements of each set that are read before sorting"),
        ("DIGITS", "256".into(), "values of the bits by which keys are sorted at a time"),
        ("BLOCK_KEYS", "16 * THREADS".into(), "keys that a block sorts"),
    ]
}

/// How elements are sorted, boxes are compared and pairs pass.
pub(super) fn context(input: &SourceInput<'_>) -> Result<Value, Internal> {
    let kernel = input.kernel;
    let (Some(near), Some(lower)) = (&kernel.near, &kernel.lower) else { return Ok(context! {}) };
    if !is_near(input) {
        return Ok(context! {});
    }
    let counts = input.counts().map(|count| format!("const unsigned int {count}"));
    let part_parameters =
        input.domain.parameters().iter().chain(part_parameters(input)).filter(|_| input.is_loops);
    let before = counts.chain(part_parameters.map(|&each| each.to_owned()));
    let users = before.chain(filter::users_parameters(input)).chain(list_parameters(input));
    let users = users.collect::<Vec<_>>();
    let facts = |each: &Parameter| {
        context! { name => each.plain_name(), type => each.cuda.name.as_str() }
    };
    let of = |at: usize| match kernel.is_rectangle() {
        true => format!(" of {}", words(kernel)[at].2),
        false => String::new(),
    };
    let set = |at: usize| {
        let (role, prefix, count) = words(kernel)[at];
        context! {
            prefix, count,
            of => of(at),
            order => format!("{prefix}order"),
            boxes => format!("{prefix}boxes"),
            // The number of tiles, and for nearest neighbours the tile at which a row begins.
            tiles => if at > 0 { "stop" } else { "tiles" },
            middle => if at > 0 { "middle" } else { "tile_i" },
            point => point(kernel, near, at),
            boxed => boxed(kernel, near, at).map(facts),
            sorted => kernel.with_role(role).map(facts).collect::<Vec<_>>(),
            last => declared(kernel, near, at, "").join(SEPARATOR),
        }
    };
    let sets: Vec<_> = (0..near.sets.len()).map(set).collect();
    let points = near.sets.iter().enumerate().filter_map(|(at, each)| {
        let name = point(kernel, near, at);
        (at == 0 || name != "td_point").then(|| {
            context! {
                name,
                of => of(at),
                type => boxed(kernel, near, at).map(|each| each.cuda.name.as_str()),
                members => each.members.clone(),
                coordinates => each.coordinates.clone(),
                others => others(kernel, near, at, lower),
            }
        })
    });
    let (inputs, arguments) = inputs(input, lower)?;
    // The lower bound names rows before columns.
    let mut boxes: Vec<_> = near.sets.iter().collect();
    if kernel.form.is_exchanged {
        boxes.reverse();
    }
    let row_point = point(kernel, near, 0);
    let column_point = point(kernel, near, near.sets.len().saturating_sub(1));
    Ok(context! {
        bound => bound(input, near, [row_point, column_point], arguments),
        near_parameters => users.join(SEPARATOR),
        near_inputs => inputs,
        points => points.collect::<Vec<_>>(),
        of_rows => sets.first().cloned(),
        of_columns => sets.last().cloned(),
        sets,
        dimensions => dimensions(near),
        // The bound above which pairs are left out.
        limit => if input.is_list { "limit" } else { "0" },
        measures => measures(&boxes, lower),
    })
}

/// The function of the lower bound: its types and parameters, and calls for two boxes and for two elements. For one set, it has both
/// boxes as members of one parameter, as the body has elements.
fn bound(
    input: &SourceInput<'_>,
    near: &NearBoxes,
    [row, column]: [&'static str; 2],
    arguments: String,
) -> Value {
    let name = input.kernel.plain_name();
    let called = move |boxes: String| format!("{name}_lower_bound(¶{boxes}{arguments})");
    let of_points = called.clone();
    let boxed = |set| boxed(input.kernel, near, set).map_or(String::new(), Parameter::plain_name);
    if input.domain.is_rectangle() {
        return context! {
            types => "typename RowBox, typename ColumnBox",
            parameters => format!("const RowBox &{}{SEPARATOR}const ColumnBox &{}", boxed(0), boxed(1)),
            first => "RowBox",
            types_of_measure => "typename Box, typename Other",
            other => "Other",
            of_boxes => Value::from_function(move |i: &str, j: &str| called(format!("{i}{SEPARATOR}{j}"))),
            of_points => Value::from_function(move |i: &str, j: &str| {
                of_points(format!("td_single<{row}>{{{i}, {i}}}{SEPARATOR}td_single<{column}>{{{j}, {j}}}"))
            }),
        };
    }
    context! {
        types => "typename Box",
        parameters => format!("const td_each<Box> {}", boxed(0)),
        first => "Box",
        types_of_measure => "typename Box",
        other => "Box",
        of_boxes => Value::from_function(move |i: &str, j: &str| called(format!("td_each<td_box<td_point>>{{{i}, {j}}}"))),
        of_points => Value::from_function(move |i: &str, j: &str| {
            of_points(format!("td_each<td_single<td_point>>{{{{{i}, {i}}}, {{{j}, {j}}}}}"))
        }),
    }
}

/// The members that the lower bound reads besides those by which elements are sorted. A change of these may make pairs near, too.
fn others(kernel: &Kernel, near: &NearBoxes, at: usize, lower: &Body) -> Vec<String> {
    let boxed = &near.sets[at];
    // Sets of one type share the function that compares elements.
    let is_same = |set: &usize| point(kernel, near, *set) == point(kernel, near, at);
    let sets = (0..near.sets.len()).filter(is_same).map(|set| &near.sets[set].name);
    let sets: Vec<_> = sets.collect();
    let is_whole = sets.iter().any(|name| lower.scan.uses_whole_boxes(name, &names::OF_BOXES));
    let mut others: Vec<_> =
        sets.iter().flat_map(|name| lower.scan.members_of_boxes(name)).collect();
    if is_whole && boxed.members.is_empty() {
        let vector = self::boxed(kernel, near, at).and_then(|each| parts(&each.cuda));
        let count = vector.map_or(0, |(_, count)| count);
        others.extend(["x", "y", "z", "w"].iter().take(count).map(|&each| each.to_owned()));
    } else if is_whole {
        others.extend(boxed.members.iter().cloned());
    }
    others.retain(|member| !boxed.coordinates.contains(&format!(".{member}")));
    others.sort();
    others.dedup();
    others
}

/// What the lower bound uses besides boxes: the parameters of its function, and the arguments of a call.
fn inputs(input: &SourceInput<'_>, lower: &Body) -> Result<(String, String), Internal> {
    let inputs = input.kernel.inputs(lower);
    let parameters = inputs.flat_map(|each| each.kind.pair_parameters(input, each)).collect();
    let joined = |n: &str, others: Vec<String>| {
        let n = lower.uses("n").then(|| n.to_owned());
        n.into_iter().chain(others).map(|each| format!("{SEPARATOR}{each}")).collect()
    };
    let arguments = joined("n", input_arguments(input, lower)?);
    Ok((joined("const unsigned int n", parameters), arguments))
}

/// The functions of two boxes that the lower bound uses.
fn measures(sets: &[&Boxed], lower: &Body) -> Vec<Value> {
    let dimensions = sets.first().map_or(1, |set| set.coordinates.len());
    let measure = |name: &'static str| {
        let coordinates = || COORDINATES.iter().take(dimensions);
        let squares = coordinates().map(|(x, _)| format!("{x} * {x}")).collect::<Vec<_>>();
        let sum = coordinates().map(|(x, _)| *x).collect::<Vec<_>>().join(" + ");
        let [rows, columns] =
            [sets.first(), sets.last()].map(|set| set.into_iter().flat_map(|set| &set.coordinates));
        let ends = rows.zip(columns).map(|(i, j)| format!("i.lo{i}, i.hi{i}, j.lo{j}, j.hi{j}"));
        let ends = ends.collect::<Vec<_>>();
        let is_periodic = name.starts_with("periodic");
        let of = match name {
            names::SPHERE => "sphere",
            _ => name.rsplit('_').next().unwrap_or_default(),
        };
        let value = match (of, ends.first()) {
            ("square", _) => format!("td_at_least({})", squares.join(" + ")),
            ("distance", _) => format!("sqrt(td_at_least({}))", squares.join(" + ")),
            ("sphere", Some(latitudes)) => format!("td_sphere::angle(x, y, {latitudes})"),
            _ => format!("td_at_least({sum})"),
        };
        // Each edge has a type of its own: one may be an integer, and another infinite.
        let edges = coordinates()
            .zip(EDGES)
            .map(|((_, edge), number)| format!("{SEPARATOR}const {number} {edge}"));
        let numbers = EDGES.iter().take(dimensions).map(|name| format!(", typename {name}"));
        let gaps = coordinates().zip(&ends).map(|((x, edge), ends)| {
            let edge = match of {
                "sphere" => ", td_sphere::circle".to_owned(),
                _ if is_periodic => format!(", {edge}"),
                _ => String::new(),
            };
            format!("const auto {x} = Box::gap({ends}{edge});")
        });
        context! {
            name, of, value, is_periodic,
            edges => if is_periodic { edges.collect::<String>() } else { String::new() },
            edge_types => if is_periodic { numbers.collect::<String>() } else { String::new() },
            gaps => gaps.collect::<Vec<_>>(),
        }
    };
    names::OF_BOXES.into_iter().filter(|name| lower.uses(name)).map(measure).collect()
}

//! The values that fill the templates: facts about a kernel, its variant and its domain.

use std::collections::BTreeMap;

use minijinja::{Value, context};
use td_kernel_geometry::{Domain, Prologue, Space, Sweep};

use super::layout::SEPARATOR;
use super::{call, filter, fold, given_pairs, loops, near, product, quick, states};
use crate::errors::Internal;
use crate::kind::{kinds, uses_set};
use crate::model::{Body, End, Kernel, Parameter, Role, SourceInput, is_short};

/// The smallest count of values of this size whose bytes are a multiple of 16.
fn multiple(bytes: u32) -> u32 {
    let mut count = 1;
    while !(count * bytes).is_multiple_of(16) {
        count *= 2;
    }
    count
}

/// The context of a kernel's template.
pub(super) fn of(input: &SourceInput<'_>) -> Result<Value, Internal> {
    let is_in = |each: &&Parameter| !input.is_list || !each.kind.role().is_output();
    let parameters = input.kernel.parameters.iter().filter(is_in);
    let numbers: Vec<_> = parameters.flat_map(|each| each.kind.numbers(each)).collect();
    let parameters: Vec<_> = numbers.iter().map(|each| (each, facts(input, each))).collect();
    let listed = |is_listed: &dyn Fn(&Parameter, &Value) -> bool| {
        let listed = parameters.iter().filter(|(each, facts)| is_listed(each, facts));
        listed.map(|(_, facts)| facts.clone()).collect::<Vec<_>>()
    };
    let by_kind: BTreeMap<_, _> = kinds()
        .map(|kind| (kind.name(), Value::from(listed(&|each, _| each.kind == kind))))
        .collect();
    let has_bounds = |each: &Parameter, has_end: fn(End) -> bool| {
        let has_rounds = !input.is_loops && input.variant.tiling.sweep != Sweep::SetRows;
        has_rounds && each.neighbours_of().is_some_and(has_end)
    };
    let is = |fact: &str, facts: &Value| facts.get_attr(fact).is_ok_and(|value| value.is_true());
    let own = context! {
        slots => listed(&|each, _| each.is_slot()),
        // Slots along rows, one for each pair.
        row_slots => listed(&|each, _| each.is_slot() && each.kind.role() != Role::Square),
        // The elements of a tile's rows and of its columns. For one set, both are the same parameters. A GPU stages the bounds
        // of nearest neighbours like elements.
        row_elements => listed(&|each, _| {
            (matches!(each.kind.role(), Role::Elements | Role::Row) && input.reads(each))
                || has_bounds(each, End::has_row)
        }),
        column_elements => listed(&|each, _| {
            (matches!(each.kind.role(), Role::Elements | Role::Column) && input.reads(each))
                || has_bounds(each, End::has_column)
        }),
        // Column elements of CUDA's vector types, which the CPU's loops split into components.
        apart => listed(&|each, facts| {
            matches!(each.kind.role(), Role::Elements | Role::Column)
                && facts.get_attr("number").is_ok_and(|number| number.is_true())
        }),
        nearest => listed(&|each, _| each.neighbours_of().is_some()),
        // One value over all pairs, with its pair.
        extremes => listed(&|each, _| each.kind.about().names_pair && !each.kind.is_of_set()),
        // Slots whose neighbouring values do not form a vector. They go through shared memory. So do packed ones beside mirrored
        // squares, but without vectors.
        indirect => listed(&|each, facts| {
            let is_mirrored = input.variant.tiling.sweep == Sweep::Mirror;
            let has_vectors = each.is_slot() && (!is_mirrored || each.kind.role() == Role::Square);
            has_vectors && !is("vector", facts)
        }),
        // Squares whose diagonal has no pairs, but a value.
        diagonal_squares => listed(&|each, _| each.kind.role() == Role::Square && !input.kernel.options.diagonal),
        // Whether pairs are listed or queued.
        has_lists => parameters
            .iter()
            .any(|(each, _)| each.kind.about().lists_pairs || each.neighbours_of().is_some()),
        // Whether some output keeps the indices of pairs.
        keeps_pairs => parameters.iter().any(|(each, _)| {
            each.kind.about().lists_pairs || each.kind.about().names_pair
        }),
        has_long_outputs => parameters.iter().any(|(each, _)| each.kind.about().is_long),
        // Whether there are outputs of all pairs.
        has_outputs_of_all => parameters.iter().any(|(each, _)| each.kind.role() == Role::Gathered),
        // Results of elements: of both ends, of rows, of columns.
        results => listed(&|each, _| each.end().is_some()),
        row_results => listed(&|each, _| each.end().is_some_and(End::has_row)),
        states_of_elements => listed(&|each, _| crate::kind::is_of_elements(each)),
        // The results of rows that are arrays of many numbers, and the others.
        wide_row_results => listed(&|each, facts| each.end().is_some_and(End::has_row) && is("width", facts)),
        single_row_results => listed(&|each, facts| each.end().is_some_and(End::has_row) && !is("width", facts)),
        has_given_arrays => parameters.iter().any(|(each, _)| each.is_given_array()),
        has_wide_sums => parameters.iter().any(|(_, facts)| is("width", facts)),
        column_results => listed(&|each, _| each.end().is_some_and(End::has_column)),
        // Sums of elements to which a pair (i, i) would add twice.
        sums_of_both => listed(&|each, facts| {
            has_own_sums(input.kernel) && is_sum_of_both(each) && !is("width", facts)
        }),
        wide_sums_of_both => listed(&|each, facts| {
            has_own_sums(input.kernel) && is_sum_of_both(each) && is("width", facts)
        }),
        // Totals to which each pair adds by itself, and those to which a thread or a block does.
        pair_sums => listed(&|_, facts| is("is_of_pair", facts)),
        block_sums => listed(&|_, facts| is("is_of_thread", facts)),
        // Results of which the CPU's loops over near tiles add those of a tile together, and those over sets those of a row.
        tile_results => listed(&|each, facts| each.end().is_some() && !is("exact", facts)),
        tile_row_results => listed(&|each, facts| {
            each.end().is_some_and(End::has_row) && !is("exact", facts)
        }),
        tile_column_results => listed(&|each, facts| {
            each.end().is_some_and(End::has_column) && !is("exact", facts)
        }),
        // Histograms with counters of a block, or of a part of the rows on the CPU.
        block_histograms => listed(&|_, facts| is("is_in_block", facts)),
        tile_sums => listed(&|_, facts| is("is_of_tile", facts)),
        // The features of a tile's rows and of its columns.
        row_features => listed(&|each, _| each.features().is_some_and(End::has_row)),
        column_features => listed(&|each, _| each.features().is_some_and(End::has_column)),
        domain => domain(input),
    };
    // Only GPU sources have a map and a tile.
    let way = match input.is_loops {
        true => loops::context(input)?,
        false => {
            let sweep_context = match input.variant.tiling.sweep {
                Sweep::Product => product::context(input)?,
                Sweep::Entries | Sweep::Partners => given_pairs::context(input)?,
                Sweep::Reduce => states::context(input)?,
                _ => fold::context(input)?,
            };
            context! { ..context! { map => map(input) }, ..tiling_context(input), ..sweep_context, ..filter::context(input)?, ..near::context(input)? }
        }
    };
    Ok(context! { ..own, ..way, ..kernel_context(input)?, ..Value::from(by_kind) })
}

/// The facts that a template uses about a parameter.
fn facts(input: &SourceInput<'_>, parameter: &Parameter) -> Value {
    let name = ("name", Value::from(parameter.plain_name()));
    let type_name = ("type", Value::from(parameter.cuda.name.as_str()));
    let facts: BTreeMap<_, _> =
        [name, type_name].into_iter().chain(parameter.kind.facts(input, parameter)).collect();
    Value::from(facts)
}

fn kernel_context(input: &SourceInput<'_>) -> Result<Value, Internal> {
    let kernel = input.kernel;
    let has_own_sums = has_own_sums(kernel);
    let has_extremes = kernel.parameters.iter().any(|each| each.kind.about().names_pair);
    // An extreme of a set takes its pair as an argument.
    let passes_pair =
        kernel.parameters.iter().any(|each| each.kind.is_of_set() && each.kind.has_partner());
    // Whether a pair's indices are used: by the body, by a result's partner, to recognise a pair (i, i), or by an extreme.
    let uses_of = |body: &Body, has_own_sums: bool, has_extremes: bool| {
        let is_used = has_own_sums || has_extremes;
        context! {
            i => body.uses(kernel.own_name("i")) || has_partner(kernel, End::has_column) || is_used,
            j => body.uses(kernel.own_name("j")) || has_partner(kernel, End::has_row) || is_used,
            set => uses_set(kernel),
        }
    };
    let first = input.quick().unwrap_or(&kernel.body);
    Ok(context! {
        name => kernel.plain_name(),
        is_list => input.is_list,
        is_exchanged => kernel.form.is_exchanged,
        nvrtc_options => kernel.nvrtc_options(),
        loops_options => kernel.loops_options().to_vec(),
        constants => kernel.constants.iter().map(|each| super::constant_line(&each.plain_name())).collect::<Vec<_>>(),
        prelude => kernel.prelude.is_some(),
        diagonal => kernel.options.diagonal,
        uses => uses_of(first, has_own_sums, has_extremes),
        // The same in interior tiles, which have no pair (i, i); and for a pair that is only marked.
        interior_uses => uses_of(first, false, has_extremes),
        marked_uses => uses_of(first, has_own_sums, passes_pair),
        is_short => input.quick().map_or_else(|| kernel.has_short_bodies(), is_short),
        // A function that is not inlined would get states and arrays of sums in memory instead of registers.
        is_large => kernel.has_large_body() && kernel.joins().next().is_none() && !kernel.parameters.iter().any(Parameter::is_wide_sum),
        dot => kernel.dot.as_ref().map(|dot| context! { has_error => dot.has_error }),
        parameters => kernel_parameters(input),
        pair_parameters => call::pair_parameters(input),
        pair_arguments => call::pair_arguments(input),
        quick => quick::context(input)?,
        // The element count at which rows of squares are a multiple of 16 bytes, for the sizes known here.
        multiple => kernel.with_role(Role::Square).filter_map(Parameter::size).map(multiple).max().unwrap_or(1),
        is_staged => input.variant.tiling.sweep == Sweep::Reduce && input.stages_columns(),
        // Whether a block must finish with the shared memory of one tile before it stages the next.
        shares_memory => kernel.parameters.iter().any(|each| {
            each.kind.role() != Role::Gathered && !each.kind.kept(input, each).is_empty()
        }),
    })
}

/// Whether a result of these ends stores the index of the other element.
fn has_partner(kernel: &Kernel, is_of: fn(End) -> bool) -> bool {
    kernel.parameters.iter().any(|each| each.kind.has_partner() && each.end().is_some_and(is_of))
}

/// Whether a pair (i, i) adds to a sum of its element. It would add twice.
fn has_own_sums(kernel: &Kernel) -> bool {
    kernel.options.diagonal && kernel.parameters.iter().any(is_sum_of_both)
}

/// Whether a pair adds to this parameter's sums of both its elements.
fn is_sum_of_both(parameter: &Parameter) -> bool {
    parameter.end() == Some(End::Each)
        && matches!(parameter.kind.output(), Some("Sums" | "ArraySums"))
}

fn tiling_context(input: &SourceInput<'_>) -> Value {
    let tiling = input.variant.tiling;
    let [width, height] = tiling.threads();
    context! {
        side => tiling.side,
        rows => tiling.rows_of_thread(),
        unroll => tiling.unroll,
        threads => tiling.thread_count(),
        shape => if height == 1 { width.to_string() } else { format!("{width} x {height}") },
        alignment => tiling.alignment(input.kernel.has(Role::Square)),
        adds_by_warp => tiling.adds_by_warp(),
        joins_by_warp => tiling.states_of_block() > 1,
        has_warps => tiling.columns_of_warp() < tiling.side,
        window => tiling.window(),
    }
}

/// The kernel's parameters: the element counts and the domain's, then the map's, then the user's.
fn kernel_parameters(input: &SourceInput<'_>) -> String {
    let SourceInput { kernel, variant, domain, is_loops, .. } = *input;
    let has_rows = kernel.has(Role::Packed) || kernel.has(Role::Matrix);
    let slots = if has_rows { domain.slot_parameters() } else { &[] };
    let counts = input.counts().map(|count| format!("const unsigned int {count}"));
    let grid_parameters =
        if is_loops { near::part_parameters(input) } else { variant.map.parameters() };
    let others = domain.parameters().iter().chain(slots).chain(grid_parameters);
    let own = counts.chain(others.map(|&each| each.to_owned()));
    own.chain(filter::users_parameters(input))
        .chain(filter::parameters(input))
        .chain(near::parameters(input))
        .chain(given_pairs::parameters(input))
        .collect::<Vec<_>>()
        .join(SEPARATOR)
}

/// The map's source.
pub(super) fn prologue(input: &SourceInput<'_>) -> Prologue {
    input.variant.map.prologue(&input.form())
}

fn map(input: &SourceInput<'_>) -> Value {
    let options = &input.kernel.options;
    let map = input.variant.map;
    let Prologue { open, walk, .. } = prologue(input);
    let takes_root = map.takes_root() && !input.domain.is_rectangle();
    let root = if takes_root { format!("; root {}", options.root) } else { String::new() };
    let units = match (options.space, input.variant.linear) {
        (Space::Thread, _) => " in thread space",
        (Space::Block, true) => " on a linear grid",
        _ => "",
    };
    context! {
        name => map.name(),
        summary => map.summary(),
        root, units, open,
        walks => walk.is_some(),
        close => walk.as_ref().map_or("", |walk| walk.close),
        is_new_row => walk.as_ref().map_or("", |walk| walk.is_new_row),
        gives_pairs => options.space == Space::Thread,
    }
}

fn domain(input: &SourceInput<'_>) -> Value {
    let (domain, diagonal) = (input.domain, input.kernel.options.diagonal);
    let filter = domain.is_pair("i", "j", diagonal);
    let exchanged = match input.kernel.form.is_exchanged {
        true => " (the rows are the elements with #[column], and i and j are exchanged)",
        false => "",
    };
    context! {
        pairs => match domain {
            Domain::Sets => format!("the pairs {filter} of each of many sets"),
            Domain::SetRectangles => format!("all pairs of the rows and columns of each of many sets{exchanged}"),
            _ if domain.is_rectangle() => format!("all pairs of rows x columns elements{exchanged}"),
            _ => format!("the pairs {filter} of n elements"),
        },
        // What a filter of pairs is.
        inside => if domain.is_rectangle() { "inside the rectangle".to_owned() } else { format!("inside the triangle: {filter}") },
        boundary => match domain.is_rectangle() {
            true => "// A boundary tile: only the rows and columns inside the rectangle.".to_owned(),
            false => format!("// A boundary tile, with the diagonal filter: only pairs {filter} inside the triangle."),
        },
        area => if domain.is_rectangle() { "rectangle" } else { "triangle" },
        is_rectangle => domain.is_rectangle(),
        is_of_sets => domain.is_of_sets(),
        rows => domain.rows(),
        columns => domain.columns(),
        end => domain.end(),
        first => domain.first(),
        which => domain.first().map_or(String::new(), |first| format!(", rows {first}..{}", domain.end())),
        all_columns => if domain.is_rectangle() { domain.columns() } else { domain.rows() },
        // What two sets have twice, before its name.
        of_rows => if domain.is_rectangle() { "row_" } else { "" },
        of_columns => if domain.is_rectangle() { "column_" } else { "" },
        // On the CPU: the first row that has pairs with the columns from `begin` on, and the last column of rows before `stop`.
        first_row => if domain.is_rectangle() { "start" } else { "max(start, begin)" },
        last_column => match (domain.is_rectangle(), diagonal) {
            (true, _) => "columns",
            (false, true) => "stop",
            (false, false) => "stop - 1",
        },
        // Many sets: the indices of a set's first row and column among those of all, and the set's own, if the body uses it.
        set_row => if domain.is_rectangle() { "own.row" } else { "own.first" },
        set_column => if domain.is_rectangle() { "own.column" } else { "own.first" },
        set_index => if uses_set(input.kernel) && domain.is_of_sets() { "const unsigned int set = own.index;" } else { "" },
        // An upper bound of the columns that have pairs.
        columns_stop => if domain.is_rectangle() { domain.columns() } else { domain.end() },
        has_pair => domain.has("i", "j", diagonal),
        interior_above => domain.interior_above(),
        interior => domain.interior(),
        // A line may break before a rectangle's condition on the columns.
        interior_moved => domain.interior_moved().replace(" && (tile_j ", " &&¶ (tile_j "),
        filter,
        goes_on => domain.goes_on(),
        is_pair => Value::from_function(move |i: &str, j: &str| domain.is_pair(i, j, diagonal)),
        columns_end => Value::from_function(move |i: &str| domain.columns_end(i, diagonal)),
        columns_from => Value::from_function(move |i: &str, j: &str| domain.columns_from(i, j, diagonal)),
        has => Value::from_function(move |i: &str, j: &str, diagonal: bool| domain.has(i, j, diagonal)),
        has_row => Value::from_function(move |i: &str| domain.has_row(i)),
        row_start => Value::from_function(move |i: &str| domain.row_start(i, diagonal)),
    }
}

//! Why a kernel does not support a way of launching. The runtime has these reasons, because only a launch meets them: each ends a
//! message.

use td_kernel_geometry::{MAPS, Map, Space};

use super::Need::{self, *};
use super::Visit;
use crate::model::{End, Parameter};

/// Why launches keep no list.
pub(crate) const NO_DISTANCE: &str = "its `lower_bound` is a square or a sum of distances, which change by more than its elements move: write a distance, like `box_distance(p.i, p.j) - limit`";

/// Why a parameter needs what a way of launching lacks, and what to write instead. `None` for the ways of visiting all pairs.
pub(super) fn message(parameter: &Parameter, need: Need, visit: Visit) -> Option<String> {
    let text = reasons! {
        (need, visit),
        (Joins, Visit::List) => "a `Reduce` of elements joins the states of all pairs of an element: return early from the body for other pairs",
        (Fixed, Visit::Keep | Visit::ExactKeep) => "its `Reduce` joins states in a fixed order, and a kept list has its pairs in any order: launch it without `keep`",
        (Square, Visit::List) => "it writes a `Square`, which has rows and columns: write `Packed` instead, which then has a value for each entry of the list",
        (Square, Visit::Ranges | Visit::Devices | Visit::Divided) => "it writes a `Square`, whose rows have values of the pairs of later rows: write `&mut Packed<T>` instead, or for whole rows `#[row]`, `#[column]` and `&mut Matrix<T>`, and pass the same elements as rows and columns",
        (Searches, Visit::List) => "it searches for nearest neighbours among all pairs: write `#[each] x: &mut Minima<(T, u32)>` for the nearest one",
        (Searches, Visit::Ranges) if parameter.is_of_rectangle() => "it finds the nearest neighbours of all rows in the same rounds: pass only the elements of these rows, as slices of the buffers",
        (Searches, Visit::Ranges) => "the nearest neighbours of an element may be in any row: launch it over all rows",
        (AllRows, Visit::Ranges) => "what a `Reduce` or a `Nearest` has for a column is from all rows: pass only the elements of these rows, as slices of the buffers",
        (Memory, Visit::Devices) => "each of them would write to its own copy of `{name}`: use a result for each element, as in `#[each] {name}: &mut Sums<T>`, or load the kernel for one device",
        (Order, Visit::ExactKeep) => "it has a `deterministic` `Sum` of floats, which would follow the order of the list: write a `Sum` of integers, or `deterministic = false`",
        (Members, Visit::Ranges) => "a kernel over `Sets` has no ranges of rows: pass a `Sets` with fewer sets",
        (Members, Visit::Tuning) => "the sizes of its `Sets` determine its variants: launch it without tuning",
        (Every, Visit::Divided) => "it has a value for each pair, and each device visits some of the pairs: use `kernel.chunks(…)`, which divides its chunks among the devices; or load the kernel for each device, as in `for device in devices.iter()`, and launch `kernel.rows(a..b)` into `device.packed(Shape::triangle(n).of_rows(a..b))` or `device.matrix(Shape::rectangle(rows, columns).of_rows(a..b))`",
        (Members, Visit::List) => "its `Sets` give its pairs: write `&[T]` instead, with the elements of all sets",
    };
    Some(text.replace("{name}", &parameter.plain_name()))
}

/// The ways of launching that do not go with others, whatever the kernel is: over given pairs, over near pairs that launches keep, and
/// shared with other processes.
pub(crate) const OTHERS: [Visit; 3] = [Visit::List, Visit::Keep, Visit::Processes];

/// Why one of [`OTHERS`] does not go with a way of launching.
pub(crate) const fn between(way: Visit, other: Visit) -> Option<&'static str> {
    Some(reasons! {
        (way, other),
        (Visit::Ranges, Visit::Keep) => "the pairs of a list may be in any row: call one of `rows` and `keep`",
        (Visit::Ranges, Visit::List) => "the pairs of a list may be in any row: launch it over a part of the list instead",
        (Visit::Values, Visit::List) => "each device visits some of the entries of a list: launch it on one device",
        (Visit::Values, Visit::Processes) => "other processes have the values of the other pairs: load the kernel for each device of this process, as in `for device in devices.iter()`, and launch `kernel.rows(a..b)`; make values of sets on all devices of this process",
        (Visit::Chunks, Visit::Processes) => "chunks visit all rows, some of which other processes would compute too: load the kernel for one device that is not `part_of` others, and write `kernel.rows(a..b).chunks(…)` with the rows of this process",
        (Visit::Processes, Visit::List | Visit::Keep) => "a list has the pairs of one process: launch it on the devices of this process",
        (Visit::Mixed, Visit::Keep) => "GPUs beside a CPU sort their elements differently: load it for one of them",
        (Visit::Tuning, Visit::List | Visit::Keep) => "launches over a list have one variant: launch it without tuning",
        (Visit::Tuning, Visit::Processes) => "each process divides the pairs by its own variant, and all processes need the same one: choose it with the keys `map` and `tile` of the attribute",
        (Visit::Reports, Visit::List | Visit::Keep) => "a launch over a list follows from its pairs: launch it without a report",
    })
}

/// Why none of these maps visits a range of rows, if none does.
pub(crate) fn whole_triangles(space: Space, maps: &[&'static dyn Map]) -> Option<String> {
    if space == Space::Thread {
        return Some(
            "`space = \"thread\"` launches whole triangles only: write `space = \"block\"`"
                .to_owned(),
        );
    }
    let [map, ..] = maps else { return None };
    if maps.iter().any(|map| map.has_row_ranges()) {
        return None;
    }
    let able = MAPS.iter().filter(|map| map.has_row_ranges());
    let able: Vec<_> = able.map(|map| format!("`{}`", map.name())).collect();
    Some(format!(
        "its map `{}` launches whole triangles only: write one of the maps {}",
        map.name(),
        able.join(", ")
    ))
}

/// The maximum bytes of a row's and a column's sums of arrays with which products are from tensor cores. A thread keeps those of a
/// row and of four columns in registers, beside 64 products.
const MAX_ARRAY_BYTES: u32 = 48;

/// Why no tensor core multiplies the features of a kernel with `#[dot]`, if none does.
pub(crate) fn folded(deterministic: bool, parameters: &[Parameter]) -> Option<&'static str> {
    let known = || parameters.iter();
    let bytes_of = |has_end: fn(End) -> bool| {
        let arrays =
            known().filter(move |each| each.is_wide_sum() && each.end().is_some_and(has_end));
        arrays.filter_map(Parameter::size).sum::<u32>()
    };
    let mut types = known().filter(|each| each.features().is_some()).map(|each| &each.cuda);
    let first = types.next();
    if types.any(|cuda| Some(cuda) != first) {
        return Some("the two sets have features of different types: convert those of one set");
    }
    if deterministic && known().any(|each| each.kind.adds_floats(each)) {
        return Some("sums of floats are `deterministic`: write them in a separate kernel");
    }
    if known().any(|each| each.kind.about().has_states) {
        return Some(
            "the states of a `Reduce` are joined in a fixed order: write them in a separate kernel",
        );
    }
    let is_over = bytes_of(End::has_row) + bytes_of(End::has_column) > MAX_ARRAY_BYTES;
    is_over.then_some("the sums of arrays of a row and of a column have more than 48 bytes together: write shorter arrays")
}

//! Which outputs, sets and keys go with which ways of visiting pairs and of launching. It is computed: a kind of parameter or a key
//! needs something, and a way gives it or not. What refuses one asks here, and the table of the documentation is made from it.

/// The reason at the first pattern that something matches. Returns `None` from the function otherwise.
macro_rules! reasons {
    ($of:expr, $($pattern:pat $(if $guard:expr)? => $text:literal,)*) => {
        match $of {
            $($pattern $(if $guard)? => $text,)*
            _ => return None,
        }
    };
}

mod keys;
mod launches;
mod table;
mod visit;

pub(crate) use self::keys::{chooses_map, key, purpose, visits};
pub(crate) use self::launches::{NO_DISTANCE, OTHERS, between, folded, whole_triangles};
pub(crate) use self::table::{arguments, table};
use self::visit::Need::{self, *};
pub(crate) use self::visit::Visit;
use crate::errors::Errors;
use crate::model::{End, Parameter, Role};

/// Whether a parameter needs something.
fn needs(parameter: &Parameter, need: Need) -> bool {
    let (kind, role) = (parameter.kind, parameter.kind.role());
    if !role.is_output() {
        return match need {
            Members => kind.has_sets(),
            Features => matches!(role, Role::Features(_)),
            _ => false,
        };
    }
    let is_slot = matches!(role, Role::Packed | Role::Square | Role::Matrix);
    let about = kind.about();
    let is_of_elements = about.has_states && !about.is_state_of_all();
    let is_search = matches!(role, Role::Neighbours(_));
    match need {
        Joins => is_of_elements,
        Fixed => about.is_state_of_all(),
        Every => is_slot,
        Once => !is_of_elements && !is_search && !about.is_of_given_arrays,
        Square => role == Role::Square,
        Searches => is_search,
        AllRows => match role {
            Role::Result(end) => is_of_elements && end == End::Column,
            role => role == Role::Neighbours(End::Column),
        },
        Places => !is_of_elements && !is_search && (role != Role::Gathered || about.has_counters),
        Repeats => about.is_of_given_arrays,
        Memory => role == Role::Memory,
        Order => role == Role::Gathered && !about.has_counters && kind.adds_floats(parameter),
        Counts => about.has_counters,
        Results => matches!(role, Role::Result(_)),
        ColumnResults => matches!(role, Role::Result(end) if end.has_column()),
        Slots => is_slot,
        Triangle => matches!(role, Role::Packed | Role::Square),
        Rectangle => role == Role::Matrix,
        Packed => matches!(role, Role::Packed | Role::Matrix),
        Both => !about.can_drop,
        Totals => matches!(role, Role::Gathered | Role::Memory),
        // A histogram adds each weight by itself.
        Groups => !about.has_counters && kind.adds_floats(parameter),
        // Those of inputs and of keys.
        Members | Features | Maps | Diagonal | Sweeps | Threads | Tiles | Exact => false,
    }
}

/// What a parameter needs and a way of visiting lacks.
fn lack(parameter: &Parameter, visit: Visit) -> Option<Need> {
    visit.lacks().iter().copied().find(|need| needs(parameter, *need))
}

/// Why a parameter does not go with a way of visiting or of launching, and what to write instead. Nothing to write if a launch just
/// visits pairs in another way.
pub(crate) fn refusal(parameter: &Parameter, visit: Visit) -> Option<String> {
    let need = lack(parameter, visit)?;
    let why = launches::message(parameter, need, visit).or_else(|| message(parameter, need, visit));
    Some(why.unwrap_or_default())
}

/// Why one of these parameters does not go with a way, by the most telling need.
pub(crate) fn first(parameters: &[Parameter], visit: Visit) -> Option<String> {
    let of = |need| move |each: &&Parameter| lack(each, visit) == Some(need);
    let refusing = visit.lacks().iter().find_map(|need| parameters.iter().find(of(*need)))?;
    refusal(refusing, visit)
}

/// Why a parameter does not go with a way of visiting all pairs, for each need that [`lack`] finds.
fn message(parameter: &Parameter, need: Need, visit: Visit) -> Option<String> {
    let text = reasons! {
        (need, visit),
        (Searches, Visit::Rounds) => "a kernel can have only one `Nearest`: write a kernel for each `Nearest`",
        (_, Visit::Rounds) => "a kernel with a `Nearest` visits some pairs several times, so other outputs would be wrong: write a separate kernel for this output",
        (Searches, Visit::SetRows) => "a kernel over sets has one `Nearest`, or `Reduce`s of elements: write a kernel for each `Nearest`",
        (_, Visit::SetRows) => "a kernel with a `Nearest` or a `Reduce` of elements within sets has no place for slots, counters and other results of elements, like `{name}`: write a separate kernel for this output",
        (_, Visit::RowStates) => "a thread has all pairs of a row or of a column, and `{name}` is for columns beside a `Reduce` of rows: write a separate kernel for this output",
        (_, Visit::Rows | Visit::Elements) => "a kernel with a `Reduce` of elements has no place for slots, counters and other results of elements, like `{name}`: write a separate kernel for this output",
        (_, Visit::Arrays) => "a kernel with `Arrays` visits the pairs once for each block of the arrays, so outputs other than `ArraySums` would be wrong: write a separate kernel for this output",
        (Counts, Visit::Quick) => "what the body `quick` adds to a histogram cannot be taken back when it calls `exact()`: remove `#[dot]`, or remove `#[fold]` and write one body",
        (Joins, Visit::FeatureSets) => "a `Reduce` of elements within sets is for elements without features: launch the kernel for each set, or write `{name}: &mut Reduce<…>` for one state of all pairs",
        (Joins, Visit::Boxes | Visit::Bounds) => "the body `lower_bound` is not available with `{name}`, a `Reduce` of elements, which joins the states of all pairs of an element: remove `lower_bound`",
        (Fixed, Visit::Bounds) => "with features and the body `lower_bound`, the remaining pairs are evaluated in any order, but the states of `{name}`, a `Reduce`, are joined in a fixed one: remove `lower_bound`",
        (Every, Visit::Boxes | Visit::Bounds) => "the body `lower_bound` skips pairs, but `{name}` has a slot for each pair: write `{name}: &mut Pairs<f32>`, which lists the remaining pairs, or remove `lower_bound`",
        (Members, Visit::Products) => "`#[dot]` is for the features of one set or two: write `#[fold]` instead, and in the body `feature` a line like `dot += p.i * p.j;`",
        (Members, Visit::Boxes | Visit::Bounds) => "the body `lower_bound` is for one set or two: remove it, or write `&[T]` and launch the kernel for each set",
        (Triangle, Visit::TwoSets) => "`Packed` and `Square` are for the pairs of one set, and `#[row]` and `#[column]` are for the pairs of two: write `&mut Matrix<T>`",
        (Rectangle, Visit::OneSet) => "`Matrix` is for the pairs of two sets, with `#[row]` and `#[column]`: write `&mut Packed<T>` or `&mut Square<T>` for the pairs of one",
        (Square, Visit::Sets | Visit::FeatureSets) => "a `Square` is for one set: write `&mut Packed<T>`, whose values are set after set",
        (Repeats, Visit::Sets | Visit::FeatureSets) => "`ArraySums`, like `{name}`, are for one set or two, because their blocks are launched one after another: write `{name}: &mut Sums<[f32; 16]>` and arrays of 16 numbers, or launch the kernel for each set",
        (Searches, Visit::FeatureSets) => "a `Nearest` within sets is for elements without features: write the elements as `&Sets<T>`, of a struct or of an array like `[f32; 8]`, or launch the kernel for each set",
        (Repeats, Visit::Boxes | Visit::Bounds) => "the body `lower_bound` does not work with `{name}`, whose blocks are launched one after another: write `{name}: &mut Sums<[f32; 16]>` and arrays of 16 numbers, or remove `lower_bound`",
        (Results, Visit::Mirror) => "the sweep `mirror` does not support results of elements, because its threads do not keep an element: remove `sweep`, or write `sweep = \"classic\"`",
        (Results, Visit::Tiles) => "results of elements share tiles with slots only if the slots are `Packed` or `Matrix`, a tile has 32, 64, 128 or 256 elements, a result has at most four numbers, the results of a column take at most 32 bytes, and sums are not `deterministic`: remove `tile` or `sweep`, or write a kernel for each",
        (ColumnResults, Visit::Columns) => "all threads of the sweep `columns` have the same column at a time, so no thread can keep its results: write `sweep = \"rotate\"`",
        (Slots, Visit::Columns | Visit::Rotate) => "neighbouring threads of {visit} would write to slots that are far apart: write `sweep = \"rows\"`, or use a sum or a list instead",
        (Packed, Visit::SquareRows) => "the rows of packed slots and of a square start at different offsets: write `sweep = \"mirror\"`, or keep one of the two",
        (Totals, Visit::SquareRows) => "the sweep `rows` computes both halves of a square and so evaluates each pair twice, which would change sums, lists and slices: write `sweep = \"mirror\"`",
        (Groups, Visit::ExactWalk) => "the map `walk`, which `auto` may choose, launches as many blocks as fit on the GPU, so sums of floats would depend on the GPU: write another map, for example `map = \"ltm\"`",
        (Groups, Visit::ExactBounds) => "with features and the body `lower_bound`, sums of the remaining pairs are added in any order: remove `deterministic` or `lower_bound`",
        (Groups, Visit::ExactStates) => "beside a `Reduce` of elements, sums of floats are added in any order: remove `deterministic`, or write a separate kernel for them",
        (Square, Visit::Threads) => "in thread space, the slots (i, i) of a square are written only if they are pairs: write `diagonal = true`, or remove `space`",
    };
    Some(text.replace("{name}", &parameter.plain_name()).replace("{visit}", visit.heading()))
}

/// Reports a parameter that does not go with a way of visiting.
pub(crate) fn check(parameter: &Parameter, visit: Visit, errors: &mut Errors) {
    if let Some(message) = refusal(parameter, visit) {
        errors.span(parameter.name.span(), message);
    }
}

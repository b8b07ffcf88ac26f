//! Which outputs go with which ways of visiting pairs. It is computed: an output needs something, and a way of visiting gives it or
//! not. What refuses an output asks here, and the table of the documentation is made from it.

mod table;

pub(crate) use self::table::table;
use crate::errors::Errors;
use crate::kind::{HISTOGRAM, REDUCTION_OF_ALL};
use crate::model::{Kind, Parameter, Role};

/// A way of visiting pairs, or another output that decides it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Visit {
    /// The pairs within many sets.
    Sets,
    /// The pairs within many sets of elements with features.
    FeatureSets,
    /// Given pairs.
    List,
    /// The pairs that a lower bound over boxes does not exclude.
    Boxes,
    /// The pairs that a lower bound over features does not exclude.
    Bounds,
    /// Pairs whose features tensor cores multiply.
    Products,
    /// The rounds in which a `Nearest` visits the pairs.
    Rounds,
    /// Blocks that have all pairs of their elements, for states of the elements of one set.
    Elements,
    /// The same for states of the rows or the columns of two sets.
    Rows,
    /// A launch for each block of given arrays.
    Arrays,
}

/// What a way of visiting gives, and what an output may need.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Need {
    /// The threads of a block meet after their pairs.
    Joins,
    /// Every pair is evaluated.
    Every,
    /// A pair is evaluated once.
    Once,
    /// The pairs are all those of one set, whose elements are the rows of a square.
    Square,
    /// A thread keeps an element for many pairs.
    Owner,
    /// A search for the nearest of an element.
    Searches,
    /// Results besides those of all pairs.
    Places,
    /// A launch may be one of several over the same pairs.
    Repeats,
}

use Need::{Every, Joins, Once, Owner, Places, Repeats, Searches, Square};

impl Visit {
    /// What it lacks, the most telling first.
    const fn lacks(self) -> &'static [Need] {
        match self {
            Visit::Sets => &[Joins, Square, Owner],
            Visit::FeatureSets => &[Joins, Square, Owner, Searches],
            Visit::List => &[Joins, Square, Owner, Searches],
            Visit::Boxes => &[Joins, Every, Repeats],
            Visit::Bounds => &[Joins, Every, Owner],
            Visit::Products => &[Joins],
            Visit::Rounds => &[Once, Joins, Repeats],
            Visit::Elements => &[Once, Searches, Repeats],
            Visit::Rows => &[Places, Searches],
            Visit::Arrays => &[Once, Joins, Searches],
        }
    }
}

/// Whether an output of this kind needs something.
fn needs(kind: &'static dyn Kind, need: Need) -> bool {
    let role = kind.role();
    let is_slot = matches!(role, Role::Packed | Role::Square | Role::Matrix);
    let has_states = kind.has_states();
    let is_of_elements = has_states && kind != REDUCTION_OF_ALL;
    let is_search = matches!(role, Role::Neighbours(_));
    match need {
        Joins => has_states,
        Every => is_slot,
        Once => !is_of_elements && !is_search && !kind.is_of_given_arrays(),
        Square => role == Role::Square,
        Owner => is_of_elements || kind.is_wide(),
        Searches => is_search,
        Places => !is_of_elements && !is_search && (role != Role::Gathered || kind == HISTOGRAM),
        Repeats => kind.is_of_given_arrays(),
    }
}

/// What an output of this kind needs and a way of visiting lacks.
fn lack(kind: &'static dyn Kind, visit: Visit) -> Option<Need> {
    visit.lacks().iter().copied().find(|need| needs(kind, *need))
}

/// Why an output does not go with a way of visiting, and what to write instead.
pub(crate) fn refused(parameter: &Parameter, visit: Visit) -> Option<String> {
    let kind = parameter.kind;
    let need = kind.role().is_output().then(|| lack(kind, visit)).flatten()?;
    let name = parameter.plain_name();
    let fixed = match (need, visit) {
        (_, Visit::Rounds) => {
            "a kernel with a `Nearest` visits some pairs several times, so other outputs would be wrong: write a separate kernel for this output"
        }
        (_, Visit::Elements) => {
            "a kernel with a `Reduce` may evaluate a pair twice, once for each of its elements, so other outputs would be wrong: write a separate kernel for this output"
        }
        (_, Visit::Rows) => {
            "beside a `Reduce` of rows or columns, a kernel can have `Sum`, `Max`, `Min`, `Pairs` and a `Reduce` of all pairs: write a separate kernel for this output"
        }
        (_, Visit::Arrays) => {
            "a kernel with `Arrays` visits the pairs once for each block of the arrays, so outputs other than `ArraySums` would be wrong: write a separate kernel for this output"
        }
        (Joins, Visit::Products) => {
            "`#[dot]` is not available with a `Reduce`, because warps that share a block on tensor cores never meet to join its states: write the product as a `#[fold]`"
        }
        (Joins, Visit::List) => {
            "its launches cannot visit a list of pairs, because a `Reduce` joins the states of all pairs in a fixed order: return early from the body for other pairs"
        }
        (Square, Visit::List) => {
            "its launches cannot visit a list of pairs, because it writes a `Square`, which has rows and columns: write `Packed` instead, which then has a value for each entry of the list"
        }
        (Owner, Visit::List) => {
            "its launches cannot visit a list of pairs, because it has `ArraySums`, or `Sums` of more than four numbers: write `Sums` of 2, 3 or 4 numbers"
        }
        (Searches, Visit::List) => {
            "its launches cannot visit a list of pairs, because it searches for nearest neighbours among all pairs: write `#[each] x: &mut Minima<(T, u32)>` for the nearest one"
        }
        (Joins, Visit::Sets | Visit::FeatureSets) => {
            "a `Reduce` is for one set or two: launch the kernel for each set"
        }
        (Joins, _) => {
            return Some(format!(
                "the body `lower_bound` is not available with `{name}`, a `Reduce`, which joins the states of all pairs in a fixed order: remove `lower_bound`"
            ));
        }
        (Every, _) => {
            return Some(format!(
                "the body `lower_bound` skips pairs, but `{name}` has a slot for each pair: write `{name}: &mut Pairs<f32>`, which lists the remaining pairs, or remove `lower_bound`"
            ));
        }
        (Square, _) => {
            "a `Square` is for one set: write `&mut Packed<T>`, whose values are set after set"
        }
        (Owner, Visit::Bounds) => {
            "sums of more than four numbers do not work with the body `lower_bound` over features: remove `lower_bound`, or write vectors of 2, 3 or 4 numbers"
        }
        (Owner, _) => {
            "sums of more than four numbers do not work with `Sets`: write vectors of 2, 3 or 4 numbers, or launch the kernel for each set"
        }
        (Searches, _) => {
            "a `Nearest` within sets is for elements without features: write the elements as `&Sets<T>`, of a struct or of an array like `[f32; 8]`, or launch the kernel for each set"
        }
        (Once | Places | Repeats, _) => {
            return Some(format!(
                "the body `lower_bound` does not work with `{name}`, whose blocks are launched one after another: write `{name}: &mut Sums<[f32; 16]>` and arrays of 16 numbers, or remove `lower_bound`"
            ));
        }
    };
    Some(fixed.to_owned())
}

/// Reports an output that does not go with a way of visiting.
pub(crate) fn check(parameter: &Parameter, visit: Visit, errors: &mut Errors) {
    if let Some(message) = refused(parameter, visit) {
        errors.span(parameter.name.span(), message);
    }
}

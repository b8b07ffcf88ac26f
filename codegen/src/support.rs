//! Which outputs go with which ways of visiting pairs. It is computed: an output needs something, and a way of visiting gives it or
//! not. What refuses an output asks here, and the table of the documentation is made from it.

use crate::errors::Errors;
use crate::kind::{self, EXTREMES, HISTOGRAM, PAIRS, REDUCTION_OF_ALL};
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
    /// The same for states of the rows of two sets.
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
    /// The indices i and j name a pair.
    Names,
    /// A search for the nearest of an element.
    Searches,
    /// Results besides those of all pairs.
    Places,
    /// A launch may be one of several over the same pairs.
    Repeats,
}

use Need::{Every, Joins, Names, Once, Owner, Places, Repeats, Searches, Square};

impl Visit {
    /// What it lacks, the most telling first.
    const fn lacks(self) -> &'static [Need] {
        match self {
            Visit::Sets => &[Joins, Square, Owner, Names],
            Visit::FeatureSets => &[Joins, Square, Owner, Names, Searches],
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

    /// What a kernel has that is visited so, for the table.
    const fn heading(self) -> &'static str {
        match self {
            Visit::Sets => "`Sets`",
            Visit::FeatureSets => "`FeatureSets`",
            Visit::List => "given pairs",
            Visit::Boxes => "`lower_bound` over boxes",
            Visit::Bounds => "`lower_bound` over features",
            Visit::Products => "`#[dot]`",
            Visit::Rounds => "beside `Nearest`",
            Visit::Elements => "beside `Reduce` of elements",
            Visit::Rows => "beside `Reduce` of rows",
            Visit::Arrays => "beside `ArraySums`",
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
        Names => EXTREMES.contains(&kind) || kind == PAIRS,
        Searches => is_search,
        Places => !is_of_elements && !is_search && (role != Role::Gathered || kind == HISTOGRAM),
        Repeats => kind.is_of_given_arrays(),
    }
}

/// What an output of this kind needs and a way of visiting lacks.
fn lack(kind: &'static dyn Kind, visit: Visit) -> Option<Need> {
    visit.lacks().iter().copied().find(|need| needs(kind, *need))
}

/// Whether the parameter is no output, or one that goes with a way of visiting.
pub(crate) fn is_supported(parameter: &Parameter, visit: Visit) -> bool {
    !parameter.kind.role().is_output() || lack(parameter.kind, visit).is_none()
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
            "beside a `Reduce` of rows, a kernel can have `Sum`, `Max`, `Min`, `Pairs` and a `Reduce` of all pairs: write a separate kernel for this output"
        }
        (_, Visit::Arrays) => {
            "a kernel with `Arrays` visits the pairs once for each block of the arrays, so outputs other than `ArraySums` would be wrong: write a separate kernel for this output"
        }
        (Joins, Visit::Products) => {
            "`#[dot]` is not available with a `Reduce`, because warps that share a block on tensor cores never meet to join its states: write the product as a `#[fold]`"
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
        (Names, _) if kind == PAIRS => {
            "a `Pairs` would not name the pair's set: write `&mut Pairs<u32>`, and push `set`"
        }
        (Names, _) => {
            "a `Max` or `Min` would not name the pair's set: write `#[set] x: &mut Maxima<(T, u32)>` or `Minima<(T, u32)>`, an extreme of each set with the index of its pair"
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

/// Every way of visiting that lacks something.
const ALL: [Visit; 10] = [
    Visit::Sets,
    Visit::FeatureSets,
    Visit::List,
    Visit::Boxes,
    Visit::Bounds,
    Visit::Products,
    Visit::Rounds,
    Visit::Elements,
    Visit::Rows,
    Visit::Arrays,
];

/// The rows of the table: ways of visiting, the outputs that do not go with them, and why.
pub(crate) fn table() -> Vec<[String; 3]> {
    // Those of sets go with sets only.
    let is_listed = |kind: &&'static dyn Kind| kind.role().is_output() && !kind.is_of_set();
    let outputs: Vec<_> = kind::kinds().filter(is_listed).collect();
    let mut rows = Vec::<[String; 3]>::new();
    for visit in ALL {
        for need in visit.lacks() {
            let refused: Vec<_> =
                outputs.iter().filter(|kind| lack(**kind, visit) == Some(*need)).collect();
            let (names, why) = (labels(&refused), need.why());
            let same = rows.iter_mut().find(|row| row[1] == names && row[2] == why);
            match same {
                _ if refused.is_empty() => {}
                Some([headings, ..]) => *headings += &format!(", {}", visit.heading()),
                None => rows.push([visit.heading().to_owned(), names, why.to_owned()]),
            }
        }
    }
    rows
}

/// The spellings of kinds, each once.
fn labels(kinds: &[&&'static dyn Kind]) -> String {
    let mut labels = Vec::new();
    for kind in kinds {
        let spelling = kind.spelling();
        let of = spelling.split_once(": ").map_or(spelling, |(_, of)| of);
        let label = match kind.output() {
            Some(_) if kind.is_wide() && !kind.is_of_given_arrays() => {
                "`Sums` of more than four numbers".to_owned()
            }
            Some(_) => format!("`{}`", of.trim_start_matches("&mut ")),
            None => format!("`{of}`"),
        };
        if !labels.contains(&label) {
            labels.push(label);
        }
    }
    labels.join(", ")
}

impl Need {
    /// What a way of visiting does that lacks it.
    const fn why(self) -> &'static str {
        match self {
            Joins => "the threads of a block do not meet to join states",
            Every => "pairs are skipped, and their slots would have no value",
            Once => "some pairs are visited several times",
            Square => "the slots of a square are those of all pairs of one set",
            Owner => "no thread keeps an element for its pairs",
            Names => "i and j count within a set",
            Searches => "there is no search for neighbours",
            Places => "beside the states of rows there is room for results of all pairs only",
            Repeats => {
                "it visits the pairs once, and arrays need a launch for each of their blocks"
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_lack_refuses_an_output() {
        for visit in ALL {
            for need in visit.lacks() {
                let mut outputs = kind::kinds().filter(|kind| kind.role().is_output());
                assert!(outputs.any(|kind| lack(kind, visit) == Some(*need)), "{visit:?}");
            }
        }
    }
}

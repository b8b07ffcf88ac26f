//! The table of the documentation.

use super::Need::{Every, Joins, Once, Owner, Places, Repeats, Searches, Square};
use super::{Need, Visit, lack};
use crate::kind::{self, REDUCTION_OF_ALL};
use crate::model::Kind;

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

impl Visit {
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
            Visit::Rows => "beside `Reduce` of rows or columns",
            Visit::Arrays => "beside `ArraySums`",
        }
    }
}

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
            Some(_) if **kind == REDUCTION_OF_ALL => "`Reduce` of all pairs".to_owned(),
            Some(_) if kind.has_states() => "`Reduce` of elements".to_owned(),
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
            Searches => "there is no search for neighbours",
            Places => "beside the states of one set there is room for results of all pairs only",
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

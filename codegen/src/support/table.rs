//! The tables of the documentation.

use proc_macro2::{Ident, Span};
use quote::quote;
use syn::Lifetime;

use super::Need::{
    Counts, Every, Joins, Members, Memory, Once, Order, Owner, Places, Repeats, Searches, Square,
};
use super::{Need, Visit, lack};
use crate::cuda_type::{CudaType, Origin};
use crate::kind::{self, REDUCTION_OF_ALL};
use crate::model::{End, Kind, Parameter};

/// Every way of visiting or of launching that lacks something.
const ALL: [Visit; 16] = [
    Visit::Sets,
    Visit::FeatureSets,
    Visit::List,
    Visit::Kept,
    Visit::Ranges,
    Visit::Devices,
    Visit::Divided,
    Visit::Tuning,
    Visit::Boxes,
    Visit::Bounds,
    Visit::Products,
    Visit::Quick,
    Visit::Rounds,
    Visit::Elements,
    Visit::Rows,
    Visit::Arrays,
];

impl Visit {
    /// What a kernel has that is visited so, or what launches it so, for the table.
    const fn heading(self) -> &'static str {
        match self {
            Visit::Sets => "`Sets`",
            Visit::FeatureSets => "`FeatureSets`",
            Visit::List => "given pairs, `keep`",
            Visit::Kept => "`keep` with `deterministic`",
            Visit::Ranges => "ranges of rows, `chunks`",
            Visit::Devices => "several devices or processes",
            Visit::Divided => "one launch of one set or two on several devices",
            Visit::Tuning => "`tune`",
            Visit::Boxes => "`lower_bound` over boxes",
            Visit::Bounds => "`lower_bound` over features",
            Visit::Products => "`#[dot]`",
            Visit::Quick => "the body `quick`",
            Visit::Rounds => "beside `Nearest`",
            Visit::Elements => "beside `Reduce` of elements",
            Visit::Rows => "beside `Reduce` of rows or columns",
            Visit::Arrays => "beside `ArraySums`",
        }
    }
}

/// The rows of the table: ways of visiting and of launching, the kinds that do not go with them, and why.
pub(crate) fn table() -> Vec<[String; 3]> {
    // Those of sets go with sets only.
    let kinds: Vec<_> = kind::kinds().filter(|kind| !kind.is_of_set()).collect();
    let mut rows = Vec::<[String; 3]>::new();
    for visit in ALL {
        for need in visit.lacks() {
            let refused: Vec<_> =
                kinds.iter().filter(|kind| lack(**kind, visit) == Some(*need)).collect();
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

/// How tokens are written, and how people write them.
const SPACED: [[&str; 2]; 6] =
    [["td_kernel :: ", ""], [" < ", "<"], [" >", ">"], [" ,", ","], ["& ", "&"], ["0usize", "K"]];

/// What the tuple of a `LaunchWith` has for each kind of parameter: the spellings of kinds, and the type.
pub(crate) fn arguments() -> Vec<[String; 2]> {
    let lifetime = &Lifetime::new("'a", Span::call_site());
    let mut rows = Vec::<[String; 2]>::new();
    for kind in kind::kinds().chain([kind::arrays(End::Each)]) {
        let name = Ident::new("x", Span::call_site());
        let cuda = CudaType { name: String::new(), origin: Origin::Builtin };
        let rust = quote!(T);
        let parameter = Parameter { name, kind, cuda, rust, written: None, neighbours: 0 };
        let ty = kind.taken(&parameter, &quote!(td_kernel)).tuple_type(lifetime).to_string();
        let ty = SPACED.iter().fold(ty, |ty, [spaced, plain]| ty.replace(spaced, plain));
        let ty = format!("`{ty}`");
        let spelling = kind.spelling();
        let name = if spelling.contains(": ") { "" } else { "x: " };
        let spelling = format!("`{name}{spelling}`");
        match rows.iter_mut().find(|row| row[1] == ty) {
            Some([spellings, _]) if spellings.contains(&spelling) => {}
            Some([spellings, _]) => *spellings += &format!(", {spelling}"),
            None => rows.push([spelling, ty]),
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
            None if kind.has_sets() => format!("`{}`", of.trim_start_matches('&')),
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
            Members => "the pairs are those of the sets, which one launch visits",
            Memory => "each device would write to a copy of its own",
            Counts => "what a body adds to a histogram cannot be taken back",
            Order => "an exact sum of floats would follow the order of the list",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_lack_refuses_a_kind() {
        for visit in ALL {
            for need in visit.lacks() {
                assert!(kind::kinds().any(|kind| lack(kind, visit) == Some(*need)), "{visit:?}");
            }
        }
    }
}

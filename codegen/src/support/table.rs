//! The tables of the documentation.

use proc_macro2::{Ident, Span};
use quote::quote;
use syn::Lifetime;

use super::Need::{self, *};
use super::{OTHERS, Visit, between, keys, lack};
use crate::cuda_type::{CudaType, Origin};
use crate::kind;
use crate::model::{End, Kind, Parameter, Role};

/// The rows of the table: ways of visiting and of launching, the kinds that do not go with them, and why.
pub(crate) fn table() -> Vec<[String; 3]> {
    // Those of sets go with sets only.
    let all: Vec<_> = kind::kinds().filter(|kind| !kind.is_of_set()).map(parameter).collect();
    let mut rows = Vec::<[String; 3]>::new();
    for visit in Visit::ALL {
        for need in visit.lacks() {
            let refused = all.iter().filter(|each| lack(each, *visit) == Some(*need));
            let mut names = labels(&refused.map(|each| each.kind).collect::<Vec<_>>());
            let keys = keys::KEYS.iter().filter(|(key, _)| keys::lack(key, *visit) == Some(*need));
            names.extend(keys.map(|(key, _)| format!("`{key}`")));
            let (names, why) = (names.join(", "), need.because(*visit));
            let same = rows.iter_mut().find(|row| row[1] == names && row[2] == why);
            match same {
                _ if names.is_empty() => {}
                Some([headings, ..]) => *headings += &format!(", {}", visit.heading()),
                None => rows.push([visit.heading().to_owned(), names, why.to_owned()]),
            }
        }
        for other in OTHERS {
            let Some((why, _)) = between(*visit, other).and_then(|why| why.split_once(": ")) else {
                continue;
            };
            let row = [visit.heading(), other.heading(), why].map(str::to_owned);
            if !rows.iter().any(|each| each[0] == row[0] && each[2] == row[2]) {
                rows.push(row);
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
    for kind in kind::kinds().chain([kind::ARRAYS[0]]) {
        let ty = kind.taken(&parameter(kind), &quote!(td_kernel)).tuple_type(lifetime).to_string();
        let ty = SPACED.iter().fold(ty, |ty, [spaced, plain]| ty.replace(spaced, plain));
        let ty = format!("`{ty}`");
        let spelling = kind.about().spelling;
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

/// A parameter `x` of this kind, of floats.
fn parameter(kind: &'static dyn Kind) -> Parameter {
    let name = Ident::new("x", Span::call_site());
    let cuda = CudaType { name: "float".to_owned(), origin: Origin::Builtin };
    Parameter { name, kind, cuda, rust: quote!(T), written: None, neighbours: 0, number_of: None }
}

/// The spellings of kinds, each once.
fn labels(kinds: &[&'static dyn Kind]) -> Vec<String> {
    let mut labels = Vec::new();
    let is_of_column = |kind: &&dyn Kind| {
        [Role::Result(End::Column), Role::Neighbours(End::Column)].contains(&kind.role())
    };
    let are_of_columns = kinds.iter().all(is_of_column);
    for kind in kinds {
        let spelling = kind.about().spelling;
        let of = spelling.split_once(": ").map_or(spelling, |(_, of)| of);
        let label = match kind.output() {
            Some(name) if are_of_columns => format!("`{name}` of columns"),
            Some(_) if kind.about().is_wide && !kind.about().is_of_given_arrays => {
                "`Sums` of more than four numbers".to_owned()
            }
            Some(_) if kind.about().is_state_of_all() => "`Reduce` of all pairs".to_owned(),
            Some(_) if kind.about().has_states => "`Reduce` of elements".to_owned(),
            Some(_) => format!("`{}`", of.trim_start_matches("&mut ")),
            None if kind.has_sets() => format!("`{}`", of.trim_start_matches('&')),
            None => format!("`{of}`"),
        };
        if !labels.contains(&label) {
            labels.push(label);
        }
    }
    labels
}

impl Need {
    /// What a way of visiting or of launching does that lacks it.
    pub(super) const fn because(self, visit: Visit) -> &'static str {
        match (self, visit) {
            (Every, Visit::Divided) => {
                "each device visits some of the pairs, so some of its slots would have no value"
            }
            (Square, Visit::Threads) => "only threads with a pair write slots",
            (Searches, Visit::Ranges) => "the neighbours of all rows are found together",
            (Searches, Visit::Rounds) => "there is one search for neighbours",
            (AllRows, Visit::RowStates) => "a thread has all pairs of a row or of a column",
            (Members, Visit::Tuning) => "the sizes of the sets determine the variants",
            (Members, Visit::List | Visit::Ranges) => "the sets give the pairs",
            (Diagonal, Visit::ByElement) => "a pair (i, i) would be evaluated twice",
            _ => self.reason(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{launches, message};
    use super::*;

    #[test]
    fn every_lack_refuses_a_kind_or_a_key() {
        for visit in Visit::ALL {
            for need in visit.lacks() {
                let mut all = kind::kinds().map(parameter);
                let mut keys = keys::KEYS.iter().map(|(key, _)| keys::lack(key, *visit));
                let is_of_kind = all.any(|each| lack(&each, *visit) == Some(*need));
                assert!(is_of_kind || keys.any(|lack| lack == Some(*need)), "{visit:?}");
            }
        }
    }

    /// The ways that refuse. Launches over lists by element visit a list in its own order otherwise.
    fn refusing() -> impl Iterator<Item = &'static Visit> {
        Visit::ALL.iter().filter(|visit| **visit != Visit::ByElement)
    }

    #[test]
    fn each_refused_key_has_a_message() {
        for (visit, (key, _)) in
            refusing().flat_map(|visit| keys::KEYS.iter().map(move |key| (visit, key)))
        {
            let why = keys::lack(key, *visit).map(|need| keys::message(need, *visit));
            assert!(why != Some(None), "{} with {key}", visit.heading());
        }
    }

    #[test]
    fn each_refused_kind_has_a_message_about_it_or_the_way() {
        for visit in refusing() {
            for kind in kind::kinds() {
                let each = &parameter(kind);
                let Some(need) = lack(each, *visit) else { continue };
                let why =
                    launches::message(each, need, *visit).or_else(|| message(each, need, *visit));
                let label = labels(&[kind]).concat().to_lowercase();
                let what = format!("{} with {label}", visit.heading());
                let why = why.expect(&what).to_lowercase();
                let named = label.split(['`', '<', ' ']).nth(1).unwrap_or_default();
                let type_name = if kind.has_sets() { "sets" } else { named };
                let heading = visit.heading().to_lowercase();
                let mut ways = heading.split('`').skip(1).step_by(2);
                let is_about = why.contains("`x`")
                    || why.contains(type_name)
                    || ways.any(|way| why.contains(way));
                assert!(is_about, "{what}: {why}");
            }
        }
    }
}

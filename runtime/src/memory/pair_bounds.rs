//! The bounds of the pairs of a list, against which each launch is checked.

use crate::error::counted;

/// The elements and the pairs of a launch.
pub(crate) struct Elements {
    /// The number of elements; for two sets, of rows.
    pub(crate) rows: usize,
    /// The number of columns, if the pairs are of two sets.
    pub(crate) columns: Option<usize>,
    /// Whether the kernel visits the pairs (i, i).
    pub(crate) diagonal: bool,
}

/// Bounds of the pairs that may be on a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// Each i is below this.
    pub(crate) rows: usize,
    /// Each j is below this.
    pub(crate) columns: usize,
    /// Whether a pair may have i < j.
    is_above: bool,
    /// Whether a pair may have i = j.
    is_on: bool,
    /// Whether indices may count within one of many sets. Such pairs cannot be given.
    pub(crate) is_of_sets: bool,
}

impl Bounds {
    /// The pairs that a launch over these elements may push.
    pub(crate) fn launch_bounds(elements: &Elements) -> Bounds {
        let Elements { rows, columns, diagonal } = *elements;
        let (is_above, is_on) = (columns.is_some(), columns.is_some() || diagonal);
        Bounds { rows, columns: columns.unwrap_or(rows), is_above, is_on, is_of_sets: false }
    }

    /// Widens this by others.
    pub(crate) fn join(&mut self, other: &Bounds) {
        self.rows = self.rows.max(other.rows);
        self.columns = self.columns.max(other.columns);
        self.is_above |= other.is_above;
        self.is_on |= other.is_on;
        self.is_of_sets |= other.is_of_sets;
    }
}

/// How the pairs of a list are bounded.
pub(crate) enum Known {
    /// By reading the pairs: the first ones of each kind that a launch may reject.
    Read(Read),
    /// By the launches that have pushed the pairs.
    Pushed(Bounds),
}

/// A pair and its position in the list.
type Place = (usize, [u32; 2]);

/// The first pairs with the largest indices, above the diagonal, and on it.
#[derive(Default)]
pub(crate) struct Read {
    largest_i: Option<Place>,
    largest_j: Option<Place>,
    above: Option<Place>,
    on: Option<Place>,
}

impl Read {
    pub(crate) fn of(pairs: impl Iterator<Item = [u32; 2]>) -> Read {
        let mut read = Read::default();
        read.add(0, pairs);
        read
    }

    /// Reads more pairs, from entry `begin` of the list on.
    pub(crate) fn add(&mut self, begin: usize, pairs: impl Iterator<Item = [u32; 2]>) {
        let read = self;
        for (at, pair @ [i, j]) in (begin..).zip(pairs) {
            let place = (at, pair);
            if read.largest_i.is_none_or(|(_, [largest, _])| i > largest) {
                read.largest_i = Some(place);
            }
            if read.largest_j.is_none_or(|(_, [_, largest])| j > largest) {
                read.largest_j = Some(place);
            }
            if i < j && read.above.is_none() {
                read.above = Some(place);
            }
            if i == j && read.on.is_none() {
                read.on = Some(place);
            }
        }
    }

    fn problem(&self, elements: &Elements) -> Option<String> {
        let Elements { rows, columns, diagonal } = *elements;
        let named = |(at, [i, j]): Place| format!("has ({i}, {j}) at position {at}");
        let past = |place: Option<Place>, index: usize, end: usize| {
            place.filter(|(_, pair)| pair[index] as usize >= end)
        };
        if let Some(columns) = columns {
            let outside = past(self.largest_i, 0, rows).or(past(self.largest_j, 1, columns))?;
            return Some(format!(
                "{}, which is outside {rows} rows and {columns} columns: pass the elements that the list was made for",
                named(outside)
            ));
        }
        if let Some(outside) = past(self.largest_i, 0, rows).or(past(self.largest_j, 1, rows)) {
            return Some(format!(
                "{}, but its indices must be below {rows}, the number of elements: pass the elements that the list was made for",
                named(outside)
            ));
        }
        if let Some(above) = self.above {
            return Some(format!(
                "{}, but in a pair of one set the larger index comes first: write each pair once, as [i, j] with i > j",
                named(above)
            ));
        }
        self.on.filter(|_| !diagonal).map(|on| {
            format!(
                "{}, but the kernel does not visit the pairs (i, i): write `diagonal = true` in `#[td_kernel(…)]`, or remove the pair",
                named(on)
            )
        })
    }
}

impl Known {
    pub(crate) fn bounds(&self) -> Bounds {
        match self {
            Known::Pushed(bounds) => *bounds,
            Known::Read(read) => Bounds {
                rows: read.largest_i.map_or(0, |(_, [i, _])| i as usize + 1),
                columns: read.largest_j.map_or(0, |(_, [_, j])| j as usize + 1),
                is_above: read.above.is_some(),
                is_on: read.on.is_some(),
                is_of_sets: false,
            },
        }
    }

    /// Why the pairs are not those of the elements, if they are not.
    pub(crate) fn check(&self, elements: &Elements) -> Result<(), String> {
        let problem = match self {
            Known::Read(read) => read.problem(elements),
            Known::Pushed(bounds) => pushed_problem(bounds, elements),
        };
        problem.map_or(Ok(()), Err)
    }
}

fn both_counts(rows: usize, columns: usize) -> String {
    format!("{} and {}", counted(rows, "row"), counted(columns, "column"))
}

/// The same for pairs that launches have pushed.
fn pushed_problem(bounds: &Bounds, elements: &Elements) -> Option<String> {
    let Elements { rows, columns, diagonal } = *elements;
    if bounds.rows > rows || bounds.columns > columns.unwrap_or(rows) {
        let found = match bounds.is_above {
            true => both_counts(bounds.rows, bounds.columns),
            false => counted(bounds.rows, "element"),
        };
        let own = match columns {
            Some(columns) => both_counts(rows, columns),
            None => counted(rows, "element"),
        };
        return Some(format!(
            "has pairs that were pushed by launches over {found}, but this launch has {own}: pass the elements that the list was made for"
        ));
    }
    if columns.is_none() && bounds.is_above {
        return Some("has pairs that were pushed by a kernel over two sets, and this kernel has one: write `#[row]` and `#[column]` instead of `#[each]`".to_owned());
    }
    (columns.is_none() && bounds.is_on && !diagonal).then(|| {
        "has pairs that were pushed by a kernel with `diagonal = true`, which this kernel does not have: write it in both, or in neither".to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_pairs_are_named() {
        let problem = |pairs: &[[u32; 2]], rows, columns, diagonal| {
            let known = Known::Read(Read::of(pairs.iter().copied()));
            known.check(&Elements { rows, columns, diagonal }).err().unwrap_or_default()
        };
        let pairs = [[1, 0], [4, 2], [3, 1]];
        assert_eq!(problem(&pairs, 5, None, false), "");
        assert!(problem(&pairs, 4, None, false).starts_with("has (4, 2) at position 1, but"));
        let above = "has (1, 3) at position 1, but in a pair of one set";
        assert!(problem(&[[2, 1], [1, 3]], 5, None, false).starts_with(above));
        assert!(problem(&[[2, 1], [1, 3]], 3, None, false).contains("below 3"));
        assert!(problem(&[[2, 2]], 5, None, false).contains("diagonal = true"));
        assert_eq!(problem(&[[2, 2]], 5, None, true), "");
        assert_eq!(problem(&[[0, 3], [2, 2]], 3, Some(4), false), "");
        let outside = "(0, 3) at position 0, which is outside 3 rows and 3 columns";
        assert!(problem(&[[0, 3], [2, 2]], 3, Some(3), false).contains(outside));
        assert_eq!(problem(&[], 0, None, false), "");
    }

    #[test]
    fn pushed_pairs_are_those_of_the_launches() {
        let mut bounds = Bounds::default();
        let problem = |bounds: Bounds, rows, columns, diagonal| {
            let known = Known::Pushed(bounds);
            known.check(&Elements { rows, columns, diagonal }).err().unwrap_or_default()
        };
        assert_eq!(problem(bounds, 0, None, false), "");
        bounds.join(&Bounds::launch_bounds(&Elements { rows: 5, columns: None, diagonal: false }));
        assert_eq!(problem(bounds, 5, None, false), "");
        let text = "has pairs that were pushed by launches over 5 elements, but this launch has 1 element:";
        assert!(problem(bounds, 1, None, false).starts_with(text));
        bounds.join(&Bounds::launch_bounds(&Elements { rows: 5, columns: None, diagonal: true }));
        assert!(problem(bounds, 5, None, false).contains("diagonal"));
        assert_eq!(problem(bounds, 5, None, true), "");
        bounds.join(&Bounds::launch_bounds(&Elements {
            rows: 3,
            columns: Some(4),
            diagonal: false,
        }));
        assert!(problem(bounds, 5, None, true).contains("two sets"));
        assert_eq!(problem(bounds, 5, Some(5), false), "");
    }
}

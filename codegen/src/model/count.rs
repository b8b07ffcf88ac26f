//! The numbers of elements that a launch has to know.

use super::Parameter;

/// A number of elements, which a launch has to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Count {
    /// Of the one set, which makes a triangle of pairs.
    Elements,
    /// Of the set that a rectangle's rows are for.
    Rows,
    /// Of the set that a rectangle's columns are for.
    Columns,
}

impl Count {
    /// Its name: in a body, and as the first parameter of a launch.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Count::Elements => "n",
            Count::Rows => "rows",
            Count::Columns => "columns",
        }
    }

    /// The role of the elements that it is the number of, as the runtime's `Launch` takes it.
    pub(crate) const fn role(self) -> &'static str {
        match self {
            Count::Elements => "Each",
            Count::Rows => "Row",
            Count::Columns => "Column",
        }
    }

    /// The counts that no parameter tells, and that a launch is given first. A wrong parameter, which is `None`, tells
    /// all of them.
    pub(crate) fn untold<'a>(
        parameters: impl Iterator<Item = Option<&'a Parameter>> + Clone,
    ) -> Vec<Count> {
        let is_rectangle = parameters.clone().flatten().any(Parameter::is_of_rectangle);
        Count::untold_of(is_rectangle, parameters)
    }

    /// The same for some of a kernel's parameters, of which others may be for a rectangle.
    pub(crate) fn untold_of<'a>(
        is_rectangle: bool,
        parameters: impl Iterator<Item = Option<&'a Parameter>> + Clone,
    ) -> Vec<Count> {
        let counts: &[Count] =
            if is_rectangle { &[Count::Rows, Count::Columns] } else { &[Count::Elements] };
        let is_told =
            |count| parameters.clone().any(|each| each.is_none_or(|each| each.tells(count)));
        counts.iter().copied().filter(|count| !is_told(*count)).collect()
    }
}

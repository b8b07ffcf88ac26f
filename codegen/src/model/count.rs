//! The element counts that a launch needs.

use super::Parameter;

/// An element count that a launch needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Count {
    /// The count of the one set whose pairs form a triangle.
    Elements,
    /// The count of the set of a rectangle's rows.
    Rows,
    /// The count of the set of a rectangle's columns.
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

    /// The count of the other of two sets.
    pub(crate) const fn exchanged(self) -> Count {
        match self {
            Count::Elements => Count::Elements,
            Count::Rows => Count::Columns,
            Count::Columns => Count::Rows,
        }
    }

    /// The role of the elements that it counts, as the runtime's `Launch` takes it.
    pub(crate) const fn role(self) -> &'static str {
        match self {
            Count::Elements => "Each",
            Count::Rows => "Row",
            Count::Columns => "Column",
        }
    }

    /// The counts that no parameter has, which are a launch's first arguments. With a wrong parameter, which is `None`, there
    /// are none.
    pub(crate) fn missing<'a>(
        parameters: impl Iterator<Item = Option<&'a Parameter>> + Clone,
    ) -> Vec<Count> {
        let is_rectangle = parameters.clone().flatten().any(Parameter::is_of_rectangle);
        Count::missing_of(is_rectangle, parameters)
    }

    /// Like `missing`, for some of a kernel's parameters. The others may belong to a rectangle.
    pub(crate) fn missing_of<'a>(
        is_rectangle: bool,
        parameters: impl Iterator<Item = Option<&'a Parameter>> + Clone,
    ) -> Vec<Count> {
        let counts: &[Count] =
            if is_rectangle { &[Count::Rows, Count::Columns] } else { &[Count::Elements] };
        let is_given =
            |count| parameters.clone().any(|each| each.is_none_or(|each| each.gives(count)));
        counts.iter().copied().filter(|count| !is_given(*count)).collect()
    }
}

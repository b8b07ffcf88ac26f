//! The number of elements that a launch takes if no other argument determines it.

/// A number of elements. Only `usize` implements it: as a trait it gives a better message if another argument is in its place.
#[diagnostic::on_unimplemented(
    message = "this launch takes a number of elements first, but `{Self}` was passed",
    label = "expected a `usize`",
    note = "the other arguments of this launch do not give the number of elements: pass it before them; for two sets, pass the number of rows, of columns, or both"
)]
pub trait Count: Copy {
    /// The number of elements.
    fn count(self) -> usize;
}

impl Count for usize {
    fn count(self) -> usize {
        self
    }
}

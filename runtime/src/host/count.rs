//! The number of elements that a launch takes if no other argument determines it.

/// A number of elements. Only `usize` implements it: as a trait it gives a better message if another argument is in its place.
#[diagnostic::on_unimplemented(
    message = "this launch takes a number of elements first, and `{Self}` is not one",
    label = "not a number of elements, a `usize`",
    note = "no other argument of this launch tells how many elements there are: write their number before the others; of two sets the number of rows, of columns, or both"
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

//! The numbers of elements that a launch is given where no other argument tells them.

/// A number of elements. It is a `usize` and nothing else; as a trait it can say what is missing where another argument
/// stands in its place.
#[diagnostic::on_unimplemented(
    message = "this launch takes a number of elements first, and `{Self}` is not one",
    label = "not a number of elements, a `usize`",
    note = "no other argument of this launch tells how many elements there are: write their number before the others; of two sets the number of rows, of columns, or both"
)]
pub trait Count: Copy {
    /// The number.
    fn count(self) -> usize;
}

impl Count for usize {
    fn count(self) -> usize {
        self
    }
}

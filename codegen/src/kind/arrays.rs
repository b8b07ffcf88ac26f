//! `#[each] x: &Arrays<f32>`, or `#[row]` or `#[column]` for a rectangle: elements that are arrays of floats whose length a launch
//! gives, for [`ArraySums`](super::wide).
//!
//! The runtime keeps the arrays in blocks of up to 16 numbers and launches the kernel once for each block. So the source is that
//! of a slice of arrays of `TD_ARRAY_WIDTH` numbers, which the runtime replaces.

use syn::TypePath;

use crate::cuda_type;
use crate::element::{Element, argument_among};
use crate::errors::Errors;

/// The type of their sums in a signature.
pub(super) const ARRAY_SUMS: &str = "ArraySums";

/// A block of arrays in CUDA, and the numbers of an array in Rust, from the path in the signature. `None` for a wrong type, after
/// adding an error.
pub(crate) fn given_element(name: &str, path: &TypePath, errors: &mut Errors) -> Option<Element> {
    let is_float = |cuda: &_| cuda_type::given_array(cuda).is_some();
    let message = |_: &_| {
        format!(
            "`{name}` has arrays of `f32` or `f64`, whose width a launch gives: write `{name}<f32>`"
        )
    };
    let (number, rust) = argument_among(name, path, is_float, message, errors)?;
    Some((cuda_type::given_array(&number)?, rust))
}

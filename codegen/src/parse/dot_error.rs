//! The error bound of a product of features.

use proc_macro2::Ident;
use syn::ext::IdentExt;

use crate::model::Parameter;
use crate::model::bytes::are_bytes;

/// Whether products are exact: those of 8-bit integers. They have no error bound.
pub(super) fn is_exact(parameters: &[Parameter]) -> bool {
    parameters.iter().any(are_bytes)
}

/// The name of a product's error bound.
pub(super) fn error_name(dot: &Ident) -> String {
    format!("{}_error", dot.unraw())
}

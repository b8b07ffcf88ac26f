//! Products of features that are 8-bit integers. They are exact 32-bit integers.

use super::{Kernel, Parameter};
use crate::cuda_type::magnitude_of_byte;

/// Whether the parameter has features that are 8-bit integers.
pub(crate) fn are_bytes(parameter: &Parameter) -> bool {
    parameter.features().is_some() && magnitude_of_byte(&parameter.cuda).is_some()
}

/// The most features of an element with which no product overflows, if the kernel multiplies 8-bit integers.
pub(crate) fn most_features(kernel: &Kernel) -> Option<u32> {
    kernel.dot.as_ref()?;
    let mut features = kernel.parameters.iter().filter(|each| each.features().is_some());
    let magnitude = |each: &Parameter| magnitude_of_byte(&each.cuda);
    let first = magnitude(features.next()?)?;
    let second = features.next().map_or(Some(first), magnitude)?;
    Some(i32::MAX.unsigned_abs() / (first * second))
}

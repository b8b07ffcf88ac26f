//! Products of features that are 8-bit integers. They are exact 32-bit integers.

use super::{Kernel, Parameter};

/// Whether the parameter has features that are 8-bit integers.
pub(crate) fn are_bytes(parameter: &Parameter) -> bool {
    parameter.features().is_some() && magnitude(parameter).is_some()
}

/// The greatest magnitude of an 8-bit integer of this type; `None` for other types.
fn magnitude(parameter: &Parameter) -> Option<u32> {
    match parameter.cuda.name.as_str() {
        "signed char" => Some(1 << 7),
        "unsigned char" => Some((1 << 8) - 1),
        _ => None,
    }
}

/// The most features of an element with which no product overflows, if the kernel multiplies 8-bit integers.
pub(crate) fn most_features(kernel: &Kernel) -> Option<u32> {
    kernel.dot.as_ref()?;
    let mut features = kernel.parameters.iter().filter(|each| each.features().is_some());
    let first = magnitude(features.next()?)?;
    let second = features.next().map_or(Some(first), magnitude)?;
    Some(i32::MAX.unsigned_abs() / (first * second))
}

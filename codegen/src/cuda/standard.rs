//! The types and constants of C's headers for sources that use them.

use std::collections::HashSet;

use super::body;
use crate::model::Kernel;
use crate::standard::{CONSTANTS, TYPES};

/// The definitions of the types and constants that the bodies, or a source with these words, use, each after a blank line.
pub(super) fn used(kernel: &Kernel, words: &HashSet<&str>) -> String {
    let types =
        TYPES.iter().filter(|(name, _)| words.contains(name) || body::uses_type(kernel, name));
    let types = types.map(|(name, own)| {
        format!("\n// A C type that NVRTC does not define.\n#ifdef __CUDACC_RTC__\ntypedef {own} {name};\n#endif\n")
    });
    let constants = CONSTANTS
        .iter()
        .filter(|(name, _)| words.contains(name) || body::uses_constant(kernel, name));
    let constants = constants.map(|(name, value)| {
        format!("\n// A C macro that NVRTC does not define.\n#ifndef {name}\n#define {name} {value}\n#endif\n")
    });
    types.chain(constants).collect()
}

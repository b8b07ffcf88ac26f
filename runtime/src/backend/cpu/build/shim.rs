//! The headers that stand in for CUDA's.

use std::path::Path;

use super::write;
use crate::{Error, Result};

/// The headers that define what CUDA provides to a kernel without an `#include`.
pub(super) const SHIM: [(&str, &str); 17] = [
    ("prelude.h", include_str!("../shim/prelude.h")),
    ("qualifiers.h", include_str!("../shim/qualifiers.h")),
    ("vector_types.h", include_str!("../shim/vector_types.h")),
    ("execution.h", include_str!("../shim/execution.h")),
    ("barriers.h", include_str!("../shim/barriers.h")),
    ("warp_functions.h", include_str!("../shim/warp_functions.h")),
    ("tensor_functions.h", include_str!("../shim/tensor_functions.h")),
    ("warp_reductions.h", include_str!("../shim/warp_reductions.h")),
    ("atomics.h", include_str!("../shim/atomics.h")),
    ("memory.h", include_str!("../shim/memory.h")),
    ("integer_functions.h", include_str!("../shim/integer_functions.h")),
    ("simd_functions.h", include_str!("../shim/simd_functions.h")),
    ("conversions.h", include_str!("../shim/conversions.h")),
    ("float_functions.h", include_str!("../shim/float_functions.h")),
    ("special_functions.h", include_str!("../shim/special_functions.h")),
    ("rounding_functions.h", include_str!("../shim/rounding_functions.h")),
    ("minimum_maximum.h", include_str!("../shim/minimum_maximum.h")),
];

/// The shim's folder as messages show it: a note such as "candidate function" can name it.
pub(super) const SHIM_FOLDER: &str = "td_kernel_cpu";

/// Writes the shim's headers into a folder of the directory.
pub(in crate::backend::cpu) fn write_shim(directory: &Path) -> Result<()> {
    let folder = directory.join(SHIM_FOLDER);
    std::fs::create_dir(&folder).map_err(|reason| Error::io("create", &folder, reason))?;
    SHIM.iter().try_for_each(|(name, text)| write(&folder.join(name), text))
}

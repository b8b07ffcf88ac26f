//! The names that a kernel's source uses, which a user's parameter cannot have.
//!
//! The grammar of generated names rules out collisions without renaming:
//!
//! | names | where |
//! | --- | --- |
//! | the user's own, as they are | parameters of the pair function, the only names its body sees |
//! | `i`, `j`, `n`; for a rectangle `rows`, `columns` | the same, and the kernel |
//! | `lambda`, `slot`, `k` and the like | the kernel; no underscore |
//! | `tile_i`, `tile_j` | the row and the column of the kernel's tile; no suffix of `SUFFIXES` ends them |
//! | `TILE`, `THREAD_ROWS` and the like | the constants of a function of the kernel; in capitals |
//! | `row_begin`, `row_end`, `first_slot`, `tile_begin` | a kernel for a range of rows; no suffix of `SUFFIXES` ends them |
//! | a user's name and one suffix of `SUFFIXES` | the kernel; no suffix ends with another, so two such names are equal only if the user's are |
//! | `td_…` | helpers, at file scope |
//! | `k`, `features` | with features: the function of a feature, and the kernel |
//! | `dot_upper`, `dot_lower` | the function of a lower bound |
//! | `exact` | the function of `quick` |
//! | the function's name and `_feature`, `_pair`, `_lower_bound`, `_quick`, `_fold`, `_kernel`, `_merge`, `_prepare`, `_refine` or `_join_` and a state's name | file scope |

mod keywords;
#[cfg(test)]
mod suffixes;

use self::keywords::{KEYWORDS, MACROS};
use crate::cuda_type::is_vector;
use crate::standard;

/// The names that every pair body can use.
const PAIR: &[&str] = &["i", "j", "n"];

/// The bounds of the product of both elements' features in a lower bound: upper and lower.
pub(crate) const OF_LOWER: [&str; 2] = ["dot_upper", "dot_lower"];

/// The function in the body `quick` that leaves a pair to the other bodies.
pub(crate) const EXACT: &str = "exact";

/// The functions of two boxes in a lower bound.
pub(crate) const OF_BOXES: [&str; 7] = [
    "box_square", "box_distance", "box_manhattan", "periodic_square", "periodic_distance",
    "periodic_manhattan", SPHERE,
];

/// The one of latitudes and longitudes.
pub(crate) const SPHERE: &str = "sphere_distance";

/// The names of the kernel's own variables, which would hide a type of the same name. `tests/tests/snapshots/names.rs` compares
/// them with the names in all sources, and reports what to add or remove. Writing types as `::Name` would not remove this list:
/// start values of folds are the user's expressions inside the kernel function, and their names cannot be qualified.
const VARIABLES: &[&str] = &[
    "AHEAD", "ALIGNMENT", "BAND_ROWS", "BATCH", "BLOCK_COLUMNS", "BLOCK_COUNTERS",
    "BLOCK_ELEMENTS", "BLOCK_KEYS", "BLOCK_ROWS", "BUFFER", "BUFFER_WORDS", "CELL_WORDS", "DIGITS",
    "FOLDED_COLUMNS", "GROUP", "GROUPS", "HALVES", "HEIGHT", "JOIN_STATES", "JOIN_WARPS", "LANES",
    "LIST_CAPACITY", "MAX_PART_ROWS", "NEAREST", "ORDER", "PADDING", "PANEL_FEATURES",
    "PART_COUNTERS", "PART_ELEMENTS", "PART_ENTRIES", "PART_FEATURES", "PART_WORDS", "PIECE",
    "QUEUE", "RUN", "SAMPLES", "SEGMENTS", "SIDE", "STAGED_PAIRS", "STAGED_ROWS", "STAGES", "STEP",
    "TESTED", "THREADS", "THREAD_COLUMNS", "THREAD_ENTRIES", "THREAD_ROWS", "TILE", "TOTAL_CELLS",
    "VECTOR", "WARPS", "WARP_COLUMNS", "WARP_ROWS", "WIDTH", "WINDOW", "WORD", "WORDS", "a",
    "accumulation", "active", "advance", "all", "any", "at", "b", "back", "band", "barrier",
    "base", "bases", "batch", "before", "begin", "below", "bit", "bits", "block", "blocks",
    "bound", "bounds", "boxes", "buffer", "buffers", "c", "cell", "cells", "col", "column",
    "columns", "component", "converted", "coordinates", "copies", "count", "counted", "counts",
    "d", "device", "devices", "difference", "digit", "digits", "element", "elements", "empty",
    "end", "ends", "entries", "entry", "error", "evaluate", "even", "exponent", "factors",
    "farthest", "features", "fetch", "find", "first", "firsts", "folded", "frame", "from", "full",
    "greatest", "group", "groups", "half", "halves", "height", "hi", "high", "i", "index",
    "interior", "inverse", "j", "k", "kept", "key", "keys", "lambda", "lane", "lanes", "last",
    "least", "left", "length", "level", "limit", "limits", "line", "list", "lo", "locate", "low",
    "lower", "marks", "merge", "merged", "middle", "most", "n", "nearer", "neighbours", "next",
    "offset", "operands", "order", "other", "own", "pair", "pairs", "panels", "part", "partners",
    "parts", "passed", "piece", "pieces", "pitch", "point", "points", "product", "products", "put",
    "queue", "queued", "r", "rank", "read", "rectangle", "remaining", "rest", "room", "rounded",
    "row", "rows", "run", "runs", "same", "scale", "scales", "section", "sections", "segment",
    "set", "sets", "shared", "shift", "side", "size", "skew", "skin", "skipped", "slot", "source",
    "square", "staged", "stages", "start", "starts", "state", "step", "steps", "stop", "strip",
    "striped", "sum", "surplus", "t", "table", "thread", "tile", "tiles", "to", "top", "total",
    "turn", "tx", "ty", "unfolded", "units", "update", "used", "valid", "value", "visit", "warp",
    "width", "with", "word", "words", "wraps", "x", "y", "zeros",
];

/// The same with an underscore: the tile's indices, and the parameters of kernels for a range of rows or for two sets. None ends
/// in a suffix, so none is made from a user's name.
const WITH_UNDERSCORE: &[&str] = &[
    "column_factors", "column_halves", "column_operands", "first_slot", "given_i", "given_j",
    "row_begin", "row_end", "row_factors", "row_halves", "row_operands", "tile_begin", "tile_i",
    "tile_j", "tile_j_of",
];

/// Whether a body may use a number of this name, beside its parameters.
pub(crate) fn is_in_scope(name: &str) -> bool {
    [PAIR, &["rows", "columns", "k", "features"]].iter().any(|names| names.contains(&name))
}

/// Whether a kernel has its own variable of this name.
pub(crate) fn is_variable(name: &str) -> bool {
    [VARIABLES, WITH_UNDERSCORE].iter().any(|names| names.contains(&name))
}

/// Whether a function of the kernel may have a constant of this name. It hides the user's constant there, but no body is in
/// that scope.
pub(crate) fn is_constant(name: &str) -> bool {
    VARIABLES.contains(&name) && !name.contains(char::is_lowercase)
}

/// Why `name` cannot name a user's struct, if it cannot.
pub(crate) fn refused_type(name: &str) -> Option<String> {
    if is_variable(name) {
        return Some(format!(
            "the generated kernel has a variable `{name}`, which would hide the struct: rename the struct, for example to `{}{}`",
            name[..1].to_uppercase(),
            name[1..].to_lowercase()
        ));
    }
    refused(name)
}

/// Whether this may be a macro of the compiler or of the generated source.
pub(crate) fn is_macro(name: &str) -> bool {
    MACROS.contains(&name) || standard::is_constant(name) || name.starts_with("__")
}

/// Why `name` cannot name a parameter, a field or a kernel in CUDA C++, if it cannot.
pub(crate) fn refused(name: &str) -> Option<String> {
    if KEYWORDS.contains(&name) {
        Some(format!("`{name}` is a C++ keyword: choose another name"))
    } else if MACROS.contains(&name) || standard::is_constant(name) {
        Some(format!("`{name}` is a C++ macro: choose another name"))
    } else if standard::is_type(name) {
        Some(format!("`{name}` is a C type: choose another name"))
    } else if name == "td" {
        Some("names derived from `td` would start with `td_`, which is reserved for the generated kernel: choose another name".into())
    } else if name.starts_with("td_") {
        Some(format!(
            "`{name}` starts with `td_`, which is reserved for the generated kernel: choose another name"
        ))
    } else if name.starts_with("__") {
        Some(format!(
            "`{name}` starts with two underscores, which are reserved for the C++ compiler: choose another name"
        ))
    } else if is_vector(name) {
        Some(format!("`{name}` is a CUDA type: choose another name"))
    } else if !name.is_ascii() {
        Some(format!("`{name}` contains characters outside ASCII: choose another name"))
    } else {
        None
    }
}

/// Why `name` cannot name a parameter, if it cannot.
pub(crate) fn refused_parameter(name: &str) -> Option<String> {
    if PAIR.contains(&name) {
        return Some(format!(
            "`{name}` is in scope in every pair body (`i` and `j`: the pair; `n`: the element count): choose another name"
        ));
    }
    refused(name)
}

/// Why `name` cannot name a parameter of a kernel over the pairs of two sets, if it cannot.
pub(crate) fn refused_of_rectangle(name: &str) -> Option<String> {
    ["rows", "columns"].contains(&name).then(|| {
        format!(
            "`{name}` is in scope in every pair body of a rectangle (`rows` and `columns`: the element counts of the two sets): choose another name"
        )
    })
}

/// Why `name` cannot name a parameter of a kernel whose elements have features, if it cannot.
pub(crate) fn refused_of_features(name: &str) -> Option<String> {
    ["k", "features"].contains(&name).then(|| {
        format!(
            "`{name}` is in scope if elements have features (`k`: the index of a feature; `features`: the number of features): choose another name"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::suffixes::SUFFIXES;
    use super::*;

    #[test]
    fn no_variable_ends_with_a_suffix() {
        for name in VARIABLES.iter().chain(WITH_UNDERSCORE) {
            assert!(!SUFFIXES.iter().any(|suffix| name.ends_with(suffix)), "{name}");
        }
    }

    #[test]
    fn no_suffix_ends_with_another() {
        for a in SUFFIXES {
            for b in SUFFIXES {
                assert!(a == b || !a.ends_with(b), "{a} ends with {b}");
            }
        }
    }

    #[test]
    fn keywords_and_reserved_names_are_refused() {
        for name in ["template", "xor", "NULL", "td_row", "__x", "float4", "größe"] {
            assert!(refused(name).is_some(), "{name}");
        }
        assert!(refused_parameter("i").is_some());
        assert!(refused_type("row").is_some_and(|message| message.contains("`Row`")));
        assert!(refused_type("TILE").is_some_and(|message| message.contains("`Tile`")));
        assert!(refused_type("row_end").is_some());
        assert_eq!(refused_type("Row"), None);
        for name in ["p", "row", "distance", "lambda"] {
            assert_eq!(refused_parameter(name), None, "{name}");
        }
    }
}

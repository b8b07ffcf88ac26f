//! The helpers that a kernel includes. Each file `NAME.cuh` defines `td_NAME`.

use std::collections::HashSet;
use std::sync::LazyLock;

/// A helper.
struct Helper {
    name: &'static str,
    text: &'static str,
}

/// The names of helpers in each helper. They are found once for all kernels of a crate, because an unoptimised macro
/// reads sources slowly.
static NAMES: LazyLock<Vec<HashSet<&str>>> =
    LazyLock::new(|| HELPERS.iter().map(|helper| names(helper.text)).collect());

/// Lists the files of `codegen/cuda`, each after the files that it needs.
macro_rules! helpers {
    ($($file:literal),+ $(,)?) => {
        const HELPERS: &[Helper] = &[$(Helper {
            name: concat!("td_", $file),
            text: include_str!(concat!("../../cuda/", $file, ".cuh")),
        }),+];
        #[cfg(test)]
        const FILES: &[&str] = &[$($file),+];
    };
}

helpers! {
    "f16", "bf16", "components", "floats", "vector4", "each", "sum", "float_sum", "partial", "tally", "sums",
    "scaled", "wide", "fused", "wide_sum", "array", "array_sum", "totals", "padded", "float_order", "double_order", "signed_order", "unsigned_order",
    "least", "greatest", "nearest", "farthest", "nearest_in_order", "farthest_in_order", "best_components",
    "offer_with_index", "near", "queues", "block_lock", "neighbour_lists", "for_each_marked", "insert_marked",
    "candidates", "dynamic_shared", "copy_async", "wait_for_copies", "phase_barrier", "part_copies", "tensor_core", "multiply_add",
    "multiply_bytes", "multiply_part", "product_stages", "multiply_split", "multiply_halves", "multiply_floats",
    "product_error", "exact", "contains", "bitonic_step", "merge", "merge_lanes", "own_neighbours",
    "lane_neighbours", "queued_neighbours", "farthest_of_lanes", "float_bound", "signed_bound", "unsigned_bound", "ends", "offers",
    "next_lane", "add_warp", "add_block", "add_digit", "add_exact_float", "add_component_float", "add_exact_double",
    "add_component_double", "warp_total", "sum_of_warps", "greatest_of_warps", "pair_list", "pushed", "append",
    "valued_pair_list", "pushed_of", "pushed_in_set", "valued_marks", "append_valued", "bins", "block_bins", "counts", "weighted_counts", "weights", "exact_bins", "part_bins", "offered", "extreme", "extreme_in_sets",
    "keep_extreme", "keep_extreme_in_sets", "keep_extreme_of_warp", "keep_extreme_of_warp_in_sets", "pair_buffer", "valued_pair_buffer", "columns", "is_aligned", "store",
    "segment", "store_segment", "mirror", "vector", "bit_cast", "read_vector", "write_vector", "thread_index", "grid_width", "sum_of_lanes",
    "greatest_of_lanes", "distance_of", "box", "single", "at_least", "sphere", "for_each_number", "are_finite", "are_equal", "anywhere",
    "range_of_lanes", "sums_of_lanes", "sampled", "offer_to_set", "pair_offer_to_set", "morton", "prefix_sum", "join", "joined",
    "state_of_lane", "join_warp", "join_block"
}

/// The map's helpers, the helpers among these names, and those that they need, each after a blank line. Helpers of `before` are
/// already in the source.
pub(super) fn used(names: &HashSet<&str>, of_map: Vec<&'static str>, before: &[&str]) -> String {
    let (mut names, mut used) = (names.clone(), Vec::new());
    for (helper, needed) in HELPERS.iter().zip(&*NAMES).rev() {
        if names.contains(helper.name) && !before.contains(&helper.name) {
            used.push(helper.text);
            names.extend(needed);
        }
    }
    of_map.into_iter().chain(used.into_iter().rev()).map(|text| format!("\n{text}")).collect()
}

/// The source of the helper that defines `name`.
pub(super) fn text_of(name: &str) -> &'static str {
    HELPERS.iter().find(|helper| helper.name == name).map_or("", |helper| helper.text)
}

/// The words of a source that may be helpers, or types or constants of C's headers.
pub(super) fn names(text: &str) -> HashSet<&str> {
    let is_name = |word: &&str| {
        word.starts_with("td_")
            || word.ends_with("_t")
            || word.starts_with(|c: char| c.is_ascii_uppercase())
    };
    words(text).filter(is_name).collect()
}

/// The words of a source, which include all its names.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::standard::{CONSTANTS, TYPES};

    #[test]
    fn every_file_is_a_helper() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/cuda");
        let mut files: Vec<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        let mut known: Vec<_> = FILES.iter().map(|name| format!("{name}.cuh")).collect();
        files.sort();
        known.sort();
        assert_eq!(files, known);
    }

    #[test]
    fn names_of_headers_are_found() {
        let types = TYPES.iter().map(|(name, _)| *name);
        for name in types.chain(CONSTANTS.iter().map(|(name, _)| *name)) {
            assert!(names(name).contains(name), "{name}");
        }
    }

    #[test]
    fn helpers_use_only_earlier_ones() {
        for (at, helper) in HELPERS.iter().enumerate() {
            let names = names(helper.text);
            assert!(names.contains(helper.name), "{}", helper.name);
            let later = HELPERS[at + 1..].iter().find(|later| names.contains(later.name));
            assert_eq!(later.map(|later| later.name), None, "{}", helper.name);
        }
    }
}

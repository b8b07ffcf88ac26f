//! The files of `codegen/kernels` and `codegen/cuda`, which the sources of kernels consist of.

/// Lists the templates of the kernels, by file name.
macro_rules! templates {
    ($($file:literal),+ $(,)?) => {
        /// The templates, by file name.
        pub(super) const TEMPLATES: &[(&str, &str)] =
            &[$(($file, include_str!(concat!("../../kernels/", $file)))),+];
    };
}

templates! {
    "kernel.cu", "prelude.cu", "parts.cu", "over.cu", "outputs.cu", "classic.cu", "columns.cu",
    "rotate.cu", "rows.cu", "mirror.cu", "fold.cu", "filter.cu", "filter_nearest.cu",
    "filter_pairs.cu", "product.cu", "product_bytes.cu", "boxes.cu", "near.cu", "near_nearest.cu",
    "entries.cu", "partners.cu", "reduce.cu", "sets.cu", "set_rows.cu",
    "near_nearest.cpp", "near.cpp", "entries.cpp", "reduce.cpp", "sets.cpp", "set_rows.cpp",
    "kernel.cpp", "outputs.cpp", "feature_loops.cpp", "loops.cpp",
    "outputs/extreme.cpp", "outputs/extreme.cu", "outputs/histogram.cpp", "outputs/histogram.cu",
    "outputs/list.cpp", "outputs/list.cu", "outputs/neighbours.cpp", "outputs/neighbours.cu",
    "outputs/result.cpp", "outputs/result.cu", "outputs/slot.cu", "outputs/states.cpp",
    "outputs/states.cu", "outputs/sum.cpp", "outputs/sum.cu", "outputs/valued_list.cpp",
    "outputs/valued_list.cu",
}

/// A helper.
pub(super) struct Helper {
    pub(super) name: &'static str,
    pub(super) text: &'static str,
}

/// Lists the files of `codegen/cuda`, each after the files that it needs.
macro_rules! helpers {
    ($($file:literal),+ $(,)?) => {
        pub(super) const HELPERS: &[Helper] = &[$(Helper {
            name: concat!("td_", $file),
            text: include_str!(concat!("../../cuda/", $file, ".cuh")),
        }),+];
        #[cfg(test)]
        pub(super) const FILES: &[&str] = &[$($file),+];
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

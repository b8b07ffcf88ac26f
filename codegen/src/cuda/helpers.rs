//! The helpers that a kernel includes: each is a file of its own, and is included only if one of its names is used.

use std::collections::HashSet;

/// A helper.
struct Helper {
    /// The names that it defines.
    names: &'static [&'static str],
    text: &'static str,
}

/// Lists the files of `codegen/cuda`, each after the files that it needs, with the names that it defines.
macro_rules! helpers {
    ($($file:literal: $($name:literal),+;)+) => {
        const HELPERS: &[Helper] = &[$(Helper {
            names: &[$($name),+],
            text: include_str!(concat!("../../cuda/", $file)),
        }),+];
        #[cfg(test)]
        const FILES: &[&str] = &[$($file),+];
    };
}

helpers! {
    "f16.cuh": "td_f16";
    "bf16.cuh": "td_bf16";
    "floats2.cuh": "td_floats2";
    "floats3.cuh": "td_floats3";
    "floats4.cuh": "td_floats4";
    "vector4.cuh": "td_vector4";
    "each.cuh": "td_each";
    "sum.cuh": "td_sum";
    "wide_sum.cuh": "td_wide_sum";
    "float_sum.cuh": "td_float_sum";
    "partial.cuh": "td_partial";
    "tally.cuh": "td_tally";
    "add_warp.cuh": "td_add_warp";
    "add_block.cuh": "td_add_block";
    "added.cuh": "td_added";
    "added2.cuh": "td_added2";
    "added3.cuh": "td_added3";
    "added4.cuh": "td_added4";
    "order_float.cuh": "td_float_order";
    "order_double.cuh": "td_double_order";
    "order_signed.cuh": "td_signed_order";
    "order_unsigned.cuh": "td_unsigned_order";
    "least.cuh": "td_least";
    "greatest.cuh": "td_greatest";
    "nearest.cuh": "td_nearest";
    "farthest.cuh": "td_farthest";
    "nearest_in_order.cuh": "td_nearest_in_order";
    "farthest_in_order.cuh": "td_farthest_in_order";
    "offered2.cuh": "td_offered2";
    "offered3.cuh": "td_offered3";
    "offered4.cuh": "td_offered4";
    "partnered.cuh": "td_partnered";
    "near.cuh": "td_near";
    "queues.cuh": "td_queues";
    "turn.cuh": "td_turn";
    "kept.cuh": "td_kept";
    "put_marked.cuh": "td_put_marked", "td_each_marked";
    "candidates.cuh": "td_candidates";
    "brief.cuh": "td_brief";
    "dot.cuh": "td_dot", "td_dot_error";
    "tensor.cuh":
        "td_shared", "td_copy", "td_copied", "td_parts", "td_load_matrices", "td_multiply", "td_multiply_part";
    "merge.cuh": "td_merge", "td_exchange", "td_is_listed";
    "merge_lanes.cuh": "td_merge_lanes";
    "bound_float.cuh": "td_float_bound";
    "bound_signed.cuh": "td_signed_bound";
    "bound_unsigned.cuh": "td_unsigned_bound";
    "ends.cuh": "td_ends";
    "offers.cuh": "td_offers";
    "next.cuh": "td_next";
    "add_exact_float.cuh": "td_add_exact_float";
    "add_exact_double.cuh": "td_add_exact_double";
    "warp_total.cuh": "td_warp_total";
    "sum_of_warps.cuh": "td_sum_of_warps";
    "greatest_of_warps.cuh": "td_greatest_of_warps";
    "pairs.cuh": "td_pairs", "td_pushed";
    "append.cuh": "td_append";
    "pairs_of.cuh": "td_pairs_of", "td_pushed_of";
    "append_of.cuh": "td_found_of", "td_append_of";
    "listed.cuh": "td_listed";
    "listed_of.cuh": "td_listed_of";
    "columns.cuh": "td_columns";
    "aligned.cuh": "td_is_aligned";
    "store.cuh": "td_store";
    "segment.cuh": "td_segment", "td_store_segment";
    "mirror.cuh": "td_mirror";
    "few.cuh": "td_few";
    "as.cuh": "td_as";
    "lane.cuh": "td_lane", "td_warp";
    "read.cuh": "td_read";
    "write.cuh": "td_write";
    "sum_of_lanes.cuh": "td_sum_of_lanes";
    "greatest_of_lanes.cuh": "td_greatest_of_lanes";
}

/// The map's helpers, and those whose names are among these, each after a blank line. Those of `before` stand before the
/// text already.
pub(super) fn used(names: &HashSet<&str>, of_map: Vec<&'static str>, before: &[&str]) -> String {
    let is_used = |helper: &&Helper| {
        helper.names.iter().any(|name| names.contains(*name) && !before.contains(name))
    };
    let used = HELPERS.iter().filter(is_used).map(|helper| helper.text);
    of_map.into_iter().chain(used).map(|text| format!("\n{text}")).collect()
}

/// The text of the helper that defines `name`.
pub(super) fn text_of(name: &str) -> &'static str {
    HELPERS.iter().find(|helper| helper.names.contains(&name)).map_or("", |helper| helper.text)
}

/// The words of a text, which include all names in it.
pub(super) fn words(text: &str) -> HashSet<&str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_a_helper_and_every_helper_a_file() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/cuda");
        let mut files: Vec<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        let mut known: Vec<_> = FILES.iter().map(|name| (*name).to_owned()).collect();
        files.sort();
        known.sort();
        assert_eq!(files, known);
    }

    /// The lists that appends are for: every kernel that appends has them.
    const LISTS: &[(&str, &str)] = &[
        ("td_pairs", "append.cuh"),
        ("td_pairs_of", "append_of.cuh"),
        ("td_pushed_of", "append_of.cuh"),
        ("td_few", "read.cuh"),
        ("td_few", "write.cuh"),
    ];

    /// A helper uses only helpers before it, and only such that every kernel with the helper includes anyway.
    #[test]
    fn helpers_define_their_names_and_need_no_others() {
        for (at, helper) in HELPERS.iter().enumerate() {
            for (other_at, other) in HELPERS.iter().enumerate() {
                for name in other.names {
                    let is_there = words(helper.text).contains(name);
                    let may_be = at == other_at || LISTS.contains(&(*name, FILES[at]));
                    assert!(is_there == (at == other_at) || may_be, "{}: {name}", FILES[at]);
                }
            }
        }
    }
}

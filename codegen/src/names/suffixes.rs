//! The suffixes of names that the kernel makes from a user's names, each with a meaning. Tests compare names with them.

pub(super) const SUFFIXES: &[&str] = &[
    "_all", "_row", "_rows", "_col", "_cols", "_arg", "_rows_above", "_cols_above", "_packed",
    "_square", "_matrix", "_diagonal", "_tile", "_line", "_upper", "_segment", "_marks", "_pushed",
    "_pushes", "_pairs", "_tally", "_partial", "_value", "_total", "_sum", "_warps", "_list",
    "_of_i", "_of_j", "_values", "_count", "_capacity", "_length", "_cells", "_cells_x",
    "_cells_y", "_cells_z", "_cells_w", "_digits", "_digits_x", "_digits_y", "_digits_z",
    "_digits_w", "_warps_x", "_warps_y", "_warps_z", "_warps_w", "_saved", "_cols_x", "_cols_y",
    "_cols_z", "_cols_w", "_rows_x", "_rows_y", "_rows_z", "_rows_w", "_line_x", "_line_y",
    "_line_z", "_line_w", "_part_x", "_part_y", "_part_z", "_part_w", "_fold", "_folds", "_start",
    "_part", "_queue", "_queues", "_missed", "_sum_before", "_best_before", "_offered", "_offers",
    "_row_before", "_col_before", "_bins", "_totals", "_counters", "_histogram", "_best",
    "_sorted", "_own", "_dropped", "_states", "_other", "_others", "_parts", "_block", "_stride",
];

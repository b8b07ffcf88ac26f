//! The named numbers of a text: each function declares those that it uses, on top.

use std::collections::HashSet;

use td_kernel_maps::{PART_ROWS, SLOTS, Sweep};

use super::{Constant, fold, helpers, loops, plain};
use crate::model::{Role, Text};

/// The line that a function's constants stand for.
const MARK: &str = "#include <constants>\n";

/// The text, with constants in place of their marks.
pub(super) fn declared(text: &Text<'_>, laid_out: &str) -> String {
    let constants = of(text);
    let mut parts = laid_out.split(MARK);
    let mut declared = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let code = part.lines().map(|line| line.split("//").next().unwrap_or_default());
        let words: HashSet<&str> = code.flat_map(helpers::words).collect();
        let used: Vec<_> = constants.iter().filter(|(name, ..)| words.contains(name)).collect();
        for (name, value, what) in &used {
            declared += &format!("    constexpr unsigned int {name} = {value}; // {what}\n");
        }
        // No blank line where there are none.
        declared += if used.is_empty() { part.trim_start_matches('\n') } else { part };
    }
    declared
}

/// What a text can use. Names in capitals are for these alone.
fn of(text: &Text<'_>) -> Vec<Constant> {
    let mut constants = match (text.is_loops, &text.kernel.feature) {
        (true, None) => vec![("COLUMNS", plain::columns(text.kernel), "of a block")],
        (true, Some(_)) => {
            let loops::Block { rows, columns, chunk, word } = loops::block(text.kernel);
            vec![
                ("ROWS", rows, "of a block"),
                ("COLUMNS", columns, "of a block"),
                ("CHUNK", chunk, "features at a time"),
                ("WORD", word, "features in 16 bytes"),
            ]
        }
        (false, _) => of_tiling(text),
    };
    if text.is_loops {
        constants.push(("PART", PART_ROWS, "the most rows of a part"));
    }
    constants.push(("SLOTS", SLOTS, "cells of each total"));
    constants
}

fn of_tiling(text: &Text<'_>) -> Vec<Constant> {
    let tiling = &text.variant.tiling;
    let [width, height] = tiling.threads();
    let tile = ("TILE", tiling.side, "elements on each side of a tile");
    let rows = ("ROWS", tiling.rows_of_thread(), "of a thread");
    let width = ("WIDTH", width, "threads of a block along x");
    let threads = ("THREADS", tiling.thread_count(), "of a block");
    let warps = ("WARPS", tiling.warps_of_sums(), "of a block");
    let own = match tiling.sweep {
        Sweep::Columns => {
            let columns = tiling.columns_of_warp();
            // A word has a bit for each column, and the loop over the columns is unrolled for each row.
            let window = columns.min(if tiling.rows_of_thread() > 4 { 16 } else { 32 });
            vec![rows, ("COLUMNS", columns, "of a warp"), ("WINDOW", window, "columns at a time")]
        }
        Sweep::Rotate => vec![
            rows,
            ("COLUMNS", tiling.columns_of_warp(), "of a warp"),
            ("WINDOW", tiling.window(), "columns at a time"),
        ],
        Sweep::Rows | Sweep::Mirror => vec![
            ("COLUMNS", tiling.columns, "of a thread"),
            ("VECTOR", tiling.neighbours, "columns whose values a thread stores together"),
            (
                "SECTOR",
                tiling.alignment(text.kernel.has(Role::Square)),
                "slots of a sector of memory",
            ),
            ("HEIGHT", height, "threads of a block along y"),
        ],
        Sweep::Fold | Sweep::Filter => [vec![rows], fold::constants(text)].concat(),
        _ => Vec::new(),
    };
    [vec![tile], own, vec![width, threads, warps]].concat()
}

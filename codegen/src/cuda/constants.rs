//! The named constants of a source. Each function declares the constants that it uses at its top.

use std::collections::HashSet;

use td_kernel_geometry::sets::RUN;
use td_kernel_geometry::sets::rows::WARP_ROWS;
use td_kernel_geometry::sets::tiles::BAND_ROWS;
use td_kernel_geometry::{PART_ROWS, SLOTS, Sweep};

use super::{Constant, fold, given_pairs, helpers, loops, near, plain, product, states};
use crate::kind::{PART_COUNTERS, counters, has_histograms, neighbours};
use crate::model::{Members, Role, SourceInput};

/// The line that marks the place of a function's constants.
const MARK: &str = "#include <constants>\n";

/// Replaces each mark by the constants that the function uses.
pub(super) fn declared(input: &SourceInput<'_>, laid_out: &str) -> String {
    let constants = of(input);
    let mut parts = laid_out.split(MARK);
    let mut declared = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let code = part.lines().map(|line| line.split("//").next().unwrap_or_default());
        let mut words: HashSet<&str> = code.flat_map(capitals).collect();
        let mut used = Vec::new();
        // Backwards, because a value may use the constants before it.
        for (name, value, what) in constants.iter().rev() {
            if words.contains(name) {
                words.extend(capitals(value));
                used.push(format!("    constexpr unsigned int {name} = {value}; // {what}\n"));
            }
        }
        declared.extend(used.iter().rev().map(String::as_str));
        // Without constants there is no blank line either.
        declared += if used.is_empty() { part.trim_start_matches('\n') } else { part };
    }
    declared
}

/// The words that may be constants.
fn capitals(code: &str) -> impl Iterator<Item = &str> {
    helpers::words(code).filter(|word| word.as_bytes().first().is_some_and(u8::is_ascii_uppercase))
}

/// The constants that a source may use, each after those in its value. Only constants have names in capitals.
fn of(input: &SourceInput<'_>) -> Vec<Constant> {
    let kernel = input.kernel;
    let mut constants = match (input.is_loops, &kernel.feature) {
        (true, None) if near::is_near(input) => near::loop_constants(kernel),
        (true, None) => {
            vec![
                ("BLOCK_COLUMNS", plain::columns(kernel).to_string(), "columns of a block"),
                ("WARP_ROWS", WARP_ROWS.to_string(), "rows for which the table has a set"),
            ]
        }
        (true, Some(_)) => {
            let loops::Block { rows, columns, panel, word } = loops::block(kernel);
            vec![
                ("BLOCK_ROWS", rows.to_string(), "rows of a block"),
                ("BLOCK_COLUMNS", columns.to_string(), "columns of a block"),
                ("PANEL_FEATURES", panel.to_string(), "features of a panel"),
                ("WORD", word.to_string(), "features in 16 bytes"),
                states::folded_columns(kernel),
                ("BAND_ROWS", BAND_ROWS.to_string(), "rows of a band, at most"),
            ]
        }
        (false, _) => tiling_constants(input),
    };
    if input.is_loops {
        constants.push(("MAX_PART_ROWS", PART_ROWS.to_string(), "maximum rows of a part"));
    }
    let nearest = kernel.parameters.iter().find(|each| each.neighbours_of().is_some());
    let count = nearest.map(neighbours);
    constants.extend(count.map(|count| ("NEAREST", count, "neighbours of an element")));
    if has_histograms(kernel) {
        let what = "counters of a histogram in shared memory; half as many of floats";
        constants.push(("BLOCK_COUNTERS", counters(input).to_string(), what));
        let what = "counters of a histogram for a part of the rows";
        constants.push(("PART_COUNTERS", PART_COUNTERS.to_string(), what));
    }
    constants.push(("RUN", RUN.to_string(), "pairs of a warp, at most"));
    let words = if kernel.form.members == Members::Many { "4" } else { "3" };
    constants.push(("CELL_WORDS", words.into(), "words of an extreme's cell"));
    constants.push(("JOIN_WARPS", "4".into(), "warps of a block that joins states"));
    constants.push(("JOIN_STATES", "128".into(), "states that a block joins, one for each thread"));
    constants.push(("BLOCK_ELEMENTS", "4".into(), "elements of a block, one for each warp"));
    constants.push((
        "TOTAL_CELLS",
        SLOTS.to_string(),
        "cells of each total, added up by a download",
    ));
    constants
}

fn tiling_constants(input: &SourceInput<'_>) -> Vec<Constant> {
    let tiling = &input.variant.tiling;
    let [width, height] = tiling.threads();
    let tile = ("TILE", tiling.side.to_string(), "elements on each side of a tile");
    let width = ("WIDTH", width.to_string(), "threads of a block along x");
    let height = ("HEIGHT", height.to_string(), "threads of a block along y");
    let threads = ("THREADS", "WIDTH * HEIGHT".into(), "threads of a block");
    let warps = ("WARPS", (tiling.thread_count() / 32).to_string(), "warps of a block");
    let rows = ("THREAD_ROWS", "TILE / 32".into(), "rows of a tile for each thread");
    let columns = ("WARP_COLUMNS", "TILE / WARPS".into(), "columns of a tile for each warp");
    if tiling.sweep == Sweep::Product {
        return [vec![tile], product::constants(input)].concat();
    }
    let own = match tiling.sweep {
        Sweep::Columns => {
            // A word has a bit for each column. The loop over the columns is unrolled for each row.
            let max = if tiling.rows_of_thread() > 4 { 16 } else { 32 };
            let window = tiling.columns_of_warp().min(max).to_string();
            vec![rows, columns, ("WINDOW", window, "columns whose pairs are appended together")]
        }
        Sweep::Rotate => {
            let window = tiling.window().to_string();
            vec![rows, columns, ("WINDOW", window, "columns that rotate around a warp together")]
        }
        Sweep::Rows | Sweep::Mirror => {
            let alignment = tiling.alignment(input.kernel.has(Role::Square)).to_string();
            let vector = tiling.neighbours.to_string();
            vec![
                ("THREAD_COLUMNS", "TILE / WIDTH".into(), "columns of a tile for each thread"),
                ("VECTOR", vector, "adjacent columns whose values a thread stores together"),
                ("ALIGNMENT", alignment, "segments of rows start at multiples of this many slots"),
            ]
        }
        Sweep::Fold | Sweep::Filter => fold::constants(input),
        Sweep::Reduce => states::constants(input),
        Sweep::Near => near::constants(input.kernel),
        Sweep::SetRows => vec![
            ("WINDOW", "8".into(), "columns that all lanes visit together"),
            ("QUEUE", "2 * WINDOW".into(), "candidates that a lane lists"),
        ],
        Sweep::Entries | Sweep::Partners => given_pairs::constants(input),
        _ => Vec::new(),
    };
    [vec![tile, width, height, threads, warps], own].concat()
}

//# The CPU source of kernels over features: loops in C++ that the compiler vectorises. Other kernels use loops.cpp.
//#
//# A call visits a part of the rows, with the columns block by block. The features of a block's columns are copied into a
//# panel, in which the same feature of neighbouring columns is contiguous; the features of rows are read in place. The folds
//# of a few rows with the block's columns stay in vector registers while the innermost loops visit the features. If there are more
//# features, they are folded panel by panel. The folds are in memory between panels, and until the pairs are evaluated.
//#
//# All trip counts around a feature are constants, so that the loop over the columns is vectorised and the loop over the
//# rows is unrolled. For the same reason each column has its own variables, to which the loop over pairs adds.
//% extends "kernel.cpp"
//% from "parts.cu" import evaluate, slot
//% import "outputs.cpp" as outputs
//% from "over.cu" import within
//% set neighbours, result, sum = outputs.neighbours, outputs.result, outputs.sum
//# Elements of many sets, and the values of their pairs, are one set after another. A call has some bands of rows, each of one set.
//% set row_origin = "own.row + " if domain.is_of_sets else ""
//% set column_origin = "own.column + " if domain.is_of_sets else ""

{% block call %}${"some bands of rows" if domain.is_of_sets else "each part of the rows"}; blocks of ${rows} x ${columns} pairs, ${panel} features of each column at a time{% endblock %}

//% block earlier

// Folds a panel for a few rows and a block's columns. It is a separate function, so that compilers keep
// the folds in vector registers.
[[gnu::noinline]] static void ${name}_panel(¶${panel_parameters})
{
#include <constants>

    ${folds|lines("@.type @_fold[BLOCK_ROWS][BLOCK_COLUMNS];")}
    for (unsigned int r = 0; r < BLOCK_ROWS; ++r) {
        for (unsigned int c = 0; c < BLOCK_COLUMNS; ++c) {~
            ${folds|lines("@_fold[r][c] = @_folds[r][c];")}
        ~}
    }
    for (unsigned int k = 0; k < count; ++k) {
        for (unsigned int r = 0; r < BLOCK_ROWS; ++r) {
            for (unsigned int c = 0; c < BLOCK_COLUMNS; ++c)
                ${name}_feature(¶${feature_arguments});
        }
    }
    for (unsigned int r = 0; r < BLOCK_ROWS; ++r) {
        for (unsigned int c = 0; c < BLOCK_COLUMNS; ++c) {~
            ${folds|lines("@_folds[r][c] = @_fold[r][c];")}
        ~}
    }
}
//% endblock

//# An index among those of all sets, as a factor.
{% macro in_set(origin, index) %}${"(" ~ origin ~ index ~ ")" if origin else index}{% endmacro %}

//# A pair: calls its function and stores its results.
//% macro pair()
${slot.begin_pair()}
${evaluate("i", "j", "@_all[" ~ row_origin ~ "i]", "@_all[" ~ column_origin ~ "j]", row_result="@_row[i - start]", column_result="@_col[c]")}
${outputs.append("i", "j")}
${slot.store_pair(("own.start + " if domain.is_of_sets else "") ~ domain.row_start("i") ~ " + j")}
//% endmacro

//# A few rows with the block's columns: folds the panel, and evaluates the pairs after the last panel.
//% macro block_of_rows()
${row_features|lines("const @.type *@_row[BLOCK_ROWS];")}
for (unsigned int r = 0; r < BLOCK_ROWS; ++r) {~
    ${row_features|lines("@_row[r] = (const @.type *)@_all + " ~ in_set(row_origin, "min(row + r, stop - 1)") ~ " * pitch + first;")}
~}
if (first == 0) {
    for (unsigned int r = 0; r < BLOCK_ROWS; ++r) {
        for (unsigned int c = 0; c < BLOCK_COLUMNS; ++c) {~
            ${folds|lines("@_folds[row - start + r][c] = @_start;")}
        ~}
    }
}
${name}_panel(¶${panel_arguments});
if (features - first > PANEL_FEATURES)
continue;
for (unsigned int r = 0; r < min(stop - row, BLOCK_ROWS); ++r) {
    const unsigned int i = row + r;
    const unsigned int width = min(${domain.columns_end("i")} - begin, BLOCK_COLUMNS);
    for (unsigned int c = 0; c < width; ++c) {
        const unsigned int j = begin + c;
        ${pair()}
    }
}
//% endmacro

//# The panels: some features of the block's columns, transposed. Reads past the last column are clamped to it.
//% macro packed_columns()
${column_features|lines("const @.type *@_col[BLOCK_COLUMNS];")}
//% if column_features
for (unsigned int c = 0; c < BLOCK_COLUMNS; ++c) {~
    ${column_features|lines("@_col[c] = (const @.type *)@_all + " ~ in_set(column_origin, "min(begin + c, " ~ ("columns" if domain.is_rectangle else "stop") ~ " - 1)") ~ " * pitch + first;")}
~}
for (unsigned int k = 0; k < count; ++k) {
    for (unsigned int c = 0; c < BLOCK_COLUMNS; ++c) {~
        ${column_features|lines("@_cols[k][c] = @_col[c][k];")}
    ~}
}
//% endif
//% endmacro

//% block pairs
//% if not domain.is_of_sets
    // The rows of this part. The first part has the last rows, which are the longest in a triangle.
    const unsigned int last = (row_end - row_begin - 1) / height;
    const unsigned int start = row_begin + (last - part) * height;
    const unsigned int stop = min(start + height, row_end);
    const unsigned int end = ${domain.last_column};
//% endif
    // The distance from one row of features to the next, in features: rows start at multiples of 16 bytes.
    const unsigned long long pitch = WORD * (unsigned long long)(features / WORD + (features % WORD > 0));
    // A panel has some features of a block's columns, and stays in the cache.
    ${column_features|lines("alignas(64) static thread_local @.type @_cols[PANEL_FEATURES][BLOCK_COLUMNS];")}
    // The start values of the folds, and the folds of the part's rows with a block's columns between panels. The last block
    // of rows may reach past the end of the part.
    ${folds|lines("const @.type @_start@.begin;\nalignas(64) static thread_local @.type @_folds[MAX_PART_ROWS + BLOCK_ROWS][BLOCK_COLUMNS];")}
{% set own_rows = [] if domain.is_of_sets else row_results %}
    ${(neighbours.begin_part() ~ outputs.begin_pair("[BLOCK_COLUMNS]") ~ own_rows|lines("@.part @_row[MAX_PART_ROWS];") ~ outputs.begin_part())|paragraph}
//% if domain.is_of_sets

    for (unsigned int band = height * part; band < height * (part + 1); ++band) {
        const td_set_tile entry = tiles[band];
        const td_set own = sets[entry.set];
        if (own.rows == 0)
            break; // after the last band of the part
//% if domain.is_rectangle
        const unsigned int columns = own.columns;
//% endif
        ${domain.set_index}
        const unsigned int start = BAND_ROWS * entry.row;
        const unsigned int stop = min(start + BAND_ROWS, own.rows);
        const unsigned int end = ${domain.last_column};
        ${row_results|lines("@.part @_row[BAND_ROWS];")}
//% endif

    for (unsigned int begin = 0; begin < end; begin += BLOCK_COLUMNS) {
        ${column_results|lines("@.part @_col[BLOCK_COLUMNS];")}
        for (unsigned int first = 0; first < features; first += PANEL_FEATURES) {
            const unsigned int count = min(features - first, PANEL_FEATURES);
            ${packed_columns()}

            for (unsigned int row = ${domain.first_row}; row < stop; row += BLOCK_ROWS) {
                ${block_of_rows()}
            }
        }
        ${within("for (unsigned int c = 0; c < min(" ~ (domain.columns if domain.is_rectangle else "stop") ~ " - begin, BLOCK_COLUMNS); ++c)", result.gather(column_results, "@_col[c]@.member@.value", column_origin ~ "begin + c", domain.columns, true))|paragraph("// Add the results of the block's columns to the results of the elements.")}
    }
    ${within("for (unsigned int i = start; i < stop; ++i)", result.gather(row_results, "@_row[i - start]@.member@.value", row_origin ~ "i", domain.rows, true))|paragraph("// Add the results of the rows to the results of the elements.")}
    ${slot.store_diagonals()}
//% if domain.is_of_sets
    }
//% endif
    ${(sum.end_columns() if sums else "")|paragraph("// Add up the sums of the columns.")}
    ${outputs.end_part()}
//% endblock

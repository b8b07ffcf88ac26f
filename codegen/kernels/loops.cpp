//# The CPU source of kernels without features: loops in C++ that the compiler vectorises. Kernels with features use feature_loops.cpp.
//#
//# A call visits a part of the rows, with the columns block by block, and the rows of each block. The innermost loop, over
//# the columns of a row, is vectorised. Code that would prevent this is outside of the loop:
//#
//# - A block's columns have their own pointer, `@_cols`. The index of `@_all[begin + c]` could wrap around at 2^32, so the
//#   compiler would read each column separately.
//# - Vectors are split first: each component of neighbouring columns is contiguous, in `@_cols_x` and so on.
//# - A pair adds to its own variables. Integers of a row are added up immediately. Floats are stored (`@_line`) and added up
//#   by a separate loop, which may reorder additions. (If the loop over the pairs were allowed to, the compiler would keep a
//#   pair's variables in memory.) Results of columns are added up in arrays (`@_cols`).
//# - Pairs that belong on a list are marked, and listed after the loop, eight marks at a time. So are pairs that may be
//#   among the nearest of their row, or of their column. They are compared with the bounds that the block's columns have
//#   before the block, and with the bound that the row has before its part of the block. A row is locked once for all of a
//#   block's pairs. With a lock for each pair, threads would wait for the row's memory, which would move between them. If
//#   nothing is marked, as in most rows of many elements, the marks are not read.
//#   For one set (`are_mutual`), blocks and parts are visited from the diagonal outwards.
//# - A square's upper half is copied from its lower half when the block is complete.
//#
//# Parts add to the results of elements block by block. The threads take turns (`td_block_lock`).
//#
//# A body's `return` is a jump to the end of its inlined function, which a compiler turns into a choice between values.
//% extends "kernel.cpp"
//% from "parts.cu" import evaluate, slot
//% import "outputs.cpp" as outputs
//% from "over.cu" import index, within
//% set result = outputs.result

{% block call %}each part of the rows; ${columns} columns at a time{% endblock %}

//# The elements of a block's columns, with vectors split into components.
//% macro columns_apart()
for (unsigned int c = 0; c < count; ++c) {~
//% for p in apart
    const ${p.type} &${p.name}_col = ${p.name}_cols[c];
//% for component in p.components
    ${p.name}_cols_${component}[c] = ${p.name}_col.${component};
//% endfor
//% endfor
~}
//% endmacro

//# A pair: reads its elements, calls its function and stores its results.
//% macro pair()
${index("j", "begin + c", uses.j)}
//% for p in column_elements
//% if p.components
const ${p.type} ${p.name}_col{${p.joined}};
//% else
const ${p.type} &${p.name}_col = ${p.name}_cols[c];
//% endif
//% endfor
${slot.begin_pair()}
${outputs.begin_pair_of_row()}
${evaluate("i", "j", "@_row", "@_col")}
${slots|lines("@_line[c] = @.value;")}
${outputs.store_pair()}
//% endmacro

//# A row of a block.
//% macro row_of_block()
const unsigned int width = min(${domain.columns_end("i")} - begin, BLOCK_COLUMNS);
${row_elements|lines("const @.type &@_row = @_all[i];")}
${row_slots|lines("@.type *const @_line = @.memory + (" ~ domain.row_start("i") ~ " + begin);")}
${squares|lines("@.type *const @_line = @.memory + ((unsigned long long)i * n + begin);")}
${outputs.begin_row()}
for (unsigned int c = 0; c < width; ++c) {
    ${pair()}
}
${outputs.end_row()}
//% endmacro

//# Adds the results of the part's rows to the results of the elements.
//% macro added_rows()
//% if rows_take_turns
for (unsigned int from = start, to; from < stop; from = to) {
    to = from + min(stop - from, BLOCK_COLUMNS - from % BLOCK_COLUMNS);
    const td_block_lock lock(from / BLOCK_COLUMNS);
    ${within("for (unsigned int i = from; i < to; ++i)", result.end_rows())}
}
//% else
${within("for (unsigned int i = start; i < stop; ++i)", result.end_rows())}
//% endif
//% endmacro

//% block pairs
//% if are_mutual
    // The rows of this part.
    const unsigned int start = row_begin + part * height;
//% else
    // The rows of this part. The first part has the last rows, which are the longest in a triangle.
    const unsigned int last = (row_end - row_begin - 1) / height;
    const unsigned int start = row_begin + (last - part) * height;
//% endif
    const unsigned int stop = min(start + height, row_end);
    const unsigned int end = ${domain.last_column};
    ${apart|lines("@.number @.apart;")|under("// The components of the elements of a block's columns.")}
    ${outputs.begin_lines()}

//% if are_mutual
    // Blocks from the diagonal outwards: adjacent elements are often near, so later pairs more often fail the bounds.
    for (unsigned int block = end / BLOCK_COLUMNS + (end % BLOCK_COLUMNS > 0); block-- > 0;) {
        const unsigned int begin = block * BLOCK_COLUMNS;
//% else
    for (unsigned int begin = 0; begin < end; begin += BLOCK_COLUMNS) {
//% endif
//% if apart or column_results or squares or are_mutual
        const unsigned int count = min(end - begin, BLOCK_COLUMNS);
//% endif
        ${column_elements|lines("const @.type *const @_cols = @_all + begin;")}
        ${columns_apart()}
        ${outputs.begin_block()}

        for (unsigned int i = ${domain.first_row}; i < stop; ++i) {
            ${row_of_block()}
        }
//% if squares

        // Copy the block's values below the diagonal to the half above it.
        for (unsigned int c = 0; c < count; ++c) {
            const unsigned int j = begin + c;
            for (unsigned int i = max(start, j + 1); i < stop; ++i) {~
                ${squares|lines("@.memory[(unsigned long long)j * n + i] = @.memory[(unsigned long long)i * n + j];")}
            ~}
        }
//% endif
//% if column_results

        // Add the results of the block's columns to the results of the elements.
//% if columns_take_turns
        const td_block_lock lock(begin / BLOCK_COLUMNS);
//% endif
        for (unsigned int c = 0; c < count; ++c) {~
            ${result.end_block()}
        ~}
//% endif
    }
    ${added_rows()|paragraph("// Add the results of the rows to the results of the elements.")}
    ${slot.store_diagonals()}
    ${outputs.end_part()}
//% endblock

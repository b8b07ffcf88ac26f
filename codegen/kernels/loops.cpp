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
//% from "parts.cu" import evaluate, values
//% from "parts.cpp" import begin_part, end_part, gathered, joins

{% block call %}each part of the rows; ${columns} columns at a time{% endblock %}

//# The elements of a block's columns, with vectors split into components.
//% macro columns_apart()
//% if apart
for (unsigned int c = 0; c < count; ++c) {
//% for p in apart
    const ${p.type} &${p.name}_col = ${p.name}_cols[c];
//% for component in p.components
    ${p.name}_cols_${component}[c] = ${p.name}_col.${component};
//% endfor
//% endfor
}
//% endif
//% endmacro

//# A pair: reads its elements, calls its function and stores its results.
//% macro pair()
//% if uses.j
const unsigned int j = begin + c;
//% endif
//% for p in column_elements
//% if p.components
const ${p.type} ${p.name}_col{{% for component in p.components %}${"" if loop.first else ", "}${p.name}_cols_${component}[c]{% endfor %}};
//% else
const ${p.type} &${p.name}_col = ${p.name}_cols[c];
//% endif
//% endfor
${values()}
//% for sum in sums
${sum.part} ${sum.name}_sum;
//% endfor
//% for result in results if result.adds
${result.part} {% if result.has_row %}${result.name}_row{% endif %}${", " if result.has_row and result.has_column else ""}{% if result.has_column %}${result.name}_col{% endif %};
//% endfor
//% for result in column_results if not result.adds
${result.part} &${result.name}_col = ${result.name}_cols[c];
//% endfor
${evaluate("i", "j", "@_row", "@_col")}
//% for slot in slots
${slot.name}_line[c] = ${slot.value};
//% endfor
//% for sum in sums
${sum.name}_line${"[c] = " if sum.is_float else " += "}${sum.name}_sum.value;
//% endfor
//% for result in row_results if result.adds
//% for plane in result.planes
${result.name}_line${plane.suffix}${"[c] = " if result.is_float else " += "}${result.name}_row${plane.member}.value;
//% endfor
//% endfor
//% for result in column_results if result.adds
//% for plane in result.planes
${result.name}_cols${plane.suffix}[c] += ${result.name}_col${plane.member}.value;
//% endfor
//% endfor
//% for list in lists
${list.name}_marks[c] = ${list.name}_pushed.value;
//% endfor
//% for list in valued_lists
//% if list.is_small
${list.name}_marks[c] = ${list.name}_pushed.is_pushed;
${list.name}_line[c] = ${list.name}_pushed.value;
//% else
if (${list.name}_pushed.is_pushed)
${list.name}_pairs.add(i, begin + c, ${list.name}_pushed.value);
//% endif
//% endfor
//% for list in nearest
${list.name}_marks[c] = ${list.name}_pushed.is_within(${list.name}_bound)${" | " ~ list.name ~ "_pushed.is_within(" ~ list.name ~ "_bounds[c]) << 1" if list.has_column else ""};
${list.name}_any |= ${list.name}_marks[c];
${list.name}_line[c] = ${list.name}_pushed.value;
//% endfor
//% endmacro

//# A row of a block.
//% macro row_of_block()
const unsigned int width = min(${domain.columns_end("i")} - begin, BLOCK_COLUMNS);
//% for p in row_elements
const ${p.type} &${p.name}_row = ${p.name}_all[i];
//% endfor
//% for slot in row_slots
${slot.type} *const ${slot.name}_line = ${slot.memory} + (${domain.row_start("i")} + begin);
//% endfor
//% for slot in squares
${slot.type} *const ${slot.name}_line = ${slot.memory} + ((unsigned long long)i * n + begin);
//% endfor
//% for sum in sums if not sum.is_float
${sum.line} ${sum.name}_line = 0;
//% endfor
//% for result in row_results if result.adds and not result.is_float
//% for plane in result.planes
${result.shared} ${result.name}_line${plane.suffix} = 0;
//% endfor
//% endfor
//% for result in row_results if not result.adds
${result.part} ${result.name}_row${"" if result.width else " = " ~ result.name ~ "_rows[i - start]"};
//% endfor
//% for list in nearest
const ${list.type} ${list.name}_bound = ${list.bound_of_cell}(${list.name}_queues.last_cell(i));
unsigned char ${list.name}_any = 0;
//% endfor
for (unsigned int c = 0; c < width; ++c) {
    ${pair()}
}
//% for list in nearest
// Insert the marked columns into the nearest of the row${", and the row into the nearest of the marked columns" if list.has_column else ""}.
if (${list.name}_any & 1)
td_insert_marked(${list.name}_queues, i, begin, ${list.name}_marks, width, ${list.name}_line);
//% if list.has_column
if (${list.name}_any & 2)
td_for_each_marked<2>(${list.name}_marks, width, [&](const unsigned int c) {
    ${list.name}_queues.put(begin + c, i, ${list.name}_line[c]);
});
//% endif
//% endfor
//% if reduced
//% for result in row_results if result.adds and result.is_float
${result.shared} {% for plane in result.planes %}${"" if loop.first else ", "}${result.name}_part${plane.suffix} = 0{% endfor %};
//% endfor
#pragma omp simd reduction(+ : ${reduced})
for (unsigned int c = 0; c < width; ++c) {~
//% for sum in sums if sum.is_float
    ${sum.name}_part += ${sum.name}_line[c];
//% endfor
//% for result in row_results if result.adds and result.is_float
//% for plane in result.planes
    ${result.name}_part${plane.suffix} += ${result.name}_line${plane.suffix}[c];
//% endfor
//% endfor
~}
//% endif
//% for sum in sums if not sum.is_float
${sum.name}_part += ${sum.name}_line;
//% endfor
//% for result in row_results if result.adds
//% for plane in result.planes
${result.name}_rows${plane.suffix}[i - start] += ${result.name}_${"part" if result.is_float else "line"}${plane.suffix};
//% endfor
//% endfor
//% for result in row_results if not result.adds
${result.name}_rows[i - start] ${"+=" if result.width else "="} ${result.name}_row;
//% endfor
//% for list in lists
${list.name}_pairs.push(${list.name}_marks, width, i, begin);
//% endfor
//% for list in valued_lists if list.is_small
${list.name}_pairs.push(${list.name}_marks, ${list.name}_line, width, i, begin);
//% endfor
//% endmacro

//# Adds the results of some of the part's rows to the results of the elements.
//% macro added_rows(from, to)
for (unsigned int i = ${from}; i < ${to}; ++i) {~
//% for result in row_results
//% if result.adds
    ${gathered(result, result.name ~ "_rows#[i - start]", "i", domain.rows, true, true)}
//% else
    ${gathered(result, result.name ~ "_rows[i - start]@" ~ result.value, "i", domain.rows, result.width, true)}
//% endif
//% endfor
~}
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
    const unsigned int end = ${"columns" if domain.is_rectangle else ("stop" if diagonal else "stop - 1")};
//% if apart
    // The components of the elements of a block's columns.
//% for p in apart
    ${p.number} {% for component in p.components %}${"" if loop.first else ", "}${p.name}_cols_${component}[BLOCK_COLUMNS]{% endfor %};
//% endfor
//% endif
//% for sum in sums if sum.is_float
    ${sum.total} ${sum.name}_line[BLOCK_COLUMNS];
//% endfor
//% for result in row_results
//% if result.adds
//% if result.is_float
    ${result.shared} {% for plane in result.planes %}${"" if loop.first else ", "}${result.name}_line${plane.suffix}[BLOCK_COLUMNS]{% endfor %};
//% endif
    ${result.wide} {% for plane in result.planes %}${"" if loop.first else ", "}${result.name}_rows${plane.suffix}[MAX_PART_ROWS]{}{% endfor %};
//% else
    ${result.wide if result.width else result.part} ${result.name}_rows[MAX_PART_ROWS];
//% endif
//% endfor
//% for list in nearest
    const ${list.queues} ${list.name}_queues{${list.name}_cells, ${list.name}_count};
    unsigned char ${list.name}_marks[BLOCK_COLUMNS + 8];
    ${list.value_type} ${list.name}_line[BLOCK_COLUMNS];
//% if list.has_column
    ${list.type} ${list.name}_bounds[BLOCK_COLUMNS];
//% endif
//% endfor
    ${begin_part()}
//% for list in lists
    unsigned char ${list.name}_marks[BLOCK_COLUMNS + 8];
//% endfor
//% for list in valued_lists if list.is_small
    unsigned char ${list.name}_marks[BLOCK_COLUMNS + 8];
    ${list.type} ${list.name}_line[BLOCK_COLUMNS];
//% endfor

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
//% for p in column_elements
        const ${p.type} *const ${p.name}_cols = ${p.name}_all + begin;
//% endfor
        ${columns_apart()}
//% for list in nearest if list.has_column
        // The bounds of the columns' nearest neighbours before the block.
        for (unsigned int c = 0; c < count; ++c)
            ${list.name}_bounds[c] = ${list.bound_of_cell}(${list.name}_queues.last_cell(begin + c));
//% endfor
//% for result in column_results
//% if result.adds
        ${result.shared} {% for plane in result.planes %}${"" if loop.first else ", "}${result.name}_cols${plane.suffix}[BLOCK_COLUMNS]{}{% endfor %};
//% else
        ${result.part} ${result.name}_cols[BLOCK_COLUMNS];
//% endif
//% endfor

        for (unsigned int i = ${"start" if domain.is_rectangle else "max(start, begin)"}; i < stop; ++i) {
            ${row_of_block()}
        }
//% if squares

        // Copy the block's values below the diagonal to the half above it.
        for (unsigned int c = 0; c < count; ++c) {
            const unsigned int j = begin + c;
            for (unsigned int i = max(start, j + 1); i < stop; ++i) {~
//% for slot in squares
                ${slot.memory}[(unsigned long long)j * n + i] = ${slot.memory}[(unsigned long long)i * n + j];
//% endfor
            ~}
        }
//% endif
//% if column_results

        // Add the results of the block's columns to the results of the elements.
//% if columns_take_turns
        const td_block_lock lock(begin / BLOCK_COLUMNS);
//% endif
        for (unsigned int c = 0; c < count; ++c) {~
//% for result in column_results
//% if result.adds
            ${gathered(result, result.name ~ "_cols#[c]", "begin + c", domain.columns, false, true)}
//% else
            ${gathered(result, result.name ~ "_cols[c]@" ~ result.value, "begin + c", domain.columns, false, true)}
//% endif
//% endfor
        ~}
//% endif
    }
//% if row_results

    // Add the results of the rows to the results of the elements.
//% if rows_take_turns
    for (unsigned int from = start, to; from < stop; from = to) {
        to = from + min(stop - from, BLOCK_COLUMNS - from % BLOCK_COLUMNS);
        const td_block_lock lock(from / BLOCK_COLUMNS);
        ${added_rows("from", "to")}
    }
//% else
    ${added_rows("start", "stop")}
//% endif
//% endif
//% if squares and not diagonal

    for (unsigned int i = start; i < stop; ++i) {~
//% for slot in squares
        ${slot.memory}[(unsigned long long)i * n + i] = ${slot.name}_diagonal;
//% endfor
    ~}
//% endif
    ${end_part()}
//% endblock

//% block others
${joins()}
//% endblock

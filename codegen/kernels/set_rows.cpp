//# The CPU source of kernels that find nearest neighbours within many sets. A call has some elements, and visits all columns of each
//# one's set, block by block. It finds the neighbours of its own elements only, so calls need no locks.
//#
//# The loop over a block's columns is vectorised: it marks the pairs that may be among the nearest, which are then inserted.
//% extends "kernel.cpp"
//% from "parts.cu" import evaluate
//% import "outputs.cpp" as outputs
//% from "over.cu" import index

{% block call %}some elements; ${columns} columns at a time{% endblock %}

//# The pairs of the element's row with the columns from one on, up to another.
//% macro columns_of_row(begin, end, i, j, row, column)
{% set near = nearest[0] %}
for (unsigned int first = ${begin}; first < ${end}; first += BLOCK_COLUMNS) {
    const unsigned int count = min(${end} - first, BLOCK_COLUMNS);
    ${column_elements|lines("const @.type *const @_cols = @_all + own.column + first;")}
    const ${near.type} bound = ${near.bound_of_cell}(${near.name}_queues.last_cell(element));
    unsigned char any = 0;
    for (unsigned int c = 0; c < count; ++c) {
        ${evaluate(i, j, row, column, is_interior=true)}
        ${near.name}_marks[c] = ${near.name}_pushed.is_within(bound);
        any |= ${near.name}_marks[c];
        ${near.name}_line[c] = ${near.name}_pushed.value;
    }
    if (any) {
        td_for_each_marked<1>(${near.name}_marks, count, [&](const unsigned int c) {
            const unsigned long long cell = ${near.name}_queues.cell_of(first + c, ${near.name}_line[c]);
            if (cell > ${near.name}_queues.last_cell(element))
                ${near.name}_queues.insert(element, cell);
        });
    }
}
//% endmacro

//% block pairs
{% set near = nearest[0] %}
    const ${near.queues} ${near.name}_queues{${near.name}_cells, nullptr};
    unsigned char ${near.name}_marks[BLOCK_COLUMNS + 8];
    ${near.value_type} ${near.name}_line[BLOCK_COLUMNS];
    // The elements of this part.
    const unsigned int start = row_begin + height * part, stop = start + min(${domain.rows} - start, height);
    const td_set *next = sets + firsts[start / WARP_ROWS] + 1;
    for (unsigned int element = start; element < stop; ++element) {
        while (element >= next->row)
            ++next;
        const td_set own = next[-1];
        ${index("row", "element - own.row", uses.i or not domain.is_rectangle)}
        ${domain.set_index}
        ${row_elements|lines("const @.type &@_row = @_all[element];")}
//% if domain.is_rectangle
        ${columns_of_row("0", "own.columns", "row", "first + c", "@_row", "@_cols[c]")}
//% else
        // The columns before the element, and those after it.
        ${columns_of_row("0", "row", "row", "first + c", "@_row", "@_cols[c]")}
        ${columns_of_row("row + 1", "own.columns", "first + c", "row", "@_cols[c]", "@_row")}
//% endif
    }
//% endblock

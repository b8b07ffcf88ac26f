//# The CPU source of kernels that find nearest neighbours within many sets, or join states of elements. A call has some elements, and
//# visits all columns of each one's set, block by block. It has the results of its own elements only, so calls need no locks.
//#
//# The loop over a block's columns is vectorised: it marks the pairs that may be among the nearest, which are then inserted.
//% extends "kernel.cpp"
//% from "parts.cu" import evaluate
//% import "outputs.cpp" as outputs
//% set neighbours = outputs.neighbours
//% from "over.cu" import index

{% block call %}some elements; ${columns} columns at a time{% endblock %}

//# The pairs of the element's row with the columns from one on, up to another.
//# Outputs of all pairs take those with `is_counted`.
//% macro columns_of_row(begin, end, i, j, row, column, row_result="@_own", column_result="@_dropped", is_counted=true)
for (unsigned int first = ${begin}; first < ${end}; first += BLOCK_COLUMNS) {
    const unsigned int count = min(${end} - first, BLOCK_COLUMNS);
    ${column_elements|lines("const @.type *const @_cols = @_all + own.column + first;")}
    ${nearest|lines("const @.type bound = @.bound_of_cell(@_queues.last_cell(element));\nunsigned char any = 0;")}
    for (unsigned int c = 0; c < count; ++c) {
        ${column_results|lines("@.part @_dropped{@_start};")}
        ${outputs.begin_pair() if is_counted else outputs.drop()}
        ${evaluate(i, j, row, column, row_result=row_result, column_result=column_result, is_interior=true)}
        ${nearest|lines("@_marks[c] = @_pushed.is_within(bound);\nany |= @_marks[c];\n@_line[c] = @_pushed.value;")}
        ${(outputs.end_pair(j, i) if is_exchanged else outputs.end_pair(i, j)) if is_counted else ""}
    }
    ${neighbours.insert_marked()}
}
//% endmacro

//% block pairs
    ${neighbours.begin_row_of_set()}
    ${outputs.begin_part()}
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
        ${results|lines("@.part @_own{@_start};")}
//% if domain.is_rectangle
        ${columns_of_row("0", "own.columns", "row", "first + c", "@_row", "@_cols[c]")}
//% else
        // The columns before the element, and those after it.
        ${columns_of_row("0", "row", "row", "first + c", "@_row", "@_cols[c]")}
        ${columns_of_row("row + 1", "own.columns", "first + c", "row", "@_cols[c]", "@_row", "@_dropped", "@_own", false)}
//% endif
        ${results|lines("@_states[element] = td_join(@_states[element], @_own.state);")}
    }
    ${outputs.end_part()}
//% endblock

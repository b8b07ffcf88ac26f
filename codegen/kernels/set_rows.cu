//# The sweep `set_rows`, for nearest neighbours and states of elements within many sets. Each lane has an element, and the lanes of a
//# warp visit the columns of their sets together. A lane has the neighbours or the state of its own element only. So warps share
//# nothing and need no rounds, but a pair within a set is evaluated twice, once for each of its elements.
//#
//# A lane lists candidates in shared memory. When a lane may have no room for those of another window of columns, all lanes insert
//# theirs: each into its registers, if neighbours are few; otherwise the warp merges them into the cells of each element.
//#
//# Lanes of one set read the same column, which is in the L1 cache. Columns ascend, so of equal values the first ones stay.
//% extends "kernel.cu"
//% from "parts.cu" import evaluate, neighbours, outputs
//% from "over.cu" import index, unrolled, within

{% block work %}each lane an element and all columns of its set{% endblock %}
{% block blocks %}blocks of ${shape} threads{% endblock %}

//# The neighbours are declared below, and nothing is queued or merged by another function.
//% block sums
    ${outputs.begin_block(false)}
//% endblock
//% block merge
//% endblock

//% block indices
    ${index("row", "element - own.row", uses.i or not domain.is_rectangle)}
    ${domain.set_index}
//% endblock

//% block stage

    // The lane's element. Lanes past the last row have that of the last row, and store nothing.
    ${row_elements|lines("const @.type @_own = @_all[element];")}
    ${neighbours.begin_lane()}
    ${results|lines("@.part @_own{@_start};")}
//% endblock

//% block pairs

#pragma unroll 1
    for (unsigned int first = 0; __any_sync(0xffffffff, first < own.columns); first += WINDOW) {
        ${nearest|lines("const @.type limit = @.bound_of_cell(neighbours.last());")}
        ${column_elements|lines("const @.type *const @_cols = @_all + (own.column + first);")}
//% if domain.is_rectangle
        if (__all_sync(0xffffffff, first + WINDOW <= own.columns)) {
            ${window(of_row())}
        } else {
#pragma unroll 1
            for (unsigned int c = 0; first + c < min(first + WINDOW, own.columns); ++c) {
                ${of_row()}
            }
        }
//% else
        if (__all_sync(0xffffffff, first + WINDOW <= row)) {
            // The columns are before all rows of the warp.
            ${window(of_row())}
        } else if (__all_sync(0xffffffff, first > row && first + WINDOW <= own.columns)) {
            // They are after all rows.
            ${window(of_column())}
        } else {
#pragma unroll 1
            for (unsigned int c = 0; first + c < min(first + WINDOW, own.columns); ++c) {
                if (first + c < row) {
                    ${of_row()}
                } else if (first + c > row) {
                    ${of_column()}
                }
            }
        }
//% endif
        ${nearest|lines("neighbours.make_room<WINDOW>();")}
    }
    ${neighbours.end_lane()}
    ${within("if (begin + threadIdx.x < " ~ domain.rows ~ ")", results|lines("@_states[element] = td_join(@_states[element], @_own.state);"))}
//% endblock

//# The columns of a window, in which each lane has the same pairs.
//% macro window(pair)
#pragma unroll ${unrolled("WINDOW")}
for (unsigned int c = 0; c < WINDOW; ++c) {
    ${pair}
}
//% endmacro

//# A pair whose i, or row, is the lane's element; and one whose j it is.
//% macro of_row()
${own_pair() if not has_outputs_of_all else within("if (begin + threadIdx.x < " ~ domain.rows ~ ")", own_pair())}
//% endmacro
//% macro of_column()
${dropped()}
${outputs.drop()}
${evaluate("first + c", "row", "@_cols[c]", "@_own", row_result="@_dropped", column_result="@_own", is_interior=true)}
${neighbours.candidate()}
//% endmacro

//# A pair whose i, or row, is the lane's element. Lanes past the last row would count it again.
//% macro own_pair()
${dropped()}
${evaluate("row", "first + c", "@_own", "@_cols[c]", row_result="@_own", column_result="@_dropped", is_interior=true)}
${neighbours.candidate()}
${outputs.append("row", "first + c")}
//% endmacro

//# The states of a pair's other element.
//% macro dropped()
${column_results|lines("@.part @_dropped{@_start};")}
//% endmacro

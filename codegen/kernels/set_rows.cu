//# The sweep `set_rows`, for nearest neighbours within many sets. Each lane has an element, and the lanes of a warp visit the columns
//# of their sets together. A lane finds the neighbours of its own element only. So warps share nothing and need no rounds, but a
//# pair within a set is evaluated twice, once for each of its elements.
//#
//# A lane lists candidates in shared memory. When a lane may have no room for those of another window of columns, all lanes insert
//# theirs: each into its registers, if neighbours are few; otherwise the warp merges them into the cells of each element.
//#
//# Lanes of one set read the same column, which is in the L1 cache. Columns ascend, so of equal values the first ones stay.
//% extends "kernel.cu"
//% from "parts.cu" import evaluate, neighbours, outputs
//% from "over.cu" import index, unrolled

{% block work %}each lane an element and all columns of its set{% endblock %}
{% block blocks %}blocks of ${shape} threads{% endblock %}

//# The neighbours are declared below, and nothing is queued or merged by another function.
//% block sums
//% endblock
//% block merge
//% endblock

//% block indices
    ${index("row", "element - own.row", uses.i or not domain.is_rectangle)}
    ${domain.set_index}
//% endblock

//% block stage
{% set near = nearest[0] %}

    // The lane's element. Lanes past the last row do the same as that of the last row.
    ${row_elements|lines("const @.type @_own = @_all[element];")}
    // The lane's nearest so far. A pair is a candidate if its value is at most the K-th one.
    __shared__ unsigned long long queue[WARPS][TILE][QUEUE + 1];
{% set shared = "__shared__ unsigned long long merged[WARPS][" ~ near.places ~ "];\n" ~ merged("td_merge<NEAREST>(cells, queued, count, merged[threadIdx.y])") %}
    ${neighbours.by_number(own(), merged("td_merge_lanes<NEAREST>(cells, queued, count)"), shared)}
//% endblock

//% block pairs
{% set near = nearest[0] %}

#pragma unroll 1
    for (unsigned int first = 0; __any_sync(0xffffffff, first < own.columns); first += WINDOW) {
        const ${near.type} limit = ${near.bound_of_cell}(neighbours.last());
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
        neighbours.make_room<WINDOW>();
    }
    neighbours.merge();
    ${neighbours.by_number("neighbours.store();", "", "")}
//% endblock

//# Neighbours in a lane's registers.
//% macro own()
td_lane_neighbours<NEAREST, QUEUE> neighbours{${nearest[0].name}_cells, element, queue[threadIdx.y]};
//% endmacro

//# Neighbours in memory, and a statement that merges candidates into them.
//% macro merged(merge)
const auto merge = [&](unsigned long long *const cells, const unsigned long long *const queued, const unsigned int count) {
    ${merge};
};
td_queued_neighbours<NEAREST, QUEUE, decltype(merge)> neighbours{${nearest[0].name}_cells, element, queue[threadIdx.y], merge};
//% endmacro

//# The columns of a window, in which each lane has the same pairs.
//% macro window(pair)
#pragma unroll ${unrolled("WINDOW")}
for (unsigned int c = 0; c < WINDOW; ++c) {
    ${pair}
}
//% endmacro

//# A pair whose i, or row, is the lane's element; and one whose j it is.
//% macro of_row()
${evaluate("row", "first + c", "@_own", "@_cols[c]", is_interior=true)}
${candidate()}
//% endmacro
//% macro of_column()
${evaluate("first + c", "row", "@_cols[c]", "@_own", is_interior=true)}
${candidate()}
//% endmacro

//% macro candidate()
{% set near = nearest[0] %}
if (${near.name}_pushed.is_within(limit))
    neighbours.add((unsigned long long)~${near.order}::rank(${near.name}_pushed.value) << 32 | ~(first + c));
//% endmacro

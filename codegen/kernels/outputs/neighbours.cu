//# The nearest neighbours of elements: pairs that may be among them go to queues, which are merged between rounds.

//% macro begin_block()
${nearest|lines("const @.queues @_queues{¶@_cells,¶@_queue,¶@_count,¶@_capacity,¶@_missed};")}
//% endmacro

//% macro begin_pair()
${nearest|lines("@.pushed @_pushed;")}
//% endmacro

//# Queues the pushed value, in every sweep, if it is within the bounds, which are staged like elements. The CPU source of
//# kernels without features and the sweep `near` do so themselves.
//% macro take(i, j, row, column, kept_row, kept_column, flag, bit, is_quick)
//% for near in nearest|without("is_marked")
{%- set bounds = (kept_row if kept_row and near.is_kept else row)|of(near) -%}
{%- set of_column = (kept_column if kept_column and near.is_kept else column)|of(near) -%}
{%- set bounds = bounds ~ ", " ~ of_column if near.has_column else bounds -%}
{%- set is_for_queue = ("!is_exact && " if is_quick else "") ~ near.name ~ "_pushed." ~ ("is_number()" if near.is_in_loops else "is_within(" ~ bounds ~ ")") -%}
//% if flag
${flag} |= ${"(unsigned int)" ~ is_for_queue ~ " << " ~ bit if bit else is_for_queue};
//% else
if (${is_for_queue})
${near.name}_queues.${near.put}(¶${i},¶${j},¶${near.name}_pushed.value);
//% endif
//% endfor
//% endmacro

//# The values of a column's pairs, one for each row of the thread.
//% macro begin_column()
${nearest|lines("@.pushed @_pushes[THREAD_ROWS];")}
//% endmacro

//% macro mark()
${nearest|lines("@_pushes[r] = @_pushed;")}
//% endmacro

//% macro take_marked(i, j)
//% for list in nearest
if (${list.name}_pushes[r].is_within(${("@_row[r]" ~ list.and_column)|of(list)}))
${list.name}_queues.${list.put}(¶${i},¶${j},¶${list.name}_pushes[r].value);
//% endfor
//% endmacro

//# What is done by the number of neighbours: few are in a lane's registers, some are merged by the lanes of a warp, and more in shared
//# memory.
//% macro by_number(own, lanes, shared)
//% set near = nearest[0]
//% if near.is_at_run_time
#if TD_NEAREST <= 16
${own}
${(lanes ~ "\n")|under("#else" if lanes == shared else "#elif TD_NEAREST <= 32")}
${("" if lanes == shared else shared)|under("#else")}
#endif
//% else
${own if near.is_own else shared if near.room > 32 else lanes}
//% endif
//% endmacro

//# Of a lane's element. A pair is a candidate if its value is at most the K-th one so far.
//% macro begin_lane()
//% for near in nearest
// The lane's nearest so far. A pair is a candidate if its value is at most the K-th one.
__shared__ unsigned long long queue[WARPS][TILE][QUEUE + 1];
{% set shared = "__shared__ unsigned long long merged[WARPS][" ~ near.places ~ "];\n" ~ merged(near, "td_merge<NEAREST>(cells, queued, count, merged[threadIdx.y])") %}
{% set own = "td_lane_neighbours<NEAREST, QUEUE> neighbours{" ~ near.name ~ "_cells, element, queue[threadIdx.y]};" %}
${by_number(own, merged(near, "td_merge_lanes<NEAREST>(cells, queued, count)"), shared)}
//% endfor
//% endmacro

//# Neighbours in memory, and a statement that merges candidates into them.
//% macro merged(near, merge)
const auto merge = [&](unsigned long long *const cells, const unsigned long long *const queued, const unsigned int count) {
    ${merge};
};
td_queued_neighbours<NEAREST, QUEUE, decltype(merge)> neighbours{${near.name}_cells, element, queue[threadIdx.y], merge};
//% endmacro

//% macro candidate()
//% for near in nearest
if (${near.name}_pushed.is_within(limit))
    neighbours.add((unsigned long long)~${near.order}::rank(${near.name}_pushed.value) << 32 | ~(first + c));
//% endfor
//% endmacro

//% macro end_lane()
//% for near in nearest
neighbours.merge();
${by_number("if (begin + threadIdx.x < " ~ domain.rows ~ ")\nneighbours.store();", "", "")}
//% endfor
//% endmacro

//# Between rounds.
//% macro merges()
//% for list in nearest

// Between rounds: a warp merges the queue of an element into its nearest neighbours and empties it. Queues from another device
// do not have counts.
extern "C" __global__ void __launch_bounds__(128, 1)
${name}_merge(¶const unsigned int elements,¶${list.type} *const ${list.name}_all,¶unsigned long long *const ${list.name}_cells,¶const unsigned long long *const ${list.name}_queue,¶unsigned int *const ${list.name}_count,¶const unsigned int ${list.name}_capacity)
{
#include <constants>

//% if list.is_at_run_time
#if TD_NEAREST > 32
    __shared__ unsigned long long list[BLOCK_ELEMENTS][${list.places}];
#endif
//% elif list.room > 32
    __shared__ unsigned long long list[BLOCK_ELEMENTS][${list.places}];
//% endif
    const unsigned int element = BLOCK_ELEMENTS * blockIdx.x + threadIdx.y;
    if (element >= elements)
        return;
    unsigned long long *const cells = ${list.name}_cells + (unsigned long long)element * NEAREST;
    const unsigned long long *const queue = ${list.name}_queue + (unsigned long long)element * ${list.name}_capacity;
    const unsigned int count = ${list.name}_count ? min(${list.name}_count[element], ${list.name}_capacity) : ${list.name}_capacity;
    if (count > 0)
//% if list.is_at_run_time
#if TD_NEAREST > 32
        td_merge<NEAREST>(cells, queue, count, list[threadIdx.y]);
#else
        td_merge_lanes<NEAREST>(cells, queue, count);
#endif
//% elif list.room > 32
        td_merge<NEAREST>(cells, queue, count, list[threadIdx.y]);
//% else
        td_merge_lanes<NEAREST>(cells, queue, count);
//% endif
    __syncwarp();
    if (threadIdx.x == 0) {
        ${list.name}_all[element] = ${list.bound_of_cell}(cells[NEAREST - 1]);
        if (${list.name}_count)
            ${list.name}_count[element] = 0;
    }
}
//% endfor
//% endmacro

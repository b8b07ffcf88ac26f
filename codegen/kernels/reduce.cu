//# The sweep `reduce`, for states that a function of the prelude joins. Each thread has the element and the state of a row, and
//# the warps of a block share the columns, a window of TILE at a time. A block has all pairs of its elements, so states are
//# joined without atomics, in the same order in every run.
//#
//# In a triangle each pair is evaluated twice, once for each of its elements. The state that it joins to the other element is
//# dropped, and the compiler removes code that only computes dropped values.
//% extends "kernel.cu"
//% from "parts.cu" import append, evaluate

//# In a rectangle each pair is evaluated once, so there may be outputs of all pairs.
//% set has_outputs_of_all = sums or extremes or has_lists or states_of_all

//# Staged elements, or those that do not fit shared memory.
//% set column = "@_cols[threadIdx.y][c]" if is_staged else "@_all[begin + c]"

{% block work %}a row for each lane, and a share of the columns for each warp{% endblock %}

//% block indices

    const unsigned int row = tile_i * TILE + threadIdx.x;
//% endblock

//% block stage
//% if row_elements

    // Each thread keeps the element of its row. Reads past the last element are clamped to it.
//% for p in row_elements
    const ${p.type} ${p.name}_own = ${p.name}_all[min(row, ${domain.rows} - 1)];
//% endfor
//% endif
//% endblock

//% block pairs

//% for result in results
    ${result.part} ${result.name}_own{${result.name}_start};
//% endfor
//% if is_staged
//% for p in column_elements
    __shared__ ${p.type} ${p.name}_cols[WARPS][TILE];
//% endfor
//% endif
#pragma unroll 1
    for (unsigned int begin = TILE * threadIdx.y; begin < ${domain.columns_stop}; begin += TILE * WARPS) {
        const unsigned int stop = min(${domain.columns_stop} - begin, TILE);
//% if is_staged
        // Stage the window's elements, once all lanes have visited the one before it.
        __syncwarp();
        if (threadIdx.x < stop) {~
//% for p in column_elements
            ${p.name}_cols[threadIdx.y][threadIdx.x] = ${p.name}_all[begin + threadIdx.x];
//% endfor
        ~}
        __syncwarp();
//% endif
//% if has_outputs_of_all
        if (${domain.has_row("row")}) {
            ${columns("0", of_row())}
        }
//% elif domain.is_rectangle
        ${columns("0", of_row())}
//% else
        if (begin < tile_i * TILE) {
            // Below the diagonal: the thread's element is the pair's i.
            if (${domain.has_row("row")}) {
                ${columns("0", of_row())}
            }
        } else if (begin > tile_i * TILE) {
            // Above the diagonal: it is the pair's j.
            ${columns("max(begin, " ~ domain.first ~ ") - begin", of_column())}
        } else {
#pragma unroll 1
            for (unsigned int c = 0; c < stop; ++c) {
                const unsigned int col = begin + c;
                if (${domain.has("row", "col", diagonal)}) {
                    ${of_row()}
                } else if (${domain.has("col", "row", false)}) {
                    ${of_column()}
                }
            }
        }
//% endif
    }
//% endblock

//# The pairs of a window's columns.
//% macro columns(first, pair)
#pragma unroll ${4 if is_short else 1}
for (unsigned int c = ${first}; c < stop; ++c) {
    ${pair}
}
//% endmacro

//# A pair whose i, or row, is the thread's element.
//% macro of_row()
${dropped()}
${evaluate("row", "begin + c", "@_own", column, row_result="@_own", column_result="@_dropped", is_interior=true)}
${append("row", "begin + c")}
//% endmacro

//# A pair whose j is the thread's element.
//% macro of_column()
${dropped()}
${evaluate("begin + c", "row", column, "@_own", row_result="@_dropped", column_result="@_own", is_interior=true)}
//% endmacro

//# The states of a pair's other element.
//% macro dropped()
//% for result in column_results
${result.part} ${result.name}_dropped{${result.name}_start};
//% endfor
//% endmacro

//% block joins
${super()}
//% for result in results

// With several devices, after the launches: joins the states of another device.
extern "C" __global__ void __launch_bounds__(128, 1)
${name}_join_${result.name}(¶const unsigned int count,¶const ${result.type} *const ${result.name}_parts,¶${result.type} *const ${result.name}_states)
{
#include <constants>

    const unsigned int row = JOIN_STATES * blockIdx.x + 32 * threadIdx.y + threadIdx.x;
    if (row < count)
        ${result.name}_states[row] = td_join(${result.name}_states[row], ${result.name}_parts[row]);
}
//% endfor
//% endblock

//% block flush

    // Join the warps' states of each row, one warp after another.
//% for result in results
    __shared__ ${result.type} ${result.name}_warps[TILE];
//% endfor
#pragma unroll 1
    for (unsigned int warp = 1; warp < WARPS; ++warp) {
        if (threadIdx.y == warp) {~
//% for result in results
            ${result.name}_warps[threadIdx.x] = ${result.name}_own.state;
//% endfor
        ~}
        __syncthreads();
        if (threadIdx.y == 0) {~
//% for result in results
            ${result.name}_own.join(${result.name}_warps[threadIdx.x]);
//% endfor
        ~}
        __syncthreads();
    }
    if (threadIdx.y == 0 && ${domain.has_row("row") if domain.is_rectangle else "row < " ~ domain.end}) {~
//% for result in results
        ${result.name}_states[row] = td_join(${result.name}_states[row], ${result.name}_own.state);
//% endfor
    ~}
    ${super()}
//% endblock

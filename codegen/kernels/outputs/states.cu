//# The state of all pairs: each thread joins its pairs' values, and another kernel joins the states of the blocks. States of elements
//# are results, whose owners join them.
//% from "over.cu" import within

//% macro begin_block()
${states_of_all|lines("@.part @_own{@_start};")}
//% endmacro

//# Of pairs whose part of it is dropped.
//% macro drop()
${states_of_all|lines("@.part @_own{@_start};")}
//% endmacro

//% macro end_block()
//% if joins_by_warp
${join_warps()|paragraph("// Join the states of the warp's threads. Another kernel joins those of all warps.")}
//% else
${join_block()|paragraph("// Join the states of the block's threads. Another kernel joins those of the blocks.")}
//% endif
//% endmacro

//% macro join_block()
//% for result in states_of_all
__shared__ ${result.type} ${result.name}_warps[WARPS];
const ${result.type} ${result.name}_block = td_join_block(${result.name}_own.state, ${result.name}_warps);
//% endfor
${within("if (threadIdx.y == 0 && threadIdx.x == 0)", states_of_all|lines("@_parts[blockIdx.y * gridDim.x + blockIdx.x] = @_block;"))}
//% endmacro

//# Surplus warps have returned, so the others do not wait for them.
//% macro join_warps()
${states_of_all|lines("const @.type @_warp = td_join_warp(@_own.state);")}
${within("if (threadIdx.x == 0)", states_of_all|lines("@_parts[(blockIdx.y * gridDim.x + blockIdx.x) * WARPS + threadIdx.y] = @_warp;"))}
//% endmacro

//% macro joins()
//% for result in states_of_all

// After the kernel: joins the states of its ${"warps" if joins_by_warp else "blocks"} to the total, in their order, and resets them.
extern "C" __global__ void __launch_bounds__(128, 1)
${name}_join_${result.name}(¶const unsigned int count,¶${result.type} *const ${result.name}_parts,¶${result.type} *const ${result.name}_total,¶const ${result.type} ${result.name}_start)
{
#include <constants>

    // Each thread has some neighbouring states.
    const unsigned int thread = 32 * threadIdx.y + threadIdx.x;
    const unsigned int run = count / JOIN_STATES + 1;
    ${result.type} state = ${result.name}_start;
#pragma unroll 1
    for (unsigned int k = run * thread; k < min(run * (thread + 1), count); ++k) {
        state = td_join(state, ${result.name}_parts[k]);
        ${result.name}_parts[k] = ${result.name}_start;
    }
    __shared__ ${result.type} ${result.name}_warps[JOIN_WARPS];
    state = td_join_block(state, ${result.name}_warps);
    if (thread == 0)
        *${result.name}_total = td_join(*${result.name}_total, state);
}
//% endfor
//% for result in states_of_elements

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
//% endmacro

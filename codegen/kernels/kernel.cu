//# The parts of every kernel around a sweep, in the order of the source. A sweep fills the blocks.
//# `¶` is a possible line break. A line that would be too long is broken at all of them.
//# Braces written `{~` and `~}` are removed around a single line. If there is nothing between them, the loop or condition
//# before them is removed too.
// ${name}: ${domain.pairs}${domain.which}, {% block work %}{% endblock %}.
// Map ${map.name}: ${map.summary}${map.units}${map.root}; {% block blocks %}tiles of ${side} x ${side} elements, blocks of ${shape} threads{% endblock %}.
//# The products that a compiler fuses with additions depend on the loops around a pair, which depend on the tile, n and the
//# half of a square. Without fusing, a pair has the same bits wherever it is computed.
//% for option in nvrtc_options
// NVRTC option: ${option}
//% endfor
#include <helpers>
//% include "prelude.cu"

//% if feature_parameters
static __device__ __forceinline__ void ${name}_feature(¶${feature_parameters})
{
#include <feature>
}

//% endif
//# A source that lists pairs does not run the body.
//% if not is_list
//% if is_large
// Not inlined: its loops would be unrolled again for each pair of a thread.
static __device__ __noinline__ void ${name}_pair(¶${pair_parameters})
//% else
static __device__ __forceinline__ void ${name}_pair(¶${pair_parameters})
//% endif
{
#include <body>
}
//% endif
    ${self.earlier()}

{% block bounds %}
//% if blocks > 1
// At least ${"three" if blocks == 3 else "two"} blocks per multiprocessor on sm_80 to sm_90, which have enough registers. One on other GPUs.
//% else
// The 1 lets a block use all registers. Without it, the compiler may spill registers to make room for more blocks.
//% endif
extern "C" __global__ void __launch_bounds__(${threads}, ${"__CUDA_ARCH__ >= 800 && __CUDA_ARCH__ <= 900 ? " ~ blocks ~ " : 1" if blocks > 1 else blocks})
{% endblock %}
${name}_kernel(¶${parameters})
{
#include <constants>

//% if map.walks
//# The blocks are rendered here into values, which lose the blank lines at their ends.
{% set sums_of_block %}${self.sums()}{% endset %}
{% set pairs_of_block %}${self.pairs()}{% endset %}
    ${sums_of_block}
    ${self.kept()}

    ${map.open}
    ${self.indices()}
    ${self.stage()}
    ${pairs_of_block}
//% if shares_memory
    __syncthreads();
//% endif

    ${map.close}
//% else
    ${map.open}
    ${self.indices()}
    ${self.stage()}
    ${self.sums()}
    ${self.pairs()}
//% endif
    ${self.flush()}
}
{% block merge %}
//% for list in nearest

// Between rounds: a warp merges the queue of an element into its nearest neighbours and empties it. Queues from another device
// do not have counts.
extern "C" __global__ void __launch_bounds__(128, 1)
${name}_merge(¶const unsigned int elements,¶${list.type} *const ${list.name}_all,¶unsigned long long *const ${list.name}_cells,¶const unsigned long long *const ${list.name}_queue,¶unsigned int *const ${list.name}_count,¶const unsigned int ${list.name}_capacity)
{
#include <constants>

//% if list.is_at_run_time
#if TD_NEAREST > 32
    __shared__ unsigned long long list[BLOCK_ELEMENTS][NEAREST];
#endif
//% elif list.room > 32
    __shared__ unsigned long long list[BLOCK_ELEMENTS][${list.room}];
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
{% endblock %}
    ${self.others()}
{% block joins %}
//% for result in states_of_all

// After the kernel: joins the states of its blocks to the total, in their order, and resets them.
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
{% endblock %}

//# The blocks that a sweep fills, or leaves empty.
//% if false
//# The function that runs before the pair function: of a lower bound, or of the body `quick`.
{% block earlier %}{% endblock %}
//# Other kernels, which run before this one or between its rounds.
{% block others %}{% endblock %}
//# The indices of a thread's pairs.
{% block indices %}{% endblock %}
//# The variables that a thread keeps from tile to tile if a block walks along a row.
{% block kept %}{% endblock %}
//# Copies the block's elements to shared memory.
{% block stage %}{% endblock %}
//# Calls the pair function for the pairs that pass the filter, and stores their values.
{% block pairs %}{% endblock %}

//# The sums that each thread adds to, and the lists. Threads without a pair have them too, because all threads of a
//# block take part in the reduction.
//% block sums
//% if block_sums or has_lists

//% for sum in block_sums
    ${sum.part} ${sum.name}_sum;
//% endfor
//% for list in lists
    const td_pair_list ${list.name}_pairs{${list.name}_list, ${list.name}_count, ${list.name}_capacity};
//% endfor
//% for list in nearest
    const ${list.queues} ${list.name}_queues{¶${list.name}_cells,¶${list.name}_queue,¶${list.name}_count,¶${list.name}_capacity,¶${list.name}_missed};
//% endfor
//% for list in valued_lists
    const td_valued_pair_list<${list.type}> ${list.name}_pairs{¶${list.name}_of_i,¶${list.name}_of_j,¶${list.name}_values,¶${list.name}_count,¶${list.name}_capacity};
//% endfor
//% endif
//% if extremes or pair_sums

//% if extremes
    // Each extreme starts with what earlier blocks have kept in one of its cells. Blocks at the same time rarely use the same cell.
//% else
    // Each pair adds to one cell of a total. Blocks at the same time rarely use the same cell.
//% endif
    const unsigned int cell = (blockIdx.y * gridDim.x + blockIdx.x) % TOTAL_CELLS;
//% for extreme in extremes
    ${extreme.best} ${extreme.name}_best(${extreme.name}_cells + CELL_WORDS * cell);
//% endfor
//% endif
//% if states_of_all

//% for result in states_of_all
    ${result.part} ${result.name}_own{${result.name}_start};
//% endfor
//% endif
//% if histograms

//% for histogram in histograms
//% if histogram.exact
    const ${histogram.bins} ${histogram.name}_histogram{¶{${histogram.name}_bins},¶${histogram.name}_digits};
//% elif histogram.is_in_block
    // The block's counters, of each bin and of the pairs outside of all bins.
    __shared__ ${histogram.counter} ${histogram.name}_counters[${histogram.counters}];
    const ${histogram.bins} ${histogram.name}_histogram(¶${histogram.name}_bins,¶${histogram.name}_bins < ${histogram.counters},¶${histogram.name}_counters,¶${histogram.name}_totals);
    ${histogram.name}_histogram.clear();
//% else
    const ${histogram.bins} ${histogram.name}_histogram(¶${histogram.name}_bins,¶false,¶nullptr,¶${histogram.name}_totals);
//% endif
//% endfor
//% if block_histograms
    __syncthreads();
//% endif
//% endif
//% endblock

//# The epilogue adds the block's sums to the totals. (Before it, a sweep may add the counts and partial sums of a tile to
//# the thread's sums.)
//% block flush
//% if block_sums or extremes

//% if block_sums
    // Add each sum to one cell of its total. Blocks that end at the same time rarely add to the same cell.
//% if not extremes and not pair_sums
    const unsigned int cell = (blockIdx.y * gridDim.x + blockIdx.x) % TOTAL_CELLS;
//% endif
//% endif
//% for sum in block_sums
//% if sum.is_of_pairs
    td_add_exact_double<true>(${sum.name}_digits, TOTAL_CELLS, cell, ${sum.result});
//% elif sum.exact
    if (const double total = td_warp_total(${sum.result}); ${"threadIdx.x" if adds_by_warp else "(threadIdx.y * WIDTH + threadIdx.x) % 32"} == 0)
        td_add_exact_double<true>(${sum.name}_digits, TOTAL_CELLS, cell, total);
//% elif adds_by_warp
    td_add_warp(${sum.result}, ${sum.name}_total + cell);
//% else
    __shared__ ${sum.total} ${sum.name}_warps[WARPS];
    td_add_block(${sum.result}, ${sum.name}_warps, ${sum.name}_total + cell);
//% endif
//% endfor
//% if extremes
    // Keep each extreme in its cell.
//% endif
//% for extreme in extremes
    td_keep_extreme_of_warp${extreme.in_sets}(${extreme.name}_best, ${extreme.name}_cells + CELL_WORDS * cell);
//% endfor
//% endif
//% if block_histograms

    __syncthreads();
//% for histogram in block_histograms
    ${histogram.name}_histogram.flush();
//% endfor
//% endif
//% if states_of_all

    // Join the states of the block's threads. Another kernel joins those of the blocks.
//% for result in states_of_all
    __shared__ ${result.type} ${result.name}_warps[WARPS];
    const ${result.type} ${result.name}_block = td_join_block(${result.name}_own.state, ${result.name}_warps);
//% endfor
    if (threadIdx.y == 0 && threadIdx.x == 0) {~
//% for result in states_of_all
        ${result.name}_parts[blockIdx.y * gridDim.x + blockIdx.x] = ${result.name}_block;
//% endfor
    ~}
//% endif
//% endblock
//% endif

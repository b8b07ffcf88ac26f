//# The parts of every kernel around a sweep, in the order of the source. A sweep fills the blocks, and imports `outputs`, which are
//# read here too.
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
// At least ${["no", "one", "two", "three"][blocks]} blocks per multiprocessor on sm_80 to sm_90, which have enough registers. One on other GPUs.
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
${outputs.merges()}
{% endblock %}
    ${self.others()}
{% block joins %}
${outputs.joins()}
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

//% block sums
    ${outputs.begin_block()}
//% endblock

//# The epilogue. (Before it, a sweep may add the counts and partial sums of a tile to the thread's sums.)
//% block flush
    ${outputs.end_block()}
//% endblock
//% endif

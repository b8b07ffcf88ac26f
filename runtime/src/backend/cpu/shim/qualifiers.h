// CUDA's qualifiers and attributes.
#ifndef TD_CPU_QUALIFIERS_H
#define TD_CPU_QUALIFIERS_H

// A source can have several kernels, but a library is for one. The compiler drops inline functions that nothing calls, which
// more than halves the time for a source with several.
#define __global__ inline
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __maxnreg__(...)

// One block runs on one operating system thread at a time, from its first instruction to its last, and its threads are fibers
// that never leave it. So a thread-local variable is a variable of the block. (The compiler's options make it hidden: otherwise
// two libraries whose kernels have the same name would share it.)
#define __shared__ static thread_local

#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __attribute__((aligned(bytes)))

#if !defined(__clang__)
#define __builtin_assume(condition) ((void)0)
#endif

#endif

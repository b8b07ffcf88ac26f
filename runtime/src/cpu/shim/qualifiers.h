// CUDA's qualifiers and attributes.
#ifndef TD_CPU_QUALIFIERS_H
#define TD_CPU_QUALIFIERS_H

// A text has one or several kernels, of which a library has one: the compiler leaves out functions that are inline and not
// called, which takes it less than half of the time.
#define __global__ inline
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __maxnreg__(...)

// One block runs on one operating system thread at a time, from its first instruction to
// its last, and its threads are fibers that never leave it. So a variable of that
// operating system thread is a variable of the block.
#define __shared__ static thread_local

#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __attribute__((aligned(bytes)))

#if !defined(__clang__)
#define __builtin_assume(condition) ((void)0)
#endif

#endif

// CUDA's qualifiers and attributes.
#ifndef TD_CPU_QUALIFIERS_H
#define TD_CPU_QUALIFIERS_H

// A text can have several kernels, and a library is for one of them. The compiler leaves out inline functions that nothing
// calls, and takes less than half as long for a text of several.
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
// operating system thread is a variable of the block. (Hidden, as the compiler's options have it: otherwise those of two
// libraries whose kernels have the same name would be one variable.)
#define __shared__ static thread_local

#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __attribute__((aligned(bytes)))

#if !defined(__clang__)
#define __builtin_assume(condition) ((void)0)
#endif

#endif

// The thread's index in its block, read again: an earlier one need not stay in registers until here.
static __device__ __forceinline__ uint2 td_thread_index()
{
#ifdef __CUDA_ARCH__
    uint2 index;
    asm volatile("mov.u32 %0, %%tid.x;" : "=r"(index.x));
    asm volatile("mov.u32 %0, %%tid.y;" : "=r"(index.y));
    return index;
#else
    return {threadIdx.x, threadIdx.y};
#endif
}

// The thread's place in its block, read again: of the first reading the compiler would keep a register all along.
static __device__ __forceinline__ unsigned int td_lane()
{
#ifdef __CUDA_ARCH__
    unsigned int lane;
    asm volatile("mov.u32 %0, %%tid.x;" : "=r"(lane));
    return lane;
#else
    return threadIdx.x;
#endif
}

static __device__ __forceinline__ unsigned int td_warp()
{
#ifdef __CUDA_ARCH__
    unsigned int warp;
    asm volatile("mov.u32 %0, %%tid.y;" : "=r"(warp));
    return warp;
#else
    return threadIdx.y;
#endif
}

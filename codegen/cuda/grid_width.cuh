// The number of blocks along x. It is read in each call, so that it takes no register between them.
static __device__ __forceinline__ unsigned int td_grid_width()
{
#ifdef __CUDA_ARCH__
    unsigned int width;
    asm volatile("mov.u32 %0, %%nctaid.x;" : "=r"(width));
    return width;
#else
    return gridDim.x;
#endif
}

// A number in memory, read again: of the first reading the compiler would keep a register all along.
static __device__ __forceinline__ float td_again(const float *const from)
{
#ifdef __CUDA_ARCH__
    float value;
    asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(value) : "l"(from));
    return value;
#else
    return *from;
#endif
}

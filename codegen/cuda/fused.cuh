// a * b + c, rounded once if the processor has an instruction for that.
template <typename T>
static __device__ __forceinline__ T td_fused(const T a, const T b, const T c)
{
#if defined(__CUDA_ARCH__) || defined(__FMA__) || defined(__ARM_FEATURE_FMA)
    if constexpr (sizeof(T) == 4)
        return fmaf(a, b, c);
    else
        return fma(a, b, c);
#else
    return a * b + c;
#endif
}

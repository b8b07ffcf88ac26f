// The row and the column of a pair, counted from its set's first pair. A set that is not large has fewer than 2^25 pairs, for which
// the estimate is at most one row too high and never too low.
static __device__ __forceinline__ void td_find_pair(const unsigned int pair, unsigned int &row, unsigned int &col)
{
    const float x = fmaf(2, (float)pair, 0.25f);
#ifdef __CUDA_ARCH__
    // `rsqrtf(x)` without its four instructions for numbers below 2^-126.
    float inverse;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(x));
#else
    const float inverse = rsqrtf(x);
#endif
    row = (unsigned int)fmaf(x, inverse, -0.495f);
    col = pair - row * (row + 1) / 2;
    if ((int)col < 0)
        col += row--;
}

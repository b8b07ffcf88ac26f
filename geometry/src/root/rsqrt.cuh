// The row of block lambda, with sqrt(x) = x rsqrt(x); epsilon lifts roots that land just below a whole number.
static __device__ __forceinline__ unsigned int td_row(const unsigned int lambda, const float epsilon)
{
    const float x = 0.25f + 2.0f * lambda;
    return (unsigned int)(__fmul_rn(x, rsqrtf(x)) - 0.5f + epsilon);
}

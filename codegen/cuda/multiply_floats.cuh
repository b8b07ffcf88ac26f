// The product of two rows of floats, feature by feature, and the sum of the magnitudes of its terms. For rows that tensor cores do
// not multiply: they have numbers that are not finite, or whose scale does not fit.
template <typename Feature>
static __device__ __noinline__ float2 td_multiply_floats(
    const uint4 *const row, const uint4 *const column, const unsigned int features)
{
    const Feature *const x = (const Feature *)row, *const y = (const Feature *)column;
    float2 sum = {0, 0};
#pragma unroll 1
    for (unsigned int k = 0; k < features; ++k) {
        const float a = x[k], b = y[k];
        sum.x = fmaf(a, b, sum.x);
        sum.y = fmaf(fabsf(a), fabsf(b), sum.y);
    }
    return sum;
}

// The row of block lambda, with sqrt(x) = x y: y starts as a guess at 1 / sqrt(x) from the bits of x, and
// three Newton steps improve it. epsilon lifts roots that land just below a whole number.
static __device__ __forceinline__ unsigned int td_row(const unsigned int lambda, const float epsilon)
{
    const float x = 0.25f + 2.0f * lambda;
    float y = __int_as_float(0x5f3759df - (__float_as_int(x) >> 1));
    for (int step = 0; step < 3; ++step)
        y *= fmaf(-0.5f * x * y, y, 1.5f);
    return (unsigned int)(__fmul_rn(x, y) - 0.5f + epsilon);
}

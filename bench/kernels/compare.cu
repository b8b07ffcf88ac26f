// Counts the slots of `actual` that differ from `expected`, and finds the first of them.
// `result` starts as { 0, the largest number }.

// Two orders of adding up the same squares differ by a few roundings. Written so that a NaN, which is
// what a slot that nobody wrote holds, compares as different.
static __device__ __forceinline__ bool agree(const float actual, const float expected)
{
    return fabsf(actual - expected) <= 1e-6f * fabsf(expected);
}

extern "C" __global__ void __launch_bounds__(256)
compare(const unsigned long long count, const float *__restrict__ const actual,
        const float *__restrict__ const expected, unsigned long long *const result)
{
    const unsigned long long threads = (unsigned long long)gridDim.x * blockDim.x;
    unsigned long long slot = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
    for (; slot < count; slot += threads) {
        if (!agree(actual[slot], expected[slot])) {
            atomicAdd(&result[0], 1ull);
            atomicMin(&result[1], slot);
        }
    }
}

// Compares results of every type with what they are to be, bit by bit: counts the slots that differ, and finds the first.
// `result` starts as { 0, the largest number }. A slot's value follows from the distance of two points on a line, by
// operations that no compiler can fuse, so that the bits are the same everywhere.

// Settings: BYTES of a value; SQUARE, both halves of a square, or else packed slots.

#if BYTES == 1
typedef unsigned char Value;
#elif BYTES == 2
typedef short Value;
#else
struct Value {
    float words[BYTES / 4];
};
#endif

static __device__ __forceinline__ bool differs(const Value &value, const float distance)
{
#if BYTES == 1
    return value != (distance < 0.25f);
#elif BYTES == 2
    return value != (short)(1000 * distance);
#else
    bool differs = false;
    for (unsigned int k = 0; k < BYTES / 4; ++k)
        differs |= !(value.words[k] == distance + k);
    return differs;
#endif
}

extern "C" __global__ void __launch_bounds__(256)
output_check(const unsigned int n, const float *__restrict__ const points, const Value *__restrict__ const values,
             unsigned long long *const result)
{
    const unsigned int i = blockIdx.y * 8 + threadIdx.y, j = blockIdx.x * 32 + threadIdx.x;
#if SQUARE
    const bool is_inside = i < n && j < n && i != j;
    const unsigned long long slot = (unsigned long long)i * n + j;
#else
    const bool is_inside = i < n && j < i;
    const unsigned long long slot = (unsigned long long)i * (i - 1) / 2 + j;
#endif
    if (is_inside && differs(values[slot], fabsf(points[max(i, j)] - points[min(i, j)]))) {
        atomicAdd(&result[0], 1ull);
        atomicMin(&result[1], slot);
    }
}

// The sums of several numbers over adjacent threads of a warp, in a fixed order. In each step a lane passes on half of its numbers and
// adds those that it gets to the other half, so 32 numbers take 31 shuffles. In the end each number is with one lane, which calls
// `add` with its index and its sum.
template <unsigned int threads, unsigned int count, typename T, typename Add>
static __device__ __forceinline__ void td_sums_of_lanes(T (&values)[count], const Add add)
{
    const unsigned int lane = threadIdx.x % threads;
    // The lane's numbers are those of these indices.
    unsigned int first = 0, end = count, width = count;
#pragma unroll
    for (unsigned int lanes = threads / 2; lanes > 0; lanes /= 2) {
        const bool is_upper = lane & lanes;
        const unsigned int half = (width + 1) / 2;
#pragma unroll
        for (unsigned int k = 0; k < half; ++k) {
            const T low = values[k], high = half + k < width ? values[half + k] : 0;
            values[k] = (is_upper ? high : low) + __shfl_xor_sync(0xffffffff, is_upper ? low : high, lanes);
        }
        first += is_upper ? half : 0;
        end = is_upper ? end : min(end, first + half);
        width = half;
    }
#pragma unroll
    for (unsigned int k = 0; k < width; ++k) {
        if (first + k < end)
            add(first + k, values[k]);
    }
}

// The sums of several numbers over adjacent threads of a warp, in a fixed order. In each step a lane passes on half of its numbers
// and adds those that it gets to the other half, so 32 numbers take 31 shuffles. In the end each number is with one lane, which
// calls `add` with its index and its sum. The first `width` values are the numbers from `first` to `end`.
template <unsigned int threads, unsigned int width, typename T, unsigned int count, typename Add>
static __device__ __forceinline__ void td_sums_of_lanes(
    T (&values)[count], const unsigned int first, const unsigned int end, const Add &add)
{
    constexpr unsigned int lanes = threads / 2, half = (width + 1) / 2;
    if constexpr (lanes > 0) {
        const bool is_upper = threadIdx.x & lanes;
#pragma unroll
        for (unsigned int k = 0; k < half; ++k) {
            const T low = values[k], high = half + k < width ? values[half + k] : 0;
            values[k] = (is_upper ? high : low) + __shfl_xor_sync(0xffffffff, is_upper ? low : high, lanes);
        }
        const unsigned int middle = min(first + half, end);
        td_sums_of_lanes<lanes, half>(values, is_upper ? middle : first, is_upper ? end : middle, add);
    } else {
#pragma unroll
        for (unsigned int k = 0; k < width; ++k) {
            if (first + k < end)
                add(first + k, values[k]);
        }
    }
}

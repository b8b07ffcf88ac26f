// Merges the queue of an element into its nearest K, the greatest cell first, by one warp: each lane has one of at most 32.
template <unsigned int K>
static __device__ __forceinline__ void td_merge_lanes(
    unsigned long long *const cells, const unsigned long long *const queue, const unsigned int count)
{
    const unsigned int lane = threadIdx.x, full_mask = 0xffffffff;
    unsigned long long nearest = lane < K ? cells[lane] : 0;
    for (unsigned int begin = 0; begin < count; begin += 32) {
        unsigned long long cell = begin + lane < count ? queue[begin + lane] : 0;
        // Pairs that are visited again are queued again. No cell is in a queue twice.
        unsigned int index = 0;
#pragma unroll
        for (unsigned int step = 16; step > 0; step /= 2) {
            const bool is_before = __shfl_sync(full_mask, nearest, index + step - 1) > cell;
            index += is_before ? step : 0;
        }
        const bool is_known = __shfl_sync(full_mask, nearest, index) == cell;
        cell = is_known ? 0 : cell;
        const unsigned long long last = __shfl_sync(full_mask, nearest, K - 1);
        if (!__any_sync(full_mask, cell > last))
            continue;
        // A bitonic sort, ascending by lane.
#pragma unroll
        for (unsigned int size = 2; size <= 32; size *= 2) {
#pragma unroll
            for (unsigned int step = size / 2; step > 0; step /= 2) {
                const unsigned long long other = __shfl_xor_sync(full_mask, cell, step);
                cell = ((lane & step) == 0) == ((lane & size) == 0) ? min(cell, other) : max(cell, other);
            }
        }
        // `nearest` is descending and the cells are ascending, so their pairwise maxima are bitonic: a merge step sorts them.
        nearest = max(nearest, cell);
#pragma unroll
        for (unsigned int step = 16; step > 0; step /= 2) {
            const unsigned long long other = __shfl_xor_sync(full_mask, nearest, step);
            nearest = (lane & step) == 0 ? max(nearest, other) : min(nearest, other);
        }
    }
    if (lane < K)
        cells[lane] = nearest;
}

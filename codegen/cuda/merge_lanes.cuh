// Merges the queue of an element into its nearest K, the greatest cell first, by one warp: each lane has one of at most 32.
template <unsigned int K>
static __device__ __forceinline__ void td_merge_lanes(
    unsigned long long *const cells, const unsigned long long *const queue, const unsigned int count)
{
    const unsigned int lane = threadIdx.x, all = 0xffffffff;
    unsigned long long kept = lane < K ? cells[lane] : 0;
    for (unsigned int begin = 0; begin < count; begin += 32) {
        unsigned long long cell = begin + lane < count ? queue[begin + lane] : 0;
        // Pairs that are visited again are queued again. No cell is in a queue twice.
        unsigned int place = 0;
#pragma unroll
        for (unsigned int step = 16; step > 0; step /= 2) {
            const bool is_before = __shfl_sync(all, kept, place + step - 1) > cell;
            place += is_before ? step : 0;
        }
        const bool is_kept = __shfl_sync(all, kept, place) == cell;
        cell = is_kept ? 0 : cell;
        const unsigned long long last = __shfl_sync(all, kept, K - 1);
        if (!__any_sync(all, cell > last))
            continue;
        // A bitonic sort, ascending by lane.
#pragma unroll
        for (unsigned int size = 2; size <= 32; size *= 2) {
#pragma unroll
            for (unsigned int step = size / 2; step > 0; step /= 2) {
                const unsigned long long other = __shfl_xor_sync(all, cell, step);
                cell = ((lane & step) == 0) == ((lane & size) == 0) ? min(cell, other) : max(cell, other);
            }
        }
        // `kept` is descending and the cells are ascending, so their pairwise maxima are bitonic: a merge step sorts them.
        kept = max(kept, cell);
#pragma unroll
        for (unsigned int step = 16; step > 0; step /= 2) {
            const unsigned long long other = __shfl_xor_sync(all, kept, step);
            kept = (lane & step) == 0 ? max(kept, other) : min(kept, other);
        }
    }
    if (lane < K)
        cells[lane] = kept;
}

// Merges the queue of an element into its nearest K, the greatest cell first, by one warp. `list` is shared memory of that
// warp; `room` is a power of two, at least K.
template <unsigned int K, unsigned int room>
static __device__ __forceinline__ void td_merge(
    unsigned long long *const cells,
    const unsigned long long *const queue,
    const unsigned int count,
    unsigned long long (&list)[room])
{
    const unsigned int lane = threadIdx.x;
    unsigned long long kept[room / 32], fresh[room / 32];
#pragma unroll
    for (unsigned int k = 0; k < room / 32; ++k) {
        const unsigned int place = room / 32 * lane + k;
        kept[k] = place < K ? cells[place] : 0;
        list[place] = kept[k];
    }
    __syncwarp();
    for (unsigned int begin = 0; begin < count; begin += room) {
        // Pairs that are visited again are queued again. No cell is in a queue twice.
#pragma unroll
        for (unsigned int k = 0; k < room / 32; ++k) {
            const unsigned int place = begin + 32 * k + lane;
            const unsigned long long cell = place < count ? queue[place] : 0;
            fresh[k] = td_is_listed<room>(list, cell) ? 0 : cell;
        }
#pragma unroll
        for (unsigned int size = 2; size <= room; size *= 2) {
#pragma unroll
            for (unsigned int step = size / 2; step > 0; step /= 2)
                td_exchange(fresh, size, step);
        }
        // `kept` is descending and `fresh` ascending, so their pairwise maxima are bitonic: a merge step sorts them.
        // Complements make the order descending.
#pragma unroll
        for (unsigned int k = 0; k < room / 32; ++k)
            kept[k] = ~max(kept[k], fresh[k]);
#pragma unroll
        for (unsigned int step = room / 2; step > 0; step /= 2)
            td_exchange(kept, room, step);
#pragma unroll
        for (unsigned int k = 0; k < room / 32; ++k)
            kept[k] = ~kept[k];
    }
#pragma unroll
    for (unsigned int k = 0; k < room / 32; ++k) {
        const unsigned int place = room / 32 * lane + k;
        if (place < K)
            cells[place] = kept[k];
    }
}

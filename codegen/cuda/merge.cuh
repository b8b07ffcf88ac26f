// Merges the queue of an element into its nearest K, the greatest cell first, by one warp. `list` is shared memory of that
// warp; `list_size` is a power of two, at least K.
template <unsigned int K, unsigned int list_size>
static __device__ __forceinline__ void td_merge(
    unsigned long long *const cells,
    const unsigned long long *const queue,
    const unsigned int count,
    unsigned long long (&list)[list_size])
{
    const unsigned int lane = threadIdx.x;
    unsigned long long nearest[list_size / 32], queued[list_size / 32];
#pragma unroll
    for (unsigned int k = 0; k < list_size / 32; ++k) {
        const unsigned int index = list_size / 32 * lane + k;
        nearest[k] = index < K ? cells[index] : 0;
        list[index] = nearest[k];
    }
    __syncwarp();
    for (unsigned int begin = 0; begin < count; begin += list_size) {
        // Pairs that are visited again are queued again. No cell is in a queue twice.
#pragma unroll
        for (unsigned int k = 0; k < list_size / 32; ++k) {
            const unsigned int index = begin + 32 * k + lane;
            const unsigned long long cell = index < count ? queue[index] : 0;
            queued[k] = td_contains<list_size>(list, cell) ? 0 : cell;
        }
#pragma unroll
        for (unsigned int size = 2; size <= list_size; size *= 2) {
#pragma unroll
            for (unsigned int step = size / 2; step > 0; step /= 2)
                td_bitonic_step(queued, size, step);
        }
        // `nearest` is descending and `queued` ascending, so their pairwise maxima are bitonic: a merge step sorts them.
        // Complements make the order descending.
#pragma unroll
        for (unsigned int k = 0; k < list_size / 32; ++k)
            nearest[k] = ~max(nearest[k], queued[k]);
#pragma unroll
        for (unsigned int step = list_size / 2; step > 0; step /= 2)
            td_bitonic_step(nearest, list_size, step);
#pragma unroll
        for (unsigned int k = 0; k < list_size / 32; ++k)
            nearest[k] = ~nearest[k];
    }
#pragma unroll
    for (unsigned int k = 0; k < list_size / 32; ++k) {
        const unsigned int index = list_size / 32 * lane + k;
        if (index < K)
            cells[index] = nearest[k];
    }
}

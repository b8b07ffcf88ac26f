// One step of a bitonic sort by a warp: in turns, runs of `size` cells fall and rise.
template <unsigned int room>
static __device__ __forceinline__ void td_exchange(
    unsigned long long *const cells, const unsigned int size, const unsigned int step)
{
    for (unsigned int k = threadIdx.x; k < room / 2; k += 32) {
        const unsigned int low = 2 * step * (k / step) + k % step, high = low + step;
        const unsigned long long a = cells[low], b = cells[high];
        const bool falls = (low & size) == 0;
        if (falls ? a < b : b < a) {
            cells[low] = b;
            cells[high] = a;
        }
    }
    __syncwarp();
}

// Whether a cell is among those, the greatest first.
template <unsigned int room>
static __device__ __forceinline__ bool td_is_listed(const unsigned long long *const cells, const unsigned long long cell)
{
    unsigned int place = 0;
    for (unsigned int step = room / 2; step > 0; step /= 2) {
        if (cells[place + step - 1] > cell)
            place += step;
    }
    return cells[place] == cell;
}

// Merges the queue of an element into its nearest K, the greatest cell first, by one warp. `list` and `fresh` are shared
// memory of that warp; `room` is a power of two from K on.
template <unsigned int K, unsigned int room>
static __device__ __forceinline__ void td_merge(
    unsigned long long *const cells,
    const unsigned long long *const queue,
    const unsigned int count,
    unsigned long long (&list)[room],
    unsigned long long (&fresh)[room])
{
    for (unsigned int k = threadIdx.x; k < room; k += 32)
        list[k] = k < K ? cells[k] : 0;
    __syncwarp();
    for (unsigned int begin = 0; begin < count; begin += room) {
        // Pairs that are visited again are queued again. No cell is in a queue twice.
        for (unsigned int k = threadIdx.x; k < room; k += 32) {
            const unsigned long long cell = begin + k < count ? queue[begin + k] : 0;
            fresh[k] = td_is_listed<room>(list, cell) ? 0 : cell;
        }
        __syncwarp();
        for (unsigned int size = 2; size <= room; size *= 2) {
            for (unsigned int step = size / 2; step > 0; step /= 2)
                td_exchange<room>(fresh, size, step);
        }
        // The greatest of both orders: one against the other, they rise and fall once, and half a sort is left.
        for (unsigned int k = threadIdx.x; k < room; k += 32)
            list[k] = max(list[k], fresh[room - 1 - k]);
        __syncwarp();
        for (unsigned int step = room / 2; step > 0; step /= 2)
            td_exchange<room>(list, room, step);
    }
    for (unsigned int k = threadIdx.x; k < K; k += 32)
        cells[k] = list[k];
}

// The values of a row's threads, side by side in shared memory: `count` in all, of which each thread has `own`. One
// thread's are several vectors of 16 bytes, so that threads which stored their own would each write parts of the sectors
// that the warp writes.
template <typename T, unsigned int count, unsigned int own>
struct td_segment {
    // A thread's values are whole vectors, and few enough for its registers; others are stored one by one.
    static constexpr bool is_used = own * sizeof(T) % 16 == 0 && sizeof(T) <= 32;
    static constexpr unsigned int vectors = is_used ? count * sizeof(T) / 16 : 1;
    uint4 memory[vectors];

    __device__ __forceinline__ uint4 &at(const unsigned int vector)
    {
        // Where a thread has 2, 4 or 8 vectors, those of neighbours would meet in the same banks.
        constexpr bool is_power = (sizeof(T) & (sizeof(T) - 1)) == 0;
        return memory[is_power ? vector ^ ((vector / 8) % 8) : vector];
    }
};

// Stores the neighbours of all threads of a row, the first thread's from `slots` on: each store of a warp is of vectors
// side by side. The values are not read again here, and need not stay in the cache.
template <typename T, unsigned int count, unsigned int own>
static __device__ __forceinline__ void td_store_segment(T *const slots, const T (&values)[own], td_segment<T, count, own> &segment)
{
    if constexpr (td_segment<T, count, own>::is_used) {
        constexpr unsigned int vectors = sizeof(values) / 16, threads = count / own;
        uint4 mine[vectors];
        memcpy(mine, values, sizeof(values));
        __syncwarp(); // the row before has been read
#pragma unroll
        for (unsigned int k = 0; k < vectors; ++k)
            segment.at(threadIdx.x * vectors + k) = mine[k];
        __syncwarp();
#pragma unroll
        for (unsigned int k = 0; k < vectors; ++k)
            __stcs((uint4 *)slots + threadIdx.x + k * threads, segment.at(threadIdx.x + k * threads));
    } else {
#pragma unroll
        for (unsigned int k = 0; k < own; ++k)
            slots[own * threadIdx.x + k] = values[k];
    }
}

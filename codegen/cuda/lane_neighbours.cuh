// The nearest K of an element, in a lane's registers. Candidates wait in shared memory, until all lanes of the warp insert theirs.
template <unsigned int K, unsigned int room>
struct td_lane_neighbours {
    unsigned long long *const all;
    const unsigned int element;
    // With padding, so that lanes use different banks.
    unsigned long long (*const queue)[room + 1];
    td_own_neighbours<K> nearest;
    unsigned int count = 0;

    __device__ __forceinline__ td_lane_neighbours(
        unsigned long long *const all, const unsigned int element, unsigned long long (*const queue)[room + 1])
        : all(all), element(element), queue(queue)
    {
        nearest.load(all + (unsigned long long)element * K);
    }

    // Queues a cell, unless K are nearer. There must be room for it.
    __device__ __forceinline__ void add(const unsigned long long cell)
    {
        if (cell > nearest.last())
            queue[threadIdx.x][count++] = cell;
    }

    // Merges, unless each lane has room for so many more. All lanes call it together.
    template <unsigned int more>
    __device__ __forceinline__ void make_room()
    {
        if (__any_sync(0xffffffff, count > room - more))
            merge();
    }

    __device__ __forceinline__ void merge()
    {
#pragma unroll 1
        for (unsigned int k = 0; k < count; ++k)
            nearest.put(queue[threadIdx.x][k]);
        count = 0;
    }

    __device__ __forceinline__ void store() const { nearest.store(all + (unsigned long long)element * K); }

    __device__ __forceinline__ unsigned long long last() const { return nearest.last(); }
};

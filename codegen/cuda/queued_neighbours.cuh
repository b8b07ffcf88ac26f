// The nearest K of the element of each lane of a warp. Candidates wait in shared memory until a lane has no room for another one.
// The warp then merges them into the cells of each element. Apart from `add`, all lanes call each function together.
template <unsigned int K, unsigned int room, typename Merge>
struct td_queued_neighbours {
    unsigned long long *const all;
    const unsigned int element;
    // With padding, so that lanes use different banks.
    unsigned long long (*const queue)[room + 1];
    const Merge &merge_one;
    unsigned int count = 0;
    unsigned long long farthest = all[(unsigned long long)element * K + K - 1];

    // Queues a cell, unless K are nearer.
    __device__ __forceinline__ void put(const unsigned long long cell)
    {
        add(cell);
        make_room<1>();
    }

    // The same if there is room for it, for a lane alone.
    __device__ __forceinline__ void add(const unsigned long long cell)
    {
        if (cell > farthest)
            queue[threadIdx.x][count++] = cell;
    }

    // Merges, unless each lane has room for so many more.
    template <unsigned int more>
    __device__ __forceinline__ void make_room()
    {
        if (__any_sync(0xffffffff, count > room - more))
            merge();
    }

    __device__ __forceinline__ void merge()
    {
        __syncwarp();
        for (unsigned int lanes = __ballot_sync(0xffffffff, count != 0); lanes != 0; lanes &= lanes - 1) {
            const unsigned int lane = __ffs(lanes) - 1;
            unsigned long long *const cells = all + (unsigned long long)__shfl_sync(0xffffffff, element, lane) * K;
            merge_one(cells, queue[lane], __shfl_sync(0xffffffff, count, lane));
            __syncwarp();
        }
        count = 0;
        farthest = all[(unsigned long long)element * K + K - 1];
    }

    __device__ __forceinline__ unsigned long long last() const { return farthest; }
};

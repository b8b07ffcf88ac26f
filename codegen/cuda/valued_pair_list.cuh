// The list of pairs with values: i, j and the values are separate arrays. The count continues past the capacity, so that
// an overflow reports the required size.
template <typename T>
struct td_valued_pair_list {
    unsigned int *of_i;
    unsigned int *of_j;
    T *values;
    unsigned long long *count;
    unsigned long long capacity;

    // Appends the pair of each lane in `lanes`, the active lanes. The first one reserves the slots for all.
    __device__ __forceinline__ void push(
        const unsigned int lanes, const unsigned int i, const unsigned int j, const T &value) const
    {
        const unsigned int lane = (threadIdx.y * blockDim.x + threadIdx.x) % 32;
        const unsigned int lanes_before = __popc(lanes & ((1u << lane) - 1));
        unsigned long long slot = 0;
        if (lanes_before == 0)
            slot = atomicAdd(count, (unsigned long long)__popc(lanes));
        put(__shfl_sync(lanes, slot, __ffs(lanes) - 1) + lanes_before, i, j, value);
    }

    __device__ __forceinline__ void put(
        const unsigned long long slot, const unsigned int i, const unsigned int j, const T &value) const
    {
        if (slot >= capacity)
            return;
        of_i[slot] = i;
        of_j[slot] = j;
        values[slot] = value;
    }
};

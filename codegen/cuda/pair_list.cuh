// The list of pairs. The count continues past the capacity, so that an overflow reports the required size.
struct td_pair_list {
    uint2 *list;
    unsigned long long *count;
    unsigned long long capacity;

    __device__ __forceinline__ void push(const unsigned int i, const unsigned int j) const
    {
        const unsigned long long slot = atomicAdd(count, 1ull);
        if (slot < capacity)
            list[slot] = make_uint2(i, j);
    }
};

// Appends the pairs that a warp has found among at most 32 columns from j on. Each thread has the rows i, i + stride, …,
// with a bit for each column. One atomic reserves the slots of the whole warp, and a prefix sum over the threads' counts
// gives the first slot of each thread.
template <unsigned int rows>
static __device__ __forceinline__ void td_append(
    const td_pair_list pairs, const unsigned int (&masks)[rows], const unsigned int i, const unsigned int stride, const unsigned int j)
{
    unsigned int any_mask = 0;
    for (unsigned int r = 0; r < rows; ++r)
        any_mask |= masks[r];
    if (!__any_sync(0xffffffff, any_mask))
        return;
    unsigned int count = 0;
    for (unsigned int r = 0; r < rows; ++r)
        count += __popc(masks[r]);
    const unsigned int lane = threadIdx.x % 32;
    unsigned int end = count;
    for (unsigned int lanes = 1; lanes < 32; lanes *= 2) {
        const unsigned int previous = __shfl_up_sync(0xffffffff, end, lanes);
        if (lane >= lanes)
            end += previous;
    }
    unsigned long long slot = 0;
    if (lane == 31)
        slot = atomicAdd(pairs.count, (unsigned long long)end);
    slot = __shfl_sync(0xffffffff, slot, 31) + end - count;
    for (unsigned int r = 0; r < rows; ++r) {
        for (unsigned int mask = masks[r]; mask != 0; mask &= mask - 1, ++slot) {
            if (slot < pairs.capacity)
                pairs.list[slot] = make_uint2(i + r * stride, j + __ffs(mask) - 1);
        }
    }
}

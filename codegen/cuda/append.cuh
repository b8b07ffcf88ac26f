// Appends the pairs that a warp has found among at most 32 columns from j on. Each thread has the rows i, i + stride, …,
// with a bit for each column. One atomic reserves the slots of the whole warp, and a prefix sum over the threads' counts
// gives the first slot of each thread.
template <unsigned int rows>
static __device__ __forceinline__ void td_append(
    const td_pairs pairs, const unsigned int (&found)[rows], const unsigned int i, const unsigned int stride, const unsigned int j)
{
    unsigned int any = 0;
    for (unsigned int r = 0; r < rows; ++r)
        any |= found[r];
    if (!__any_sync(0xffffffff, any))
        return;
    unsigned int own = 0;
    for (unsigned int r = 0; r < rows; ++r)
        own += __popc(found[r]);
    const unsigned int lane = threadIdx.x % 32;
    unsigned int end = own;
    for (unsigned int lanes = 1; lanes < 32; lanes *= 2) {
        const unsigned int before = __shfl_up_sync(0xffffffff, end, lanes);
        if (lane >= lanes)
            end += before;
    }
    unsigned long long slot = 0;
    if (lane == 31)
        slot = atomicAdd(pairs.count, (unsigned long long)end);
    slot = __shfl_sync(0xffffffff, slot, 31) + end - own;
    for (unsigned int r = 0; r < rows; ++r) {
        for (unsigned int rest = found[r]; rest != 0; rest &= rest - 1, ++slot) {
            if (slot < pairs.capacity)
                pairs.list[slot] = make_uint2(i + r * stride, j + __ffs(rest) - 1);
        }
    }
}

// Appends the pairs that a warp has found among 32 columns from j on: each thread in its rows i, i + step, …, a bit for
// each column. One atomic gives room to the whole warp, and a thread's part begins where those before it end.
template <unsigned int rows>
static __device__ __forceinline__ void td_append(
    const td_pairs pairs, const unsigned int (&found)[rows], const unsigned int i, const unsigned int step, const unsigned int j)
{
    unsigned int any = 0;
    for (unsigned int row = 0; row < rows; ++row)
        any |= found[row];
    if (!__any_sync(0xffffffff, any))
        return;
    unsigned int own = 0;
    for (unsigned int row = 0; row < rows; ++row)
        own += __popc(found[row]);
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
    for (unsigned int row = 0; row < rows; ++row) {
        for (unsigned int rest = found[row]; rest != 0; rest &= rest - 1, ++slot) {
            if (slot < pairs.capacity)
                pairs.list[slot] = make_uint2(i + row * step, j + __ffs(rest) - 1);
        }
    }
}

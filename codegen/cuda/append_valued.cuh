// Appends the pairs that the 32 threads of a warp have found, each in its rows i, i + stride, … and in column j, which may
// differ from thread to thread. One atomic reserves the slots of the whole warp, and a prefix sum over the threads' counts
// gives the first slot of each thread.
template <typename T, unsigned int rows>
static __device__ __forceinline__ void td_append_valued(
    const td_valued_pair_list<T> pairs, const td_valued_marks<T, rows> &marks, const unsigned int i, const unsigned int stride, const unsigned int j)
{
    if (!__any_sync(0xffffffff, marks.bits))
        return;
    const unsigned int count = __popc(marks.bits);
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
#pragma unroll
    for (unsigned int r = 0; r < rows; ++r) {
        if (marks.bits >> r & 1)
            pairs.put(slot++, i + r * stride, j, marks.values[r]);
    }
}

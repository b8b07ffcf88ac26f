// Adds the values of a warp's threads to a slot of a total, unless all are 0: by shuffles, then by one atomic. The block
// is as wide as a warp, so a thread's lane is its x. CUDA's atomics of 64-bit integers are unsigned; in two's complement
// the sum is the same.
template <typename T, typename Slot>
static __device__ __forceinline__ void td_add_warp(T value, Slot *const slot)
{
    if (!__any_sync(0xffffffff, value != 0))
        return;
    for (unsigned int lanes = 16; lanes > 0; lanes /= 2)
        value += __shfl_down_sync(0xffffffff, value, lanes);
    if (threadIdx.x % 32 == 0)
        atomicAdd(slot, (Slot)value);
}

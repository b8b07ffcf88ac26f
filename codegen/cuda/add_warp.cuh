// Adds the values of a warp's threads to a slot of a total, unless there is nothing to add: by shuffles, then by one
// atomic. The block is as wide as a warp, so that a thread's lane is its x. CUDA adds 64-bit integers atomically as
// unsigned ones; two's complement makes the sum the same.
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

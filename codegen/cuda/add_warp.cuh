// Adds the values of a warp's threads to *total: by shuffles, then by one atomic, unless there is nothing to add.
template <typename T>
static __device__ __forceinline__ void td_add_warp(T value, T *const total)
{
    for (unsigned int lanes = 16; lanes > 0; lanes /= 2)
        value += __shfl_down_sync(0xffffffff, value, lanes);
    if (threadIdx.x % 32 == 0 && value != 0)
        atomicAdd(total, value);
}

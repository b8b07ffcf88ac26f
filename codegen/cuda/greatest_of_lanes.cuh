// The greatest of what the threads of a warp have, for its first thread.
template <typename T>
static __device__ __forceinline__ T td_greatest_of_lanes(T value)
{
    for (unsigned int lanes = 16; lanes > 0; lanes /= 2)
        value = max(value, __shfl_down_sync(0xffffffff, value, lanes));
    return value;
}

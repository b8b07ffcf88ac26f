// The sum of what the threads of a warp have, for its first thread: by shuffles, whose order is always the same.
template <typename T>
static __device__ __forceinline__ T td_sum_of_lanes(T value)
{
    for (unsigned int lanes = 16; lanes > 0; lanes /= 2)
        value += __shfl_down_sync(0xffffffff, value, lanes);
    return value;
}

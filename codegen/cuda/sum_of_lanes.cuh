// The sum over some adjacent threads of a warp, for the first of them: by shuffles in a fixed order.
template <unsigned int threads, typename T>
static __device__ __forceinline__ T td_sum_of_lanes(T value)
{
    for (unsigned int lanes = threads / 2; lanes > 0; lanes /= 2)
        value += __shfl_down_sync(0xffffffff, value, lanes, threads);
    return value;
}

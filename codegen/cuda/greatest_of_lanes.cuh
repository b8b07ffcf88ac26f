// The maximum over some adjacent threads of a warp, for the first of them.
template <unsigned int threads, typename T>
static __device__ __forceinline__ T td_greatest_of_lanes(T value)
{
    for (unsigned int lanes = threads / 2; lanes > 0; lanes /= 2)
        value = max(value, __shfl_down_sync(0xffffffff, value, lanes, threads));
    return value;
}

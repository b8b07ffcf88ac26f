// The sum over a warp, for its first thread: by shuffles in a fixed order.
static __device__ __forceinline__ double td_warp_total(double value)
{
    for (unsigned int lanes = 16; lanes > 0; lanes /= 2)
        value += __shfl_down_sync(0xffffffff, value, lanes);
    return value;
}

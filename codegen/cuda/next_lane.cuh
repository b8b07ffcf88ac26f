// The value of the next lane, in groups of `lanes` lanes that pass values around.
template <unsigned int lanes, typename T>
static __device__ __forceinline__ T td_next_lane(const T value)
{
    return __shfl_sync(0xffffffff, value, threadIdx.x + 1, lanes);
}

// The least and the greatest of the numbers of a warp's lanes.
template <typename T>
static __device__ __forceinline__ void td_range_of_lanes(T &lo, T &hi)
{
#pragma unroll
    for (unsigned int lanes = 16; lanes > 0; lanes /= 2) {
        const T other_lo = __shfl_xor_sync(0xffffffff, lo, lanes), other_hi = __shfl_xor_sync(0xffffffff, hi, lanes);
        lo = other_lo < lo ? other_lo : lo;
        hi = other_hi > hi ? other_hi : hi;
    }
}

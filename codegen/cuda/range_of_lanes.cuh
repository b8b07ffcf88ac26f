// The least and the greatest of the numbers of a warp's lanes.
struct td_range_of_lanes {
    template <typename T>
    __device__ __forceinline__ void operator()(T &lo, T &hi) const
    {
#pragma unroll
        for (unsigned int lanes = 16; lanes > 0; lanes /= 2) {
            const T other_lo = __shfl_xor_sync(0xffffffff, lo, lanes), other_hi = __shfl_xor_sync(0xffffffff, hi, lanes);
            lo = other_lo < lo ? other_lo : lo;
            hi = other_hi > hi ? other_hi : hi;
        }
    }
};

// The cell of the farthest among the last neighbours of a warp's lanes: 0 if a lane has fewer neighbours than it keeps. Its index
// is of no use.
static __device__ __forceinline__ unsigned long long td_farthest_of_lanes(const unsigned long long cell)
{
    unsigned int high = cell >> 32;
#pragma unroll
    for (unsigned int lanes = 16; lanes > 0; lanes /= 2)
        high = min(high, __shfl_xor_sync(0xffffffff, high, lanes));
    return (unsigned long long)high << 32;
}

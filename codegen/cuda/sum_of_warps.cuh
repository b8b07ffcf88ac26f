// The sum over the block's warps, for row k.
template <unsigned int warps, unsigned int rows, typename T>
static __device__ __forceinline__ T td_sum_of_warps(const T (&parts)[warps][rows], const unsigned int k)
{
    T sum = parts[0][k];
    for (unsigned int warp = 1; warp < warps; ++warp)
        sum += parts[warp][k];
    return sum;
}

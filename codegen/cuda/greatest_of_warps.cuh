// The maximum over the block's warps, for row k.
template <unsigned int warps, unsigned int rows, typename T>
static __device__ __forceinline__ T td_greatest_of_warps(const T (&parts)[warps][rows], const unsigned int k)
{
    T greatest = parts[0][k];
    for (unsigned int warp = 1; warp < warps; ++warp)
        greatest = max(greatest, parts[warp][k]);
    return greatest;
}

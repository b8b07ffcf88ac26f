// Keeps the extreme of a warp's threads in a cell.
template <typename Best>
static __device__ __forceinline__ void td_keep_extreme_of_warp(const Best &best, unsigned long long *const cell)
{
    unsigned long long rank = best.rank(), pair = best.pair();
    for (unsigned int lanes = 16; lanes > 0; lanes /= 2) {
        const unsigned long long other_rank = __shfl_down_sync(0xffffffff, rank, lanes);
        const unsigned long long other_pair = __shfl_down_sync(0xffffffff, pair, lanes);
        if (other_pair != 0 && (pair == 0 || other_rank > rank || (other_rank == rank && other_pair > pair))) {
            rank = other_rank;
            pair = other_pair;
        }
    }
    if ((threadIdx.y * blockDim.x + threadIdx.x) % 32 == 0)
        td_keep_extreme(rank, pair, cell);
}

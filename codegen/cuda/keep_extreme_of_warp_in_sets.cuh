// Keeps the extreme of a warp's threads in a cell.
template <typename Best>
static __device__ __forceinline__ void td_keep_extreme_of_warp_in_sets(const Best &best, unsigned long long *const cell)
{
    unsigned long long rank = best.rank(), set = best.set_word(), pair = best.pair();
    for (unsigned int lanes = 16; lanes > 0; lanes /= 2) {
        const unsigned long long other_rank = __shfl_down_sync(0xffffffff, rank, lanes);
        const unsigned long long other_set = __shfl_down_sync(0xffffffff, set, lanes);
        const unsigned long long other_pair = __shfl_down_sync(0xffffffff, pair, lanes);
        const bool is_first = other_set > set || (other_set == set && other_pair > pair);
        if (other_pair != 0 && (pair == 0 || other_rank > rank || (other_rank == rank && is_first))) {
            rank = other_rank;
            set = other_set;
            pair = other_pair;
        }
    }
    if ((threadIdx.y * blockDim.x + threadIdx.x) % 32 == 0)
        td_keep_extreme_in_sets(rank, set, pair, cell);
}

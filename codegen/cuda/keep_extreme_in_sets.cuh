// Keeps the greater of a cell's rank, set and pair and these. The fourth word of a cell is its lock: atomics change one word.
static __device__ __forceinline__ void td_keep_extreme_in_sets(
    const unsigned long long rank, const unsigned long long set, const unsigned long long pair, unsigned long long *const cell)
{
    volatile unsigned long long *const kept = cell;
    // Ranks only grow, so an old one suffices to see that this one is smaller.
    if (pair == 0 || rank < kept[0])
        return;
    while (atomicCAS(cell + 3, 0ull, 1ull) != 0) {
    }
    __threadfence();
    if (rank > kept[0] || (rank == kept[0] && (set > kept[1] || (set == kept[1] && pair > kept[2])))) {
        kept[0] = rank;
        kept[1] = set;
        kept[2] = pair;
    }
    __threadfence();
    atomicExch(cell + 3, 0ull);
}

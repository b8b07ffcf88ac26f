// A set that has pairs: the pairs before it, its first element, and its index among all sets. Large sets have tiles instead.
struct alignas(16) td_set {
    unsigned long long start;
    unsigned int first, index;

    __device__ __forceinline__ bool is_large() const { return first == 0xffffffff; }
};

// The row of a pair of a set, counted from the set's first pair: an estimate, at most one row off, corrected in integers.
static __device__ __forceinline__ unsigned int td_row_of_pair(const unsigned long long pair)
{
    // From this pair on, a float is too short.
    const bool is_short = pair < 2147450880;
    unsigned int row = is_short ? (unsigned int)(sqrtf(0.25f + 2 * (float)pair) - 0.5f) : (unsigned int)(sqrt(0.25 + 2 * (double)pair) - 0.5);
    if ((unsigned long long)row * (row + 1) / 2 > pair)
        --row;
    else if ((row + 1ull) * (row + 2ull) / 2 <= pair)
        ++row;
    return row;
}

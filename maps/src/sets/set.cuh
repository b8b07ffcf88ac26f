// A set that has pairs: the pairs before it, its first element, and its index among all sets.
struct alignas(16) td_set {
    unsigned long long start;
    unsigned int first, index;
};

// Pairs one after another, of sets that are not large: the pairs before them, their number, and the set of the first one.
struct alignas(16) td_run {
    unsigned long long begin;
    int pairs;
    unsigned int set;
};

// The row and the column of a pair, counted from its set's first pair. A set that is not large has fewer than 2^25 pairs, for which
// the estimate is at most one row too high and never too low.
static __device__ __forceinline__ void td_find_pair(const unsigned int pair, unsigned int &row, unsigned int &col)
{
    const float x = 0.25f + 2 * (float)pair;
    row = (unsigned int)fmaf(x, rsqrtf(x), -0.495f);
    col = pair - row * (row + 1) / 2;
    if ((int)col < 0)
        col += row--;
}

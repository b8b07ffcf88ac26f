// The same with the pair, by its index in the set. If values are equal, the smaller index is kept.
template <typename T, typename Best>
struct td_pair_offer_to_set {
    unsigned long long *cell;
    unsigned int pair;

    __device__ __forceinline__ void offer(const T value) const
    {
        Best best;
        best.offer(value, pair);
        if (best.rank() > *(const volatile unsigned long long *)cell)
            atomicMax(cell, best.rank());
    }
};

// The greatest or the least value that the pairs of a thread offer, with its pair: of equal values that of the smallest pair.
// The largest numbers are not indices: they stand for a missing pair.
template <typename T, typename Order, bool is_greatest>
struct td_extreme {
    T value = is_greatest ? Order::lowest() : Order::highest();
    unsigned int i = 0xffffffff, j = 0xffffffff;

    td_extreme() = default;

    // Starts with the value that a cell has, or any older one, so few pairs are better. It has no pair, so equal values are taken.
    __device__ __forceinline__ explicit td_extreme(const unsigned long long *const cell)
    {
        using Rank = decltype(Order::rank(value));
        const Rank kept = *(const volatile unsigned long long *)cell, worst = rank();
        value = Order::value(is_greatest ? max(kept, worst) : (Rank)~max(kept, worst));
    }

    // Takes a value that is not worse.
    __device__ __forceinline__ void take(const T taken, const unsigned int of_i, const unsigned int of_j)
    {
        if (taken != value || of_i < i || (of_i == i && of_j < j)) {
            value = taken;
            i = of_i;
            j = of_j;
        }
    }

    // The greatest rank wins, and for equal ranks the greatest complement of a pair; 0 is no pair.
    __device__ __forceinline__ unsigned long long rank() const
    {
        const auto rank = Order::rank(value);
        return is_greatest ? rank : (decltype(Order::rank(value)))~rank;
    }
    __device__ __forceinline__ unsigned long long pair() const { return ~((unsigned long long)i << 32 | j); }
};

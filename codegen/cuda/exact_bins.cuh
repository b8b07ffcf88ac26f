// A histogram of floats, each of which is added to an exact sum, so that the order of additions does not matter. The digits of a
// counter are as many words apart as there are counters.
template <typename Weight>
struct td_exact_bins : td_bins {
    unsigned long long *digits;

    template <typename Bin>
    __device__ __forceinline__ void add(const Bin bin, const Weight weight = 1) const
    {
        const unsigned int counter = counter_of(bin);
        if constexpr (sizeof(Weight) == sizeof(float))
            td_add_exact_float<true>(digits, bins + 1, counter, weight);
        else
            td_add_exact_double<true>(digits, bins + 1, counter, weight);
    }
};

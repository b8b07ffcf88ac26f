// A histogram of 64-bit integers. The block's counters have 32 bits, and carry into the totals.
struct td_weighted_counts : td_block_bins<unsigned int, unsigned long long> {
    using td_block_bins::td_block_bins;

    template <typename Bin, typename Weight = unsigned long long>
    __device__ __forceinline__ void add(const Bin bin, const Weight given = 1) const
    {
        static_assert((decltype(given + 0))0.5f == 0, "a `Histogram<u64>` adds up integers: write `Histogram<f32>` for floats, or round the weight");
        const unsigned long long weight = given;
        const unsigned int counter = counter_of(bin);
        if (!fits) {
            atomicAdd(totals + counter, weight);
            return;
        }
        const unsigned int low = (unsigned int)weight;
        const bool carries = atomicAdd(counters + counter, low) + low < low;
        const unsigned long long rest = (weight >> 32) + carries;
        if (rest != 0)
            atomicAdd(totals + counter, rest << 32);
    }
};

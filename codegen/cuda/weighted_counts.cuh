// A histogram of 64-bit integers. The block's counters have 32 bits, and carry into the totals.
struct td_weighted_counts : td_block_bins<unsigned int, unsigned long long> {
    using td_block_bins::td_block_bins;

    template <typename Bin>
    __device__ __forceinline__ void add(const Bin bin, const unsigned long long weight = 1) const
    {
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

// A histogram of pairs that add 1 to a few bins, so that a block's counters cannot overflow.
struct td_counts : td_block_bins<unsigned int, unsigned long long> {
    using td_block_bins::td_block_bins;

    template <typename Bin>
    __device__ __forceinline__ void add(const Bin bin) const
    {
        const unsigned int counter = counter_of(bin);
        if (fits)
            atomicAdd(counters + counter, 1u);
        else
            atomicAdd(totals + counter, 1ull);
    }
};

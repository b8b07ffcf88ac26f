// A histogram of floats, which are added up as doubles.
template <typename Weight>
struct td_weights : td_block_bins<double, double> {
    using td_block_bins::td_block_bins;

    template <typename Bin>
    __device__ __forceinline__ void add(const Bin bin, const Weight weight = 1) const
    {
        const unsigned int counter = counter_of(bin);
        if (fits)
            atomicAdd(counters + counter, (double)weight);
        else
            atomicAdd(totals + counter, (double)weight);
    }
};

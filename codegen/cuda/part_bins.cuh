// A histogram on the CPU. A part of the rows has counters of its own, if those suffice for all bins. At its end they are added
// to the totals.
template <typename Weight, typename Total>
struct td_part_bins : td_bins {
    bool fits;
    Total *counters;
    Total *totals;

    td_part_bins(const unsigned int bins, const unsigned int room, Total *const counters, Total *const totals)
        : td_bins{bins}, fits(bins < room), counters(counters), totals(totals)
    {
        for (unsigned int k = 0; fits && k <= bins; ++k)
            counters[k] = 0;
    }

    template <typename Bin, typename Given = Weight>
    void add(const Bin bin, const Given weight = 1) const
    {
        static_assert((Weight)0.5f != 0 || (decltype(weight + 0))0.5f == 0, "a `Histogram<u64>` adds up integers: write `Histogram<f32>` for floats, or round the weight");
        const unsigned int counter = counter_of(bin);
        if (fits)
            counters[counter] += (Total)weight;
        else
            atomicAdd(totals + counter, (Total)weight);
    }

    void flush() const
    {
        if (!fits)
            return;
        for (unsigned int k = 0; k <= bins; ++k) {
            if (counters[k] != 0)
                atomicAdd(totals + k, counters[k]);
        }
    }
};

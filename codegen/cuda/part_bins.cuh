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

    template <typename Bin>
    void add(const Bin bin, const Weight weight = 1) const
    {
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

// A histogram on the CPU. A thread has counters of its own, if those suffice for all bins. At the end of a part of the rows
// they are added to the totals.
template <typename Weight, typename Total>
struct td_part_bins : td_bins {
    bool fits;
    Total *counters;
    Total *totals;

    td_part_bins(const unsigned int bins, const bool fits, Total *const counters, Total *const totals)
        : td_bins{bins}, fits(fits), counters(counters), totals(totals)
    {
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
            counters[k] = 0;
        }
    }
};

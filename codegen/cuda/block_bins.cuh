// The counters of a block for its pairs, in shared memory, if those suffice for all bins. At the end of the block they are
// added to the totals.
template <typename Counter, typename Total>
struct td_block_bins : td_bins {
    bool fits;
    Counter *counters;
    Total *totals;

    __device__ __forceinline__ td_block_bins(const unsigned int bins, const bool fits, Counter *const counters, Total *const totals)
        : td_bins{bins}, fits(fits), counters(counters), totals(totals)
    {
    }

    __device__ __forceinline__ void clear() const
    {
        if (!fits)
            return;
        for (unsigned int k = threadIdx.y * blockDim.x + threadIdx.x; k <= bins; k += blockDim.x * blockDim.y)
            counters[k] = 0;
    }

    __device__ __forceinline__ void flush() const
    {
        if (!fits)
            return;
        for (unsigned int k = threadIdx.y * blockDim.x + threadIdx.x; k <= bins; k += blockDim.x * blockDim.y) {
            if (counters[k] != 0)
                atomicAdd(totals + k, (Total)counters[k]);
        }
    }
};

// The bins of a histogram. The counter after the last bin is for pairs outside all bins.
struct td_bins {
    unsigned int bins;

    // The counter for a bin. Floats are rounded down.
    template <typename Bin>
    __device__ __forceinline__ unsigned int counter_of(const Bin bin) const
    {
        using Number = decltype(bin + 0);
        const Number number = bin;
        if constexpr (Number(0.5f) != 0)
            return number >= 0 && number < (Number)4294967296.0f ? min((unsigned int)number, bins) : bins;
        else
            return (unsigned long long)number < bins ? (unsigned int)number : bins;
    }

    // The bin of x among bins of equal widths, which begin at `from` and end before `to`.
    template <typename X, typename From, typename To>
    __device__ __forceinline__ unsigned int linear(const X x, const From from, const To to) const
    {
        using Float = decltype(x * 1.0f);
        const Float value = x, first = from, end = to, place = (value - first) * (bins / (end - first));
        const bool is_inside = value >= first && value < end;
#ifdef __CUDA_ARCH__
        // This conversion saturates.
        const unsigned int bin = min(sizeof(Float) == 4 ? __float2uint_rz((float)place) : __double2uint_rz(place), bins - 1);
        return is_inside ? bin : bins;
#else
        const unsigned int bin = min((unsigned int)(place >= bins ? bins : place >= 0 ? place : 0), bins - 1);
        // Not a branch, which a CPU would often mispredict.
        return min(bin | (0u - !is_inside), bins);
#endif
    }

    // The same for bins whose ends have equal ratios. `from` must be positive.
    template <typename X, typename From, typename To>
    __device__ __forceinline__ unsigned int logarithmic(const X x, const From from, const To to) const
    {
        using Float = decltype(x * 1.0f);
        const Float value = x, first = from, end = to;
        if (!(first > 0 && value >= first && value < end))
            return bins;
        return min((unsigned int)((log(value) - log(first)) * (bins / (log(end) - log(first)))), bins - 1);
    }

    // The bin of x in a table of ascending edges: bin k begins at edge k and ends before the next one.
    template <typename X, typename Edge>
    __device__ __forceinline__ unsigned int between(const X x, const Edge *const edges, const unsigned long long length) const
    {
        if (length < 2 || !(x >= edges[0] && x < edges[length - 1]))
            return bins;
        unsigned long long bin = 0;
        for (unsigned long long end = length - 1; end - bin > 1;) {
            const unsigned long long middle = bin + (end - bin) / 2;
            if (x >= edges[middle])
                bin = middle;
            else
                end = middle;
        }
        return (unsigned int)bin;
    }
};

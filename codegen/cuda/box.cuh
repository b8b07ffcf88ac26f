// The least and the greatest of each coordinate of some elements.
template <typename Point>
struct td_box {
    Point lo, hi;
    static constexpr bool is_single = false;

    // The least distance between a coordinate of these elements and one of others.
    template <typename T, typename Other, typename Real = typename td_distance_of<T, Other>::type>
    static __device__ __forceinline__ Real gap(const T lo_i, const T hi_i, const Other lo_j, const Other hi_j)
    {
        // A call of fmaxf takes a CPU longer.
        const Real below = (Real)lo_j - (Real)hi_i, above = (Real)lo_i - (Real)hi_j;
        const Real farther = below > above ? below : above;
        return farther > 0 ? farther : 0;
    }

    // The same if coordinates that differ by a period are equal. The period may be infinite. The margin exceeds the rounding
    // errors. The gap of coordinates that are not finite is a NaN.
    template <typename T, typename Other, typename Period>
    static __device__ __forceinline__ auto gap(
        const T lo_i, const T hi_i, const Other lo_j, const Other hi_j, const Period period)
    {
        using Real = typename td_distance_of<T, Other>::type;
        const Real length = period, low = (Real)lo_j - (Real)hi_i, high = (Real)hi_j - (Real)lo_i;
        if (isinf(length))
            return gap(lo_i, hi_i, lo_j, hi_j);
        const Real margin = td_distance_of<Real>::margin * (fabs(low) + fabs(high) + length);
        const Real begin = low - length * floor(low / length), after = length - (begin + (high - low));
        const Real least = (begin < after ? begin : after) - margin;
        return margin < length ? (least > 0 ? least : 0) : 0 * (low + high);
    }
};

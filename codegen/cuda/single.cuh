// A box of one element.
template <typename Point>
struct td_single : td_box<Point> {
    using td_box<Point>::gap;
    static constexpr bool is_single = true;

    template <typename T, typename Other, typename Real = typename td_distance_of<T, Other>::type>
    static __device__ __forceinline__ Real gap(const T i, const T, const Other j, const Other)
    {
        return fabs((Real)i - (Real)j);
    }
};

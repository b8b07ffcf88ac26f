// A box of one element.
template <typename Point>
struct td_single : td_box<Point> {
    using td_box<Point>::gap;

    template <typename T, typename Real = typename td_distance_of<T>::type>
    static __device__ __forceinline__ Real gap(const T i, const T, const T j, const T)
    {
        return fabs((Real)i - (Real)j);
    }
};

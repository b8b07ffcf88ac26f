// Whether all coordinates have finite values.
struct td_are_finite {
    bool &value;

    template <typename T>
    __device__ __forceinline__ void operator()(const T coordinate, const T) const
    {
        value &= coordinate - coordinate == 0;
    }
};

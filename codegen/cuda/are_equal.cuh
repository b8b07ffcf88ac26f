// Whether all numbers are equal. A NaN is not.
struct td_are_equal {
    bool &value;

    template <typename T>
    __device__ __forceinline__ void operator()(const T a, const T b) const
    {
        value &= a == b;
    }
};

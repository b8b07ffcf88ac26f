// The range of a coordinate of an element that has a coordinate without a finite value: it may be near any other.
struct td_anywhere {
    template <typename T>
    __device__ __forceinline__ void operator()(T &lo, T &hi) const
    {
        if constexpr ((T)0.5f != 0) {
            lo = (T)__uint_as_float(0xff800000);
            hi = (T)__uint_as_float(0x7f800000);
        }
    }
};

// Maps doubles to unsigned numbers of the same order. Adding 0 turns -0 into 0, because the two are equal.
struct td_double_order {
    static __device__ __forceinline__ unsigned long long rank(const double value)
    {
        const unsigned long long bits = __double_as_longlong(value + 0.0);
        return bits >> 63 ? ~bits : bits | 1ull << 63;
    }
    static __device__ __forceinline__ double value(const unsigned long long rank)
    {
        return __longlong_as_double(rank >> 63 ? rank & 0x7fffffffffffffff : ~rank);
    }
    static __device__ __forceinline__ double lowest() { return __longlong_as_double(0xfff0000000000000); }
    static __device__ __forceinline__ double highest() { return __longlong_as_double(0x7ff0000000000000); }
};

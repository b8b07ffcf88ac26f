// Maps floats to unsigned numbers of the same order. Adding 0 turns -0 into 0, because the two are equal.
struct td_float_order {
    static __device__ __forceinline__ unsigned int rank(const float value)
    {
        const unsigned int bits = __float_as_uint(value + 0.0f);
        return bits >> 31 ? ~bits : bits | 1u << 31;
    }
    static __device__ __forceinline__ float value(const unsigned int rank)
    {
        return __uint_as_float(rank >> 31 ? rank & 0x7fffffff : ~rank);
    }
    static __device__ __forceinline__ float lowest() { return __uint_as_float(0xff800000); }
    static __device__ __forceinline__ float highest() { return __uint_as_float(0x7f800000); }
};

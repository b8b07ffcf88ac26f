// A 16-bit float: `f16` of the crate half. A body computes with floats: a value converts to float implicitly, and an
// assigned float is rounded to nearest, ties to even.
struct td_f16 {
    unsigned short bits;

    td_f16() = default;
    __device__ __forceinline__ explicit td_f16(const float value) : bits(rounded(value)) {}
    // `condition ? x : 0` is an error, because its value would be an integer: write `0.0f`.
    template <typename Integer, typename = decltype(Integer() % 1)>
    td_f16(Integer) = delete;

    __device__ __forceinline__ operator float() const
    {
#ifdef __CUDA_ARCH__
        float value;
        asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
        return value;
#else
        const unsigned int sign = (unsigned int)(bits & 0x8000u) << 16, magnitude = bits & 0x7fffu;
        // A number below 2^-14 is a multiple of 2^-24, which a float represents exactly.
        if (magnitude < 0x0400)
            return __uint_as_float(__float_as_uint((float)magnitude * 5.9604644775390625e-8f) | sign);
        // The exponent's bias is 127 instead of 15. Infinities and NaNs have the highest exponent of each format.
        const unsigned int shift = magnitude < 0x7c00 ? 112u << 23 : 224u << 23;
        return __uint_as_float(((magnitude << 13) + shift) | sign);
#endif
    }

    __device__ __forceinline__ td_f16 &operator=(const float value) { return *this = td_f16(value); }
    __device__ __forceinline__ td_f16 &operator+=(const float value) { return *this = *this + value; }
    __device__ __forceinline__ td_f16 &operator-=(const float value) { return *this = *this - value; }
    __device__ __forceinline__ td_f16 &operator*=(const float value) { return *this = *this * value; }
    __device__ __forceinline__ td_f16 &operator/=(const float value) { return *this = *this / value; }

private:
    static __device__ __forceinline__ unsigned short rounded(const float value)
    {
#ifdef __CUDA_ARCH__
        unsigned short result;
        asm("cvt.rn.f16.f32 %0, %1;" : "=h"(result) : "f"(value));
        return result;
#else
        const unsigned int float_bits = __float_as_uint(value), sign = float_bits >> 16 & 0x8000u, magnitude = float_bits & 0x7fffffffu;
        if (magnitude > 0x7f800000)
            return 0x7fff;
        // From the middle between the largest number and 2^16 on, the result is infinite.
        if (magnitude >= 0x477ff000)
            return sign | 0x7c00;
        // From 2^-14 on, 13 bits are dropped. A carry out of the fraction correctly increments the exponent.
        if (magnitude >= 0x38800000)
            return sign | (magnitude - (112u << 23) + 0x0fff + (magnitude >> 13 & 1)) >> 13;
        // The number as a multiple of 2^-24. At most half of 2^-24 is rounded to 0.
        const unsigned int shift = 126 - (magnitude >> 23);
        if (shift > 24)
            return sign;
        const unsigned int fraction = (magnitude & 0x007fffffu) | 0x00800000u, whole = fraction >> shift;
        return sign | (fraction + (1u << (shift - 1)) - 1 + (whole & 1)) >> shift;
#endif
    }
};

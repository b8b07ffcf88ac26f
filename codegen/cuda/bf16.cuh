// A 16-bit float with the exponent of a 32-bit float: `bf16` of the crate half. A body computes with floats: a value
// converts to float implicitly, and an assigned float is rounded to nearest, ties to even.
struct td_bf16 {
    unsigned short bits;

    td_bf16() = default;
    __device__ __forceinline__ explicit td_bf16(const float value) : bits(rounded(value)) {}
    // `condition ? x : 0` is an error, because its value would be an integer: write `0.0f`.
    template <typename Integer, typename = decltype(Integer() % 1)>
    td_bf16(Integer) = delete;

    // These are the upper 16 bits of the float.
    __device__ __forceinline__ operator float() const { return __uint_as_float((unsigned int)bits << 16); }

    __device__ __forceinline__ td_bf16 &operator=(const float value) { return *this = td_bf16(value); }
    __device__ __forceinline__ td_bf16 &operator+=(const float value) { return *this = *this + value; }
    __device__ __forceinline__ td_bf16 &operator-=(const float value) { return *this = *this - value; }
    __device__ __forceinline__ td_bf16 &operator*=(const float value) { return *this = *this * value; }
    __device__ __forceinline__ td_bf16 &operator/=(const float value) { return *this = *this / value; }

private:
    static __device__ __forceinline__ unsigned short rounded(const float value)
    {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
        unsigned short result;
        asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(result) : "f"(value));
        return result;
#else
        const unsigned int float_bits = __float_as_uint(value);
        if ((float_bits & 0x7fffffffu) > 0x7f800000)
            return 0x7fff;
        // A carry out of the fraction correctly increments the exponent; from the highest exponent on, the result is infinite.
        return (float_bits + 0x7fff + (float_bits >> 16 & 1)) >> 16;
#endif
    }
};

// A float of 16 bits with the exponent of 32, the crate half's `bf16`. A body computes with floats: a value
// converts to float implicitly, and an assigned float is rounded to nearest, ties to even.
struct td_bf16 {
    unsigned short bits;

    td_bf16() = default;
    __device__ __forceinline__ explicit td_bf16(const float value) : bits(rounded(value)) {}
    // In `condition ? x : 0` the 0 would make the value an integer; so it is an error, and `0.0f` makes it a float.
    template <typename Integer, typename = decltype(Integer() % 1)>
    td_bf16(Integer) = delete;

    // A float begins with the same bits.
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
        const unsigned int all = __float_as_uint(value);
        if ((all & 0x7fffffffu) > 0x7f800000)
            return 0x7fff;
        // A carry out of the fraction rightly goes to the exponent, and at the highest one makes an infinity.
        return (all + 0x7fff + (all >> 16 & 1)) >> 16;
#endif
    }
};

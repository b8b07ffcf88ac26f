// Packs two floats as bfloat16, rounded to nearest, ties to even. They are not NaN, and rounding does not make them infinite.
static __device__ __forceinline__ unsigned int td_pack_bf16x2(const float first, const float second)
{
    const unsigned int low = __float_as_uint(first), high = __float_as_uint(second);
    return (low + 0x7fff + (low >> 16 & 1)) >> 16 | (high + 0x7fff + (high >> 16 & 1) & 0xffff0000);
}

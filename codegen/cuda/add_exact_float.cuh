// Adds a float to an exact sum, so that the order of additions does not matter. A sum has digits of 32 bits in signed words
// of 64 bits, so two billion additions need no carry. Digit k has the weight 2^(32 k - 150). A float has 24 bits, in
// one digit or two. The last word has flags: 1 for infinity, 2 for -infinity, 4 for NaN. The digits of an element
// are `stride` words apart.
template <bool carries = false>
static __device__ __forceinline__ void td_add_exact_float(
    unsigned long long *const digits, const unsigned int stride, const unsigned int element, const float value)
{
    constexpr unsigned long long flags = 9; // the word after the digits
    const unsigned int bits = __float_as_uint(value), exponent = bits >> 23 & 255;
    if (exponent == 255) {
        atomicOr(digits + flags * stride + element, bits << 9 != 0 ? 4ull : bits >> 31 != 0 ? 2ull : 1ull);
        return;
    }
    // Subnormal floats have the exponent of the smallest normal ones, without the leading bit.
    const unsigned int lowest_bit = exponent == 0 ? 1 : exponent;
    const unsigned long long mantissa = (bits & 0x7fffff) | (exponent == 0 ? 0 : 0x800000);
    const unsigned long long shifted = mantissa << lowest_bit % 32;
    const unsigned long long low = shifted & 0xffffffff, high = shifted >> 32;
    const unsigned int k = lowest_bit / 32, after = (unsigned int)flags - 1 - k;
    unsigned long long *const digit = digits + (unsigned long long)k * stride + element;
    td_add_digit<carries>(digit, stride, after, bits >> 31 != 0 ? 0 - low : low);
    td_add_digit<carries>(digit + stride, stride, after - 1, bits >> 31 != 0 ? 0 - high : high);
}

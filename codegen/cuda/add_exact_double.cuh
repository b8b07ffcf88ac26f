// Adds a double to an exact sum, so that the order of additions does not matter. A sum has digits of 32 bits in signed words
// of 64 bits, so two billion additions need no carry. Digit k has the weight 2^(32 k - 1075). A double has 53 bits, in
// up to three digits. The last word has flags: 1 for infinity, 2 for -infinity, 4 for NaN. The digits of an element
// are `stride` words apart.
template <bool carries = false>
static __device__ __forceinline__ void td_add_exact_double(
    unsigned long long *const digits, const unsigned int stride, const unsigned int element, const double value)
{
    constexpr unsigned long long flags = 66; // the word after the digits
    const unsigned long long bits = __double_as_longlong(value);
    const unsigned int exponent = bits >> 52 & 2047;
    if (exponent == 2047) {
        atomicOr(digits + flags * stride + element, bits << 12 != 0 ? 4ull : bits >> 63 != 0 ? 2ull : 1ull);
        return;
    }
    // Subnormal doubles have the exponent of the smallest normal ones, without the leading bit.
    const unsigned int lowest_bit = exponent == 0 ? 1 : exponent, shift = lowest_bit % 32;
    const unsigned long long mantissa = (bits & 0xfffffffffffff) | (exponent == 0 ? 0 : 1ull << 52);
    const unsigned long long low = mantissa << shift & 0xffffffff;
    const unsigned long long rest = mantissa >> (32 - shift), middle = rest & 0xffffffff, high = rest >> 32;
    const unsigned int k = lowest_bit / 32, after = (unsigned int)flags - 1 - k;
    unsigned long long *const digit = digits + (unsigned long long)k * stride + element;
    td_add_digit<carries>(digit, stride, after, bits >> 63 != 0 ? 0 - low : low);
    td_add_digit<carries>(digit + stride, stride, after - 1, bits >> 63 != 0 ? 0 - middle : middle);
    td_add_digit<carries>(digit + 2ull * stride, stride, after - 2, bits >> 63 != 0 ? 0 - high : high);
}

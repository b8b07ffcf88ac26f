// Adds to a digit of an exact sum, a word of 64 bits in two's complement. The next digit is `stride` words further, and `after`
// digits follow. With `carries`, any number of additions fits: an addition with which a word passes a multiple of 2^42, away
// from zero, moves 2^42 to the next digit. So a word stays small, also while a million threads add to it. The last digit has
// room for 2^40 of the largest floats.
template <bool carries>
static __device__ __forceinline__ void td_add_digit(unsigned long long *digit, const unsigned int stride, unsigned int after, unsigned long long term)
{
    if constexpr (!carries) {
        if (term != 0)
            atomicAdd(digit, term);
        return;
    }
    constexpr long long unit = 1ll << 42;
    while (term != 0) {
        const unsigned long long old = atomicAdd(digit, term);
        const long long before = (long long)old, sum = (long long)(old + term), passed = sum / unit - before / unit;
        if (after == 0 || passed == 0 || (passed > 0) != (sum > 0))
            return;
        atomicAdd(digit, 0 - (unsigned long long)(passed * unit));
        term = (unsigned long long)(passed * (unit >> 32));
        digit += stride;
        --after;
    }
}

// Integer intrinsics: counting bits, high halves of products, bytes, dot products of small vectors.
#ifndef TD_CPU_INTEGER_FUNCTIONS_H
#define TD_CPU_INTEGER_FUNCTIONS_H

#include "vector_types.h"

inline int __popc(unsigned int bits) { return __builtin_popcount(bits); }
inline int __popcll(unsigned long long bits) { return __builtin_popcountll(bits); }

// The compiler's builtins leave zero undefined; CUDA's functions return the width.
inline int __clz(int bits) {
    return bits == 0 ? 32 : __builtin_clz(static_cast<unsigned int>(bits));
}
inline int __clzll(long long bits) {
    return bits == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(bits));
}

inline int __ffs(int bits) { return __builtin_ffs(bits); }
inline int __ffsll(long long bits) { return __builtin_ffsll(bits); }

inline unsigned int __brev(unsigned int bits) {
    bits = (bits & 0x55555555u) << 1 | (bits >> 1 & 0x55555555u);
    bits = (bits & 0x33333333u) << 2 | (bits >> 2 & 0x33333333u);
    bits = (bits & 0x0f0f0f0fu) << 4 | (bits >> 4 & 0x0f0f0f0fu);
    return __builtin_bswap32(bits);
}
inline unsigned long long __brevll(unsigned long long bits) {
    return static_cast<unsigned long long>(__brev(static_cast<unsigned int>(bits))) << 32 |
           __brev(static_cast<unsigned int>(bits >> 32));
}

inline int __mulhi(int a, int b) {
    return static_cast<int>(static_cast<long long>(a) * b >> 32);
}
inline unsigned int __umulhi(unsigned int a, unsigned int b) {
    return static_cast<unsigned int>(static_cast<unsigned long long>(a) * b >> 32);
}

// In halves of 32 bits, because not every compiler has 128-bit products.
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    const unsigned long long a_low = a & 0xffffffffull, a_high = a >> 32;
    const unsigned long long b_low = b & 0xffffffffull, b_high = b >> 32;
    const unsigned long long low = a_low * b_low;
    const unsigned long long middle = a_high * b_low + (low >> 32);
    const unsigned long long other = a_low * b_high + (middle & 0xffffffffull);
    return a_high * b_high + (middle >> 32) + (other >> 32);
}
inline long long __mul64hi(long long a, long long b) {
    const auto left = static_cast<unsigned long long>(a);
    const auto right = static_cast<unsigned long long>(b);
    const unsigned long long high =
        __umul64hi(left, right) - (a < 0 ? right : 0ull) - (b < 0 ? left : 0ull);
    return static_cast<long long>(high);
}

// Products of the low 24 bits, truncated to their low 32 bits.
inline unsigned int __umul24(unsigned int a, unsigned int b) {
    return (a & 0xffffffu) * (b & 0xffffffu);
}
inline int __mul24(int a, int b) {
    const long long left = static_cast<int>(static_cast<unsigned int>(a) << 8) >> 8;
    const long long right = static_cast<int>(static_cast<unsigned int>(b) << 8) >> 8;
    return static_cast<int>(left * right);
}

inline unsigned int __byte_perm(unsigned int low, unsigned int high, unsigned int selector) {
    const unsigned long long bytes = static_cast<unsigned long long>(high) << 32 | low;
    unsigned int result = 0;
    for (unsigned int place = 0; place < 4; ++place) {
        const unsigned int wanted = selector >> (4 * place) & 7u;
        result |= static_cast<unsigned int>(bytes >> (8 * wanted) & 0xffu) << (8 * place);
    }
    return result;
}

inline unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift) {
    const unsigned long long both = static_cast<unsigned long long>(high) << 32 | low;
    return static_cast<unsigned int>(both << (shift & 31u) >> 32);
}
inline unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift) {
    const unsigned long long both = static_cast<unsigned long long>(high) << 32 | low;
    return static_cast<unsigned int>(both >> (shift & 31u));
}

// The same, with shifts clamped to 32 bits.
inline unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int shift) {
    return shift >= 32u ? low : __funnelshift_l(low, high, shift);
}
inline unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int shift) {
    return shift >= 32u ? high : __funnelshift_r(low, high, shift);
}

// Means, rounded down, or to nearest, ties up.
inline int __hadd(int a, int b) {
    return static_cast<int>((static_cast<long long>(a) + b) >> 1);
}
inline int __rhadd(int a, int b) {
    return static_cast<int>((static_cast<long long>(a) + b + 1) >> 1);
}
inline unsigned int __uhadd(unsigned int a, unsigned int b) {
    return static_cast<unsigned int>((static_cast<unsigned long long>(a) + b) >> 1);
}
inline unsigned int __urhadd(unsigned int a, unsigned int b) {
    return static_cast<unsigned int>((static_cast<unsigned long long>(a) + b + 1) >> 1);
}

inline unsigned int __sad(int a, int b, unsigned int sum) {
    const long long difference = static_cast<long long>(a) - b;
    return sum + static_cast<unsigned int>(difference < 0 ? -difference : difference);
}
inline unsigned int __usad(unsigned int a, unsigned int b, unsigned int sum) {
    return sum + (a > b ? a - b : b - a);
}

// `sum` plus the dot product of the four bytes of two words. It wraps around at 32 bits, as on a GPU.
inline unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int sum) {
    return sum + static_cast<unsigned int>(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w);
}
inline int __dp4a(char4 a, char4 b, int sum) {
    const int products = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    return static_cast<int>(static_cast<unsigned int>(sum) + static_cast<unsigned int>(products));
}
inline unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int sum) {
    for (unsigned int shift = 0; shift < 32; shift += 8)
        sum += (a >> shift & 0xffu) * (b >> shift & 0xffu);
    return sum;
}
inline int __dp4a(int a, int b, int sum) {
    auto total = static_cast<unsigned int>(sum);
    for (unsigned int shift = 0; shift < 32; shift += 8) {
        const int left = static_cast<signed char>(static_cast<unsigned int>(a) >> shift & 0xffu);
        const int right = static_cast<signed char>(static_cast<unsigned int>(b) >> shift & 0xffu);
        total += static_cast<unsigned int>(left * right);
    }
    return static_cast<int>(total);
}

// The same for the two halves of `a` and the lower or upper two bytes of `b`.
inline unsigned int __dp2a_lo(ushort2 a, uchar4 b, unsigned int sum) {
    return sum + static_cast<unsigned int>(a.x) * b.x + static_cast<unsigned int>(a.y) * b.y;
}
inline unsigned int __dp2a_hi(ushort2 a, uchar4 b, unsigned int sum) {
    return sum + static_cast<unsigned int>(a.x) * b.z + static_cast<unsigned int>(a.y) * b.w;
}
inline int __dp2a_lo(short2 a, char4 b, int sum) {
    const int products = a.x * b.x + a.y * b.y;
    return static_cast<int>(static_cast<unsigned int>(sum) + static_cast<unsigned int>(products));
}
inline int __dp2a_hi(short2 a, char4 b, int sum) {
    const int products = a.x * b.z + a.y * b.w;
    return static_cast<int>(static_cast<unsigned int>(sum) + static_cast<unsigned int>(products));
}

// The same for the halves and bytes of words.
namespace td_cpu {
inline unsigned int dp2a(unsigned int a, unsigned int b, unsigned int sum) {
    return sum + (a & 0xffffu) * (b & 0xffu) + (a >> 16) * (b >> 8 & 0xffu);
}
inline int dp2a(int a, unsigned int b, int sum) {
    const auto bits = static_cast<unsigned int>(a);
    const int low = static_cast<short>(bits & 0xffffu) * static_cast<signed char>(b & 0xffu);
    const int high = static_cast<short>(bits >> 16) * static_cast<signed char>(b >> 8 & 0xffu);
    return static_cast<int>(static_cast<unsigned int>(sum) + static_cast<unsigned int>(low + high));
}
}  // namespace td_cpu
inline unsigned int __dp2a_lo(unsigned int a, unsigned int b, unsigned int sum) { return td_cpu::dp2a(a, b, sum); }
inline unsigned int __dp2a_hi(unsigned int a, unsigned int b, unsigned int sum) { return td_cpu::dp2a(a, b >> 16, sum); }
inline int __dp2a_lo(int a, int b, int sum) { return td_cpu::dp2a(a, static_cast<unsigned int>(b), sum); }
inline int __dp2a_hi(int a, int b, int sum) { return td_cpu::dp2a(a, static_cast<unsigned int>(b) >> 16, sum); }

#endif

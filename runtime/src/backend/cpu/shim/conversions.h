// Conversions with a rounding mode, and the bits of a float as an integer.
#ifndef TD_CPU_CONVERSIONS_H
#define TD_CPU_CONVERSIONS_H

#include <math.h>
#include <string.h>

namespace td_cpu {

template <class To, class From>
inline To same_bits(From value) {
    static_assert(sizeof(To) == sizeof(From), "the same number of bits");
    To result;
    memcpy(&result, &value, sizeof(To));
    return result;
}

// A rounded float as an integer. A value out of range is clamped, and a NaN gives the result that PTX defines: zero from float
// to 32 bits, otherwise only the highest bit set. C++ leaves both undefined.
template <class To, class From>
inline To clamped(From whole) {
    constexpr bool is_signed = To(-1) < To(0);
    constexpr int digits = 8 * sizeof(To) - is_signed;
    constexpr To largest = static_cast<To>(~0ull >> (64 - digits));
    if (whole != whole) {
        const bool zero = sizeof(From) == sizeof(float) && sizeof(To) == 4;
        return zero ? To(0) : static_cast<To>(1ull << (8 * sizeof(To) - 1));
    }
    // Two to the power of the number of value bits: exact in both float types.
    const From end = ldexp(From(1), digits);
    if (whole >= end) {
        return largest;
    }
    if (whole < (is_signed ? -end : From(0))) {
        return is_signed ? To(-largest - 1) : To(0);
    }
    return static_cast<To>(whole);
}

}  // namespace td_cpu

// rn: to nearest, ties to even; rz: towards zero; ru: up; rd: down.
#define TD_CPU_TO_INTEGER(name, from, to)                                                      \
    inline to name##_rn(from value) { return td_cpu::clamped<to>(rint(value)); }               \
    inline to name##_rz(from value) { return td_cpu::clamped<to>(trunc(value)); }              \
    inline to name##_ru(from value) { return td_cpu::clamped<to>(ceil(value)); }               \
    inline to name##_rd(from value) { return td_cpu::clamped<to>(floor(value)); }
TD_CPU_TO_INTEGER(__float2int, float, int)
TD_CPU_TO_INTEGER(__float2uint, float, unsigned int)
TD_CPU_TO_INTEGER(__float2ll, float, long long)
TD_CPU_TO_INTEGER(__float2ull, float, unsigned long long)
TD_CPU_TO_INTEGER(__double2int, double, int)
TD_CPU_TO_INTEGER(__double2uint, double, unsigned int)
TD_CPU_TO_INTEGER(__double2ll, double, long long)
TD_CPU_TO_INTEGER(__double2ull, double, unsigned long long)
#undef TD_CPU_TO_INTEGER

inline float __int2float_rn(int value) { return static_cast<float>(value); }
inline float __uint2float_rn(unsigned int value) { return static_cast<float>(value); }
inline float __ll2float_rn(long long value) { return static_cast<float>(value); }
inline float __ull2float_rn(unsigned long long value) { return static_cast<float>(value); }
inline double __int2double_rn(int value) { return value; }
inline double __uint2double_rn(unsigned int value) { return value; }
inline double __ll2double_rn(long long value) { return static_cast<double>(value); }
inline double __ull2double_rn(unsigned long long value) { return static_cast<double>(value); }
inline float __double2float_rn(double value) { return static_cast<float>(value); }

inline int __float_as_int(float value) { return td_cpu::same_bits<int>(value); }
inline float __int_as_float(int bits) { return td_cpu::same_bits<float>(bits); }
inline unsigned int __float_as_uint(float value) { return td_cpu::same_bits<unsigned int>(value); }
inline float __uint_as_float(unsigned int bits) { return td_cpu::same_bits<float>(bits); }
inline long long __double_as_longlong(double value) { return td_cpu::same_bits<long long>(value); }
inline double __longlong_as_double(long long bits) { return td_cpu::same_bits<double>(bits); }

inline int __double2hiint(double value) {
    return static_cast<int>(__double_as_longlong(value) >> 32);
}
inline int __double2loint(double value) { return static_cast<int>(__double_as_longlong(value)); }
inline double __hiloint2double(int high, int low) {
    return __longlong_as_double(static_cast<long long>(
        static_cast<unsigned long long>(static_cast<unsigned int>(high)) << 32 |
        static_cast<unsigned int>(low)));
}

#endif

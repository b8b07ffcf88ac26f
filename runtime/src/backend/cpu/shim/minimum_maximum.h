// CUDA's min and max. For two integers, unsigned wins as in any C++ expression. If one of two floats is NaN, the result is the
// other one. They are templates, so that a prelude may define its own function for the same types, as with NVRTC.
#ifndef TD_CPU_MINIMUM_MAXIMUM_H
#define TD_CPU_MINIMUM_MAXIMUM_H

#include <math.h>

#define TD_CPU_ORDER(result, left, right)                                                      \
    template <int = 0>                                                                         \
    inline result min(left a, right b) {                                                       \
        const result x = static_cast<result>(a), y = static_cast<result>(b);                   \
        return y < x ? y : x;                                                                  \
    }                                                                                          \
    template <int = 0>                                                                         \
    inline result max(left a, right b) {                                                       \
        const result x = static_cast<result>(a), y = static_cast<result>(b);                   \
        return x < y ? y : x;                                                                  \
    }
#define TD_CPU_ORDERS(type)                                                                    \
    TD_CPU_ORDER(type, type, type)                                                             \
    TD_CPU_ORDER(unsigned type, unsigned type, unsigned type)                                  \
    TD_CPU_ORDER(unsigned type, type, unsigned type)                                           \
    TD_CPU_ORDER(unsigned type, unsigned type, type)
TD_CPU_ORDERS(int)
TD_CPU_ORDERS(long)
TD_CPU_ORDERS(long long)
#undef TD_CPU_ORDERS
#undef TD_CPU_ORDER

template <int = 0> inline float min(float a, float b) { return fminf(a, b); }
template <int = 0> inline float max(float a, float b) { return fmaxf(a, b); }
template <int = 0> inline double min(double a, double b) { return fmin(a, b); }
template <int = 0> inline double max(double a, double b) { return fmax(a, b); }
template <int = 0> inline double min(float a, double b) { return fmin(static_cast<double>(a), b); }
template <int = 0> inline double max(float a, double b) { return fmax(static_cast<double>(a), b); }
template <int = 0> inline double min(double a, float b) { return fmin(a, static_cast<double>(b)); }
template <int = 0> inline double max(double a, float b) { return fmax(a, static_cast<double>(b)); }

// CUDA also has names for the unsigned and 64-bit versions.
inline unsigned int umin(unsigned int a, unsigned int b) { return min(a, b); }
inline unsigned int umax(unsigned int a, unsigned int b) { return max(a, b); }
inline long long llmin(long long a, long long b) { return min(a, b); }
inline long long llmax(long long a, long long b) { return max(a, b); }
inline unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
inline unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }

#endif

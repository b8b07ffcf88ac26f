// Arithmetic that is rounded towards zero, down or up. It is slow here: each call sets the processor's rounding.
#ifndef TD_CPU_ROUNDING_FUNCTIONS_H
#define TD_CPU_ROUNDING_FUNCTIONS_H

#include <fenv.h>
#include <math.h>

namespace td_cpu {

// The operation on the numbers, with this rounding. As they are volatile, they are read, and the result is written, while
// the rounding is set; otherwise the compiler could work it out before.
template <class Operation, class Number>
inline Number rounded(int rounding, Operation operation, Number a, Number b, Number c) {
    volatile Number x = a, y = b, z = c;
    const int usual = fegetround();
    fesetround(rounding);
    volatile Number result = operation(x, y, z);
    fesetround(usual);
    return result;
}

template <class Operation, class Number>
inline Number rounded(int rounding, Operation operation, Number a, Number b) {
    const auto of_two = [&](Number x, Number y, Number) { return operation(x, y); };
    return rounded(rounding, of_two, a, b, b);
}

template <class Operation, class Number>
inline Number rounded(int rounding, Operation operation, Number a) {
    const auto of_one = [&](Number x, Number, Number) { return operation(x); };
    return rounded(rounding, of_one, a, a, a);
}

template <class Number>
inline Number sum(Number a, Number b) { return a + b; }
template <class Number>
inline Number difference(Number a, Number b) { return a - b; }
template <class Number>
inline Number product(Number a, Number b) { return a * b; }
template <class Number>
inline Number quotient(Number a, Number b) { return a / b; }
template <class Number>
inline Number inverse(Number a) { return Number(1) / a; }
inline float root(float a) { return sqrtf(a); }
inline double root(double a) { return sqrt(a); }
inline float fused(float a, float b, float c) { return fmaf(a, b, c); }
inline double fused(double a, double b, double c) { return fma(a, b, c); }

}  // namespace td_cpu

#define TD_CPU_ONE(type, name, rounding, operation)                                            \
    inline type name(type a) {                                                                 \
        return td_cpu::rounded(rounding, [](type x) { return td_cpu::operation(x); }, a);      \
    }
#define TD_CPU_TWO(type, name, rounding, operation)                                            \
    inline type name(type a, type b) {                                                         \
        return td_cpu::rounded(rounding, td_cpu::operation<type>, a, b);                       \
    }
#define TD_CPU_THREE(type, name, rounding)                                                     \
    inline type name(type a, type b, type c) {                                                 \
        const auto fused = [](type x, type y, type z) { return td_cpu::fused(x, y, z); };      \
        return td_cpu::rounded(rounding, fused, a, b, c);                                      \
    }
#define TD_CPU_ALL(suffix, rounding)                                                           \
    TD_CPU_TWO(float, __fadd_##suffix, rounding, sum)                                          \
    TD_CPU_TWO(float, __fsub_##suffix, rounding, difference)                                   \
    TD_CPU_TWO(float, __fmul_##suffix, rounding, product)                                      \
    TD_CPU_TWO(float, __fdiv_##suffix, rounding, quotient)                                     \
    TD_CPU_ONE(float, __frcp_##suffix, rounding, inverse)                                      \
    TD_CPU_ONE(float, __fsqrt_##suffix, rounding, root)                                        \
    TD_CPU_THREE(float, __fmaf_##suffix, rounding)                                             \
    TD_CPU_TWO(double, __dadd_##suffix, rounding, sum)                                         \
    TD_CPU_TWO(double, __dsub_##suffix, rounding, difference)                                  \
    TD_CPU_TWO(double, __dmul_##suffix, rounding, product)                                     \
    TD_CPU_TWO(double, __ddiv_##suffix, rounding, quotient)                                    \
    TD_CPU_ONE(double, __drcp_##suffix, rounding, inverse)                                     \
    TD_CPU_ONE(double, __dsqrt_##suffix, rounding, root)                                       \
    TD_CPU_THREE(double, __fma_##suffix, rounding)                                             \
    inline float __double2float_##suffix(double value) {                                       \
        const auto narrow = [](double x) { return static_cast<double>(static_cast<float>(x)); }; \
        return static_cast<float>(td_cpu::rounded(rounding, narrow, value));                   \
    }                                                                                          \
    TD_CPU_TO_FLOAT(__int2float_##suffix, rounding, int)                                       \
    TD_CPU_TO_FLOAT(__uint2float_##suffix, rounding, unsigned int)
// A whole number of 32 bits is exact in double.
#define TD_CPU_TO_FLOAT(name, rounding, from)                                                  \
    inline float name(from value) {                                                            \
        const auto narrow = [](double x) { return static_cast<double>(static_cast<float>(x)); }; \
        return static_cast<float>(td_cpu::rounded(rounding, narrow, static_cast<double>(value))); \
    }
TD_CPU_ALL(rz, FE_TOWARDZERO)
TD_CPU_ALL(rd, FE_DOWNWARD)
TD_CPU_ALL(ru, FE_UPWARD)
#undef TD_CPU_ALL
#undef TD_CPU_ONE
#undef TD_CPU_TWO
#undef TD_CPU_THREE
#undef TD_CPU_TO_FLOAT

#endif

// Arithmetic rounded towards zero, down or up. It is slow here: each call sets the processor's rounding mode.
#ifndef TD_CPU_ROUNDING_FUNCTIONS_H
#define TD_CPU_ROUNDING_FUNCTIONS_H

#include <fenv.h>
#include <math.h>

// Returns an expression of the numbers x, y and z in this rounding mode. They are volatile so that they are read, and the
// result is written, while the mode is set; otherwise the compiler could evaluate it before.
#define TD_CPU_ROUNDED(type, rounding, expression)                                             \
    const int usual = fegetround();                                                            \
    fesetround(rounding);                                                                      \
    volatile type result = expression;                                                         \
    fesetround(usual);                                                                         \
    return result
#define TD_CPU_ONE(type, name, rounding, expression)                                           \
    inline type name(type a) {                                                                 \
        volatile type x = a;                                                                   \
        TD_CPU_ROUNDED(type, rounding, expression);                                            \
    }
#define TD_CPU_TWO(type, name, rounding, expression)                                           \
    inline type name(type a, type b) {                                                         \
        volatile type x = a, y = b;                                                            \
        TD_CPU_ROUNDED(type, rounding, expression);                                            \
    }
#define TD_CPU_THREE(type, name, rounding, expression)                                         \
    inline type name(type a, type b, type c) {                                                 \
        volatile type x = a, y = b, z = c;                                                     \
        TD_CPU_ROUNDED(type, rounding, expression);                                            \
    }
// A double and a 32-bit integer, which is exact in double.
#define TD_CPU_TO_FLOAT(name, rounding, from)                                                  \
    inline float name(from value) {                                                            \
        volatile double x = value;                                                             \
        TD_CPU_ROUNDED(float, rounding, static_cast<float>(x));                                \
    }
#define TD_CPU_ALL(suffix, rounding)                                                           \
    TD_CPU_TWO(float, __fadd_##suffix, rounding, x + y)                                        \
    TD_CPU_TWO(float, __fsub_##suffix, rounding, x - y)                                        \
    TD_CPU_TWO(float, __fmul_##suffix, rounding, x * y)                                        \
    TD_CPU_TWO(float, __fdiv_##suffix, rounding, x / y)                                        \
    TD_CPU_ONE(float, __frcp_##suffix, rounding, 1 / x)                                        \
    TD_CPU_ONE(float, __fsqrt_##suffix, rounding, sqrtf(x))                                    \
    TD_CPU_THREE(float, __fmaf_##suffix, rounding, fmaf(x, y, z))                              \
    TD_CPU_TWO(double, __dadd_##suffix, rounding, x + y)                                       \
    TD_CPU_TWO(double, __dsub_##suffix, rounding, x - y)                                       \
    TD_CPU_TWO(double, __dmul_##suffix, rounding, x * y)                                       \
    TD_CPU_TWO(double, __ddiv_##suffix, rounding, x / y)                                       \
    TD_CPU_ONE(double, __drcp_##suffix, rounding, 1 / x)                                       \
    TD_CPU_ONE(double, __dsqrt_##suffix, rounding, sqrt(x))                                    \
    TD_CPU_THREE(double, __fma_##suffix, rounding, fma(x, y, z))                               \
    TD_CPU_TO_FLOAT(__double2float_##suffix, rounding, double)                                 \
    TD_CPU_TO_FLOAT(__int2float_##suffix, rounding, int)                                       \
    TD_CPU_TO_FLOAT(__uint2float_##suffix, rounding, unsigned int)
TD_CPU_ALL(rz, FE_TOWARDZERO)
TD_CPU_ALL(rd, FE_DOWNWARD)
TD_CPU_ALL(ru, FE_UPWARD)
#undef TD_CPU_ALL
#undef TD_CPU_ONE
#undef TD_CPU_TWO
#undef TD_CPU_THREE
#undef TD_CPU_TO_FLOAT
#undef TD_CPU_ROUNDED

#endif

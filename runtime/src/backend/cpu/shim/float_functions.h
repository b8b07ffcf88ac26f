// CUDA's functions of float and double that <math.h> lacks.
#ifndef TD_CPU_FLOAT_FUNCTIONS_H
#define TD_CPU_FLOAT_FUNCTIONS_H

#include <math.h>

#include <cmath>

// Arithmetic with a single rounding. The kernel is compiled without contraction, so plain operators do that.
inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fsub_rn(float a, float b) { return a - b; }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fdiv_rn(float a, float b) { return a / b; }
inline float __frcp_rn(float a) { return 1.0f / a; }
inline float __fsqrt_rn(float a) { return sqrtf(a); }
inline float __frsqrt_rn(float a) { return static_cast<float>(1.0 / sqrt(static_cast<double>(a))); }
inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
inline double __dadd_rn(double a, double b) { return a + b; }
inline double __dsub_rn(double a, double b) { return a - b; }
inline double __dmul_rn(double a, double b) { return a * b; }
inline double __ddiv_rn(double a, double b) { return a / b; }
inline double __drcp_rn(double a) { return 1.0 / a; }
inline double __dsqrt_rn(double a) { return sqrt(a); }
inline double __fma_rn(double a, double b, double c) { return fma(a, b, c); }

// The fast approximations are the accurate functions here. They are macros because glibc declares functions of these names
// without defining them.
#define __expf expf
#define __exp10f exp10f
#define __logf logf
#define __log2f log2f
#define __log10f log10f
#define __sinf sinf
#define __cosf cosf
#define __tanf tanf
#define __sincosf sincosf
#define __powf powf
inline float __fdividef(float a, float b) { return a / b; }
inline float fdividef(float a, float b) { return a / b; }
// In this order a NaN gives zero, as in CUDA.
inline float __saturatef(float a) { return a > 0.0f ? (a < 1.0f ? a : 1.0f) : 0.0f; }

// Newer C libraries declare some of the following functions. Overload resolution prefers their declaration to a template; a
// second function of the same name would be an error.
namespace td_cpu {
template <class Value>
struct real {
    using type = double;
};
template <>
struct real<float> {
    using type = float;
};
template <class Value>
using float_or_double = typename real<Value>::type;
constexpr double pi = 3.14159265358979323846;
}  // namespace td_cpu

template <class Value>
inline float rsqrtf(Value a) {
    return 1.0f / sqrtf(static_cast<float>(a));
}
template <class Value>
inline td_cpu::float_or_double<Value> rsqrt(Value a) {
    using result = td_cpu::float_or_double<Value>;
    return result(1) / sqrt(static_cast<result>(a));
}
template <class Value>
inline float exp10f(Value a) {
    return powf(10.0f, static_cast<float>(a));
}
template <class Value>
inline td_cpu::float_or_double<Value> exp10(Value a) {
    using result = td_cpu::float_or_double<Value>;
    return pow(result(10), static_cast<result>(a));
}
template <class Value>
inline void sincosf(Value a, float *sine, float *cosine) {
    *sine = sinf(static_cast<float>(a));
    *cosine = cosf(static_cast<float>(a));
}
template <class Value>
inline void sincos(Value a, double *sine, double *cosine) {
    *sine = sin(static_cast<double>(a));
    *cosine = cos(static_cast<double>(a));
}
// The period is subtracted first, while that is still exact.
template <class Value>
inline double sinpi(Value a) {
    return sin(td_cpu::pi * remainder(static_cast<double>(a), 2.0));
}
template <class Value>
inline double cospi(Value a) {
    return cos(td_cpu::pi * remainder(static_cast<double>(a), 2.0));
}
template <class Value>
inline float sinpif(Value a) {
    return static_cast<float>(sin(td_cpu::pi * remainder(static_cast<double>(a), 2.0)));
}
template <class Value>
inline float cospif(Value a) {
    return static_cast<float>(cos(td_cpu::pi * remainder(static_cast<double>(a), 2.0)));
}

// In double, where the square of a float cannot overflow.
inline float norm3df(float a, float b, float c) {
    const double x = a, y = b, z = c;
    return static_cast<float>(sqrt(x * x + y * y + z * z));
}
inline float norm4df(float a, float b, float c, float d) {
    const double x = a, y = b, z = c, w = d;
    return static_cast<float>(sqrt(x * x + y * y + z * z + w * w));
}
inline float rnorm3df(float a, float b, float c) { return 1.0f / norm3df(a, b, c); }
inline float rnorm4df(float a, float b, float c, float d) { return 1.0f / norm4df(a, b, c, d); }
inline float rhypotf(float a, float b) { return 1.0f / hypotf(a, b); }
inline float rcbrtf(float a) { return 1.0f / cbrtf(a); }
inline double norm3d(double a, double b, double c) { return std::hypot(a, b, c); }
inline double norm4d(double a, double b, double c, double d) {
    return std::hypot(std::hypot(a, b), std::hypot(c, d));
}
inline double rnorm3d(double a, double b, double c) { return 1.0 / norm3d(a, b, c); }
inline double rnorm4d(double a, double b, double c, double d) { return 1.0 / norm4d(a, b, c, d); }
inline double rhypot(double a, double b) { return 1.0 / hypot(a, b); }
inline double rcbrt(double a) { return 1.0 / cbrt(a); }
inline float normcdff(float a) {
    return static_cast<float>(0.5 * erfc(-static_cast<double>(a) * sqrt(0.5)));
}
inline double normcdf(double a) { return 0.5 * erfc(-a * sqrt(0.5)); }

#endif

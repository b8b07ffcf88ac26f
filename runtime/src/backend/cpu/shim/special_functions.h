// CUDA's special functions that C lacks: inverse error functions, erfcx, and Bessel functions. Those of float round those of
// double.
#ifndef TD_CPU_SPECIAL_FUNCTIONS_H
#define TD_CPU_SPECIAL_FUNCTIONS_H

#include <math.h>

#include "float_functions.h"

inline double erfcx(double x) {
    if (x < 25) {
        // The rounding error of the square, relative to the result, grows with the square.
        const double square = x * x, rest = fma(x, x, -square);
        const double power = exp(square);
        return isinf(power) ? INFINITY : power * (1 + rest) * erfc(x);
    }
    // The asymptotic series. From here on, the omitted terms are below a double's precision.
    const double t = 1 / (2 * x) / x;
    return (1 - t * (1 - 3 * t * (1 - 5 * t * (1 - 7 * t * (1 - 9 * t * (1 - 11 * t * (1 - 13 * t))))))) / (x * sqrt(M_PI));
}

namespace td_cpu {

// The x with erfc(x) = p, for 0 < p <= 0.5: Winitzki's approximation, refined by Newton's method, each step of which doubles
// the correct digits. It compares logarithms, so p cannot be too small.
inline double half_erfcinv(double p) {
    const double slope = 2 / sqrt(M_PI), a = 0.147;
    const double logarithm = log(p) + log1p(1 - p);
    const double half = 2 / (M_PI * a) + logarithm / 2;
    double x = sqrt(sqrt(half * half - logarithm / a) - half);
    for (int step = 0; step < 4; ++step) {
        const double scaled = erfcx(x);
        x += (log(scaled) - x * x - log(p)) * scaled / slope;
    }
    return x;
}

}  // namespace td_cpu

inline double erfinv(double y) {
    const double size = fabs(y);
    if (!(size <= 1)) {
        return NAN;
    }
    if (size == 1) {
        return copysign(INFINITY, y);
    }
    // 1 - |y| is exact from 0.5 on. Below, erf itself is precise enough.
    if (size >= 0.5) {
        return copysign(td_cpu::half_erfcinv(1 - size), y);
    }
    const double slope = 2 / sqrt(M_PI);
    double x = y / slope;
    for (int step = 0; step < 4; ++step) {
        const double newton = (erf(x) - y) / (slope * exp(-x * x));
        x -= newton / (1 + x * newton);
    }
    return x;
}

inline double erfcinv(double p) {
    if (!(p >= 0 && p <= 2)) {
        return NAN;
    }
    // 1 - p is exact from 0.5 on.
    if (p >= 0.5) {
        return erfinv(1 - p);
    }
    return p == 0 ? INFINITY : td_cpu::half_erfcinv(p);
}

inline double normcdfinv(double p) { return -sqrt(2.0) * erfcinv(2 * p); }

namespace td_cpu {

// The series of a modified Bessel function, whose terms are all positive.
inline double bessel_series(double x, double order) {
    const double quarter = x * x / 4;
    double sum = 1, term = 1;
    for (double k = 1; term > sum * 1e-17 && !isinf(sum); ++k) {
        term *= quarter / (k * (k + order));
        sum += term;
    }
    return sum;
}

}  // namespace td_cpu

inline double cyl_bessel_i0(double x) { return td_cpu::bessel_series(x, 0); }
inline double cyl_bessel_i1(double x) { return x / 2 * td_cpu::bessel_series(x, 1); }

inline float erfcinvf(float p) { return static_cast<float>(erfcinv(static_cast<double>(p))); }
inline float erfinvf(float y) { return static_cast<float>(erfinv(static_cast<double>(y))); }
inline float normcdfinvf(float p) { return static_cast<float>(normcdfinv(static_cast<double>(p))); }
inline float erfcxf(float x) { return static_cast<float>(erfcx(static_cast<double>(x))); }
inline float cyl_bessel_i0f(float x) { return static_cast<float>(cyl_bessel_i0(static_cast<double>(x))); }
inline float cyl_bessel_i1f(float x) { return static_cast<float>(cyl_bessel_i1(static_cast<double>(x))); }

template <class Value>
inline void sincospi(Value a, double *sine, double *cosine) {
    *sine = sinpi(static_cast<double>(a));
    *cosine = cospi(static_cast<double>(a));
}
template <class Value>
inline void sincospif(Value a, float *sine, float *cosine) {
    *sine = sinpif(static_cast<float>(a));
    *cosine = cospif(static_cast<float>(a));
}

#endif

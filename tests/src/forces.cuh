// What every way of writing a function, a struct and a constant looks like in a prelude.
#pragma once
#ifndef FORCES_CUH
#define FORCES_CUH

/// A type, and a function of it. Nothing has to be said of devices.
struct Potential {
    float energy, force;

    float at(float distance) const { return energy * distance; }
};

constexpr float UNUSED = 1.0f;
static const float HALF = 0.5f;
__constant__ float powers[3] = {1.0f, 2.0f, 4.0f};

enum { FIRST, SECOND = 5, };

namespace shifted {
inline float by(float value, uint32_t steps) { return value + steps * HALF; }
}

// Only the prelude uses this name of C's.
static __device__ __forceinline__ float angle(float turns) { return 2 * float(M_PI) * turns; }

__device__ float squared(float x) { return x * x; }
__host__ __device__ float twice(float x);
float twice(float x) { return x + x; }

template <typename T>
T third_power(T x)
{
    return x * x * x;
}

inline float3 operator-(float3 a, float3 b)
{
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}

inline float dot(const float3 &a, const float3 &b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// Up to the cutoff, and shifted to be zero there.
inline Potential lennard_jones(float squared_distance)
{
    if (squared_distance >= squared(CUTOFF))
        return {0.0f, 0.0f};
    const float inverse = 1.0f / squared_distance;
    const float sixth = third_power(inverse);
    return {4 * EPSILON * sixth * (sixth - 1) - SHIFT, 24 * EPSILON * inverse * sixth * (2 * sixth - 1)};
}

#define DISTANCE(a, b) sqrtf(dot((a) - (b), (a) - (b)))
#endif

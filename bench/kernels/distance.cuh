// Points of 1 to 4 features, and the Euclidean distance of two.

#ifndef FEATURES
#define FEATURES 4
#endif

#if FEATURES == 1
typedef float Point;
#elif FEATURES == 2
typedef float2 Point;
#elif FEATURES == 3
typedef float3 Point;
#else
typedef float4 Point;
#endif

static __device__ __forceinline__ float distance(const Point a, const Point b)
{
#if FEATURES == 1
    const float dx = a - b;
    return sqrtf(dx * dx);
#elif FEATURES == 2
    const float dx = a.x - b.x, dy = a.y - b.y;
    return sqrtf(dx * dx + dy * dy);
#elif FEATURES == 3
    const float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
    return sqrtf(dx * dx + dy * dy + dz * dz);
#else
    const float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z, dw = a.w - b.w;
    return sqrtf(dx * dx + dy * dy + dz * dz + dw * dw);
#endif
}

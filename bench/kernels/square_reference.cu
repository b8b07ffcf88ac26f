// Square Euclidean distances as plainly as possible: what the other kernels are checked against.
// Pair (i, j) has slot i n + j, and the diagonal is zero.

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

extern "C" __global__ void __launch_bounds__(256)
square_reference(const unsigned int n, const Point *__restrict__ const points, float *const out)
{
    const unsigned int i = blockIdx.y * 8 + threadIdx.y, j = blockIdx.x * 32 + threadIdx.x;
    if (i < n && j < n)
        out[(unsigned long long)i * n + j] = i == j ? 0 : distance(points[i], points[j]);
}

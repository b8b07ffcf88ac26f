// Packed Euclidean distances as plainly as possible: what the other kernels are checked against.
// Pair (i, j), i > j, has slot i (i - 1) / 2 + j.

#include "distance.cuh"

extern "C" __global__ void __launch_bounds__(256)
packed_reference(const unsigned int row_count, const unsigned int, const Point *__restrict__ const points,
                 const Point *, float *const out)
{
    const unsigned int i = blockIdx.y * 8 + threadIdx.y, j = blockIdx.x * 32 + threadIdx.x;
    if (i < row_count && j < i)
        out[(unsigned long long)i * (i - 1) / 2 + j] = distance(points[i], points[j]);
}

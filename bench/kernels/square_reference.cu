// Square Euclidean distances as plainly as possible: what the other kernels are checked against.
// Pair (i, j) has slot i * rows + j, and the diagonal is zero.

#include "distance.cuh"

extern "C" __global__ void __launch_bounds__(256)
square_reference(const unsigned int row_count, const unsigned int, const Point *__restrict__ const points,
                 const Point *, float *const out)
{
    const unsigned int i = blockIdx.y * 8 + threadIdx.y, j = blockIdx.x * 32 + threadIdx.x;
    if (i < row_count && j < row_count)
        out[(unsigned long long)i * row_count + j] = i == j ? 0 : distance(points[i], points[j]);
}

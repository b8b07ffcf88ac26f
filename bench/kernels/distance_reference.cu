// Euclidean distances as plainly as possible: what the other kernels are checked against.

#include "distance.cuh"

// 0 for packed slots of the pairs i > j of one set, 1 for the square of one set, whose diagonal is zero, 2 for a matrix of two sets.
#ifndef LAYOUT
#define LAYOUT 0
#endif

extern "C" __global__ void __launch_bounds__(256)
distance_reference(const unsigned int row_count, const unsigned int column_count,
                   const Point *__restrict__ const row_points, const Point *__restrict__ const column_points,
                   float *const out)
{
    const unsigned int i = blockIdx.y * 8 + threadIdx.y, j = blockIdx.x * 32 + threadIdx.x;
    if (i >= row_count || j >= (LAYOUT == 0 ? i : column_count))
        return;
    const unsigned long long row = LAYOUT == 0 ? (unsigned long long)i * (i - 1) / 2 : (unsigned long long)i * column_count;
    out[row + j] = LAYOUT == 1 && i == j ? 0 : distance(row_points[i], column_points[j]);
}

// Euclidean distances of the points of two sets as plainly as possible: what the other kernels are checked against.
// Pair (i, j) has slot i * columns + j.

#include "distance.cuh"

extern "C" __global__ void __launch_bounds__(256)
rectangle_reference(const unsigned int row_count, const unsigned int column_count,
                    const Point *__restrict__ const row_points, const Point *__restrict__ const column_points,
                    float *const out)
{
    const unsigned int i = blockIdx.y * 8 + threadIdx.y, j = blockIdx.x * 32 + threadIdx.x;
    if (i < row_count && j < column_count)
        out[(unsigned long long)i * column_count + j] = distance(row_points[i], column_points[j]);
}

// Packed Euclidean distances as in the papers: blocks of 16 x 16 threads on the lower triangle, one
// thread a pair.

#include "distance.cuh"

// The row of a unit of the triangle, counted row by row: an estimate, at most one row off, repaired.
static __device__ __forceinline__ unsigned int triangle_row(const unsigned int unit)
{
    unsigned int row = (unsigned int)((sqrtf(8.0f * unit + 1.0f) - 1.0f) * 0.5f);
    if (row * (row + 1) / 2 > unit)
        --row;
    else if ((row + 1) * (row + 2) / 2 <= unit)
        ++row;
    return row;
}

extern "C" __global__ void __launch_bounds__(256)
packed_pair(const unsigned int n, const Point *__restrict__ const points, float *__restrict__ const out)
{
    __shared__ Point rows[16], columns[16];

    const unsigned int row = triangle_row(blockIdx.x);
    const unsigned int column = blockIdx.x - row * (row + 1) / 2;
    const unsigned int i = 16 * row + threadIdx.y, j = 16 * column + threadIdx.x;

    // The first two rows of threads fetch the block's elements, one element a thread.
    if (threadIdx.y < 2) {
        const unsigned int element = 16 * (threadIdx.y == 0 ? row : column) + threadIdx.x;
        (threadIdx.y == 0 ? rows : columns)[threadIdx.x] = points[min(element, n - 1)];
    }
    __syncthreads();

    if (i < n && j < i)
        out[(unsigned long long)i * (i - 1) / 2 + j] = distance(rows[threadIdx.y], columns[threadIdx.x]);
}

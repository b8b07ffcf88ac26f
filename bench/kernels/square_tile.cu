// Square Euclidean distances at the speed of the memory: tiles of TILE x TILE on the whole square, each
// of a block of TILE / 4 x THREADS_Y threads. A thread keeps four neighbouring columns in registers and
// goes along the rows. Both halves are computed: an exchange of tiles would cost more than it saves.

#include "distance.cuh"

#ifndef TILE
#define TILE 128
#endif
#ifndef THREADS_Y
#define THREADS_Y 16
#endif

static_assert(TILE % THREADS_Y == 0, "every thread has as many rows");

extern "C" __global__ void __launch_bounds__(TILE / 4 * THREADS_Y)
square_tile(const unsigned int n, const Point *__restrict__ const points, float *__restrict__ const out)
{
    __shared__ Point rows[TILE];

    const unsigned int first_row = blockIdx.y * TILE;
    const unsigned int j = blockIdx.x * TILE + 4 * threadIdx.x;
    for (unsigned int k = threadIdx.y * (TILE / 4) + threadIdx.x; k < TILE; k += TILE / 4 * THREADS_Y)
        rows[k] = points[min(first_row + k, n - 1)];
    Point columns[4];
    #pragma unroll
    for (unsigned int k = 0; k < 4; ++k)
        columns[k] = points[min(j + k, n - 1)];
    __syncthreads();

    #pragma unroll 2
    for (unsigned int r = threadIdx.y; r < TILE; r += THREADS_Y) {
        const unsigned int i = first_row + r;
        if (i >= n)
            break;
        const Point row = rows[r];
        float value[4];
        #pragma unroll
        for (unsigned int k = 0; k < 4; ++k)
            value[k] = i == j + k ? 0 : distance(row, columns[k]);
        float *const slots = out + (unsigned long long)i * n + j;
        // Only where n is a multiple of 4 does every row start where a vector can be stored.
        if (n % 4 == 0 && j < n) {
            __stcs(reinterpret_cast<float4 *>(slots), make_float4(value[0], value[1], value[2], value[3]));
        } else {
            #pragma unroll
            for (unsigned int k = 0; k < 4; ++k) {
                if (j + k < n)
                    slots[k] = value[k];
            }
        }
    }
}

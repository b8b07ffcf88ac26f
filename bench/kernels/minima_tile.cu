// For each row of a rectangle the least square of a distance to a column, and where PARTNER is set, the group of GROUP
// columns in which it is. A block has THREADS * ROWS rows, ROWS of them in each thread's registers, and COLUMNS columns in
// shared memory, which all threads read in the same order. The index of a column would cost three instructions a pair
// instead of one; that of a group costs them once a group. `minima_partner` then finds the column in it.
//
// The loop's instructions a pair (sm_90, 4 rows a thread, with the partner; 8 rows have 0.1 less):
//
// | features | FADD, FMUL, FFMA | FMNMX | shared loads | of the group and the loop | all  |
// | -------- | ---------------- | ----- | ------------ | ------------------------- | ---- |
// | 2        | 4                | 0.97  | 0.13         | 0.13                      | 5.23 |
// | 3        | 6                | 0.97  | 0.25         | 0.13                      | 7.35 |
// | 4        | 8                | 0.97  | 0.25         | 0.13                      | 9.35 |

#include "distance.cuh"

#ifndef ROWS
#define ROWS 4
#endif
#ifndef THREADS
#define THREADS 128
#endif
#ifndef COLUMNS
#define COLUMNS 1024
#endif
#ifndef PARTNER
#define PARTNER 1
#endif

// As in `minima_partner`.
#define GROUP 32

// In shared memory a point is as wide as a load.
#if FEATURES == 3
typedef float4 Stored;
static __device__ __forceinline__ Stored stored(const Point p) { return make_float4(p.x, p.y, p.z, 0); }
static __device__ __forceinline__ Point loaded(const Stored p) { return make_float3(p.x, p.y, p.z); }
#else
typedef Point Stored;
static __device__ __forceinline__ Stored stored(const Point p) { return p; }
static __device__ __forceinline__ Point loaded(const Stored p) { return p; }
#endif

// The bits of numbers that are not negative have the order of the numbers. `least` starts with all bits set.
#if PARTNER
typedef unsigned long long Least;
#else
typedef unsigned int Least;
#endif

extern "C" __global__ void __launch_bounds__(THREADS)
minima_tile(const unsigned int row_count, const unsigned int column_count, const Point *__restrict__ const row_points,
            const Point *__restrict__ const column_points, Least *const least)
{
    __shared__ Stored columns[COLUMNS];

    const unsigned int first_row = blockIdx.x * (THREADS * ROWS) + threadIdx.x;
    const unsigned int first_column = blockIdx.y * COLUMNS;

    Point rows[ROWS];
    float best[ROWS];
#if PARTNER
    unsigned int groups[ROWS] = {};
#endif
    #pragma unroll
    for (unsigned int k = 0; k < ROWS; ++k) {
        rows[k] = row_points[min(first_row + k * THREADS, row_count - 1)];
        best[k] = __int_as_float(0x7f800000);
    }
    // Past the last column there is the last one again, which changes no minimum.
    #pragma unroll
    for (unsigned int k = threadIdx.x; k < COLUMNS; k += THREADS)
        columns[k] = stored(column_points[min(first_column + k, column_count - 1)]);
    __syncthreads();

    #pragma unroll 1
    for (unsigned int group = 0; group < COLUMNS; group += GROUP) {
        float minima[ROWS];
        #pragma unroll
        for (unsigned int column = 0; column < GROUP; ++column) {
            const Point point = loaded(columns[group + column]);
            #pragma unroll
            for (unsigned int k = 0; k < ROWS; ++k) {
                const float square = square_of_distance(rows[k], point);
                minima[k] = column == 0 ? square : fminf(minima[k], square);
            }
        }
        #pragma unroll
        for (unsigned int k = 0; k < ROWS; ++k) {
#if PARTNER
            // The first of the groups with the same minimum stays.
            if (minima[k] < best[k]) {
                best[k] = minima[k];
                groups[k] = group;
            }
#else
            best[k] = fminf(best[k], minima[k]);
#endif
        }
    }

    #pragma unroll
    for (unsigned int k = 0; k < ROWS; ++k) {
        const unsigned int i = first_row + k * THREADS;
        if (i < row_count) {
#if PARTNER
            const Least number = (first_column + groups[k]) / GROUP;
            atomicMin(&least[i], (Least)__float_as_uint(best[k]) << 32 | number);
#else
            atomicMin(&least[i], __float_as_uint(best[k]));
#endif
        }
    }
}

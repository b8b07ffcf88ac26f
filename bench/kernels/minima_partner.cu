// The column of each row's minimum, from its group, which `minima_tile` has found: a warp has a row, and each lane a
// column of the group. Of several columns with the same distance it is the first.

#include "distance.cuh"

#define GROUP 32

extern "C" __global__ void __launch_bounds__(256)
minima_partner(const unsigned int row_count, const unsigned int column_count, const Point *__restrict__ const row_points,
               const Point *__restrict__ const column_points, const unsigned long long *__restrict__ const least,
               uint2 *const partners)
{
    const unsigned int i = (blockIdx.x * 256 + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (i >= row_count)
        return;
    const float square = __uint_as_float((unsigned int)(least[i] >> 32));
    const unsigned int j = (unsigned int)least[i] * GROUP + lane;
    const bool is_it = j < column_count && square_of_distance(row_points[i], column_points[j]) == square;
    const unsigned int lanes = __ballot_sync(0xffffffff, is_it);
    if (lane == 0)
        partners[i] = make_uint2(__float_as_uint(square), j + __ffs(lanes) - 1);
}

// For each row of a rectangle the least square of a distance to a column, in double precision, as plainly as possible:
// what the other kernels are checked against.

#include "distance.cuh"

extern "C" __global__ void __launch_bounds__(128)
minima_reference(const unsigned int row_count, const unsigned int column_count,
                 const Point *__restrict__ const row_points, const Point *__restrict__ const column_points,
                 double *const least)
{
    const unsigned int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= row_count)
        return;
    const float *const row = (const float *)&row_points[i];
    double best = 1e300;
    for (unsigned int j = 0; j < column_count; ++j) {
        const float *const column = (const float *)&column_points[j];
        double square = 0;
        for (unsigned int feature = 0; feature < FEATURES; ++feature) {
            const double difference = (double)row[feature] - column[feature];
            square += difference * difference;
        }
        best = fmin(best, square);
    }
    least[i] = best;
}

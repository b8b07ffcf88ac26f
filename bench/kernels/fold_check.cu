// Compares sums over features, their roots or cosines with those in double precision: counts the results that are further off
// than `share` of the expected value, and finds the first of them. One thread a pair. `result` starts as { 0, the largest number }.

// Settings: DOT, products, or else squares of differences; ROOT, whether the results are roots of the sums; COSINE, whether they are
// products divided by both norms; PACKED, packed slots of the pairs i > j of the rows of `a`, or else a matrix.

extern "C" __global__ void __launch_bounds__(256)
fold_check(const unsigned int rows, const unsigned int columns, const unsigned int features,
           const float *__restrict__ const a, const float *__restrict__ const b, const double share,
           const float *__restrict__ const out, unsigned long long *const result)
{
    const unsigned int i = blockIdx.y * 8 + threadIdx.y, j = blockIdx.x * 32 + threadIdx.x;
    if (i >= rows || j >= (PACKED ? i : columns))
        return;
    const float *const row = a + (unsigned long long)i * features, *const column = b + (unsigned long long)j * features;
    double sum = 0, row_square = 0, column_square = 0;
    for (unsigned int k = 0; k < features; ++k) {
        const double x = row[k], y = column[k];
        sum += DOT ? x * y : (x - y) * (x - y);
        row_square += x * x;
        column_square += y * y;
    }
    const double expected = COSINE ? sum / sqrt(row_square * column_square) : ROOT ? sqrt(sum) : sum;
    const unsigned long long begin = PACKED ? (unsigned long long)i * (i - 1) / 2 : (unsigned long long)i * columns;
    // Written so that a NaN, which is what a slot that nobody wrote holds, is wrong.
    if (!(fabs(out[begin + j] - expected) <= share * fabs(expected))) {
        atomicAdd(&result[0], 1ull);
        atomicMin(&result[1], begin + j);
    }
}

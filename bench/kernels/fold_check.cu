// Compares sums over features, or cosines, with those in double precision: counts the results that are further off than
// `share` of the expected value, and finds the first of them. One thread a pair. `result` starts as { 0, the largest number }.

// Products, or else squares of differences.
#ifndef DOT
#define DOT 0
#endif
// Whether the results are roots of the sums.
#ifndef ROOT
#define ROOT 0
#endif
// Whether the results are products divided by both norms.
#ifndef COSINE
#define COSINE 0
#endif
// Packed slots of the pairs i > j of the rows of `a`, or else a matrix.
#ifndef PACKED
#define PACKED 0
#endif

static __device__ __forceinline__ double term(const double a, const double b)
{
    return DOT ? a * b : (a - b) * (a - b);
}

static __device__ __forceinline__ double square(const float4 x)
{
    return (double)x.x * x.x + (double)x.y * x.y + (double)x.z * x.z + (double)x.w * x.w;
}

// Rows begin at multiples of 16 bytes, and have a multiple of 4 features.
extern "C" __global__ void __launch_bounds__(256)
fold_check(const unsigned int rows, const unsigned int columns, const unsigned int features,
           const float4 *__restrict__ const a, const float4 *__restrict__ const b, const double share,
           const float *__restrict__ const out, unsigned long long *const result)
{
    const unsigned int i = blockIdx.y * 8 + threadIdx.y, j = blockIdx.x * 32 + threadIdx.x;
    if (i >= rows || j >= (PACKED ? i : columns))
        return;
    const float4 *const row = a + (unsigned long long)i * (features / 4);
    const float4 *const column = b + (unsigned long long)j * (features / 4);
    double sum = 0, row_square = 0, column_square = 0;
    for (unsigned int k = 0; k < features / 4; ++k) {
        const float4 x = row[k], y = column[k];
        sum += term(x.x, y.x) + term(x.y, y.y) + term(x.z, y.z) + term(x.w, y.w);
        if (COSINE) {
            row_square += square(x);
            column_square += square(y);
        }
    }
    const double expected = COSINE ? sum / sqrt(row_square * column_square) : ROOT ? sqrt(sum) : sum;
    const unsigned long long begin = PACKED ? (unsigned long long)i * (i - 1) / 2 : (unsigned long long)i * columns;
    // Written so that a NaN, which is what a slot that nobody wrote holds, is wrong.
    if (!(fabs(out[begin + j] - expected) <= share * fabs(expected))) {
        atomicAdd(&result[0], 1ull);
        atomicMin(&result[1], begin + j);
    }
}

// The second rung: a block reads a square of each matrix at a time into shared memory. Threads side by side then read
// different rows of `of_columns` at once, and these begin in two banks only. The third rung has rows in shared memory that are
// one longer, so that these threads read from different banks.

// Settings: SIDE, a block's side, of which both numbers of rows and the number of features are multiples; PADDING, how much longer the
// rows in shared memory are: 0 in the second rung, 1 in the third.

extern "C" __global__ void __launch_bounds__(SIDE * SIDE)
ladder_tiled(const unsigned int rows, const unsigned int columns, const unsigned int features,
             const float *__restrict__ const a, const float *__restrict__ const b, float *__restrict__ const out)
{
    __shared__ float of_rows[SIDE][SIDE + PADDING], of_columns[SIDE][SIDE + PADDING];

    const unsigned int x = threadIdx.x, y = threadIdx.y;
    const unsigned int first_row = blockIdx.y * SIDE, first_column = blockIdx.x * SIDE;
    const float *const row = a + (unsigned long long)(first_row + y) * features + x;
    const float *const column = b + (unsigned long long)(first_column + y) * features + x;
    float sum = 0;
    for (unsigned int first = 0; first < features; first += SIDE) {
        of_rows[y][x] = row[first];
        of_columns[y][x] = column[first];
        __syncthreads();
        #pragma unroll
        for (unsigned int k = 0; k < SIDE; ++k) {
            const float d = of_rows[y][k] - of_columns[x][k];
            sum = fmaf(d, d, sum);
        }
        __syncthreads();
    }
    out[(unsigned long long)(first_row + y) * columns + first_column + x] = sum;
}

// Sums of squared differences of the rows of two matrices, the first rung: a thread has one result, and reads both of its
// rows from the GPU's memory.

// Setting: SIDE, a block's side, of which both numbers of rows are multiples.

extern "C" __global__ void __launch_bounds__(SIDE * SIDE)
ladder_naive(const unsigned int rows, const unsigned int columns, const unsigned int features,
             const float *__restrict__ const a, const float *__restrict__ const b, float *__restrict__ const out)
{
    const unsigned int i = blockIdx.y * SIDE + threadIdx.y, j = blockIdx.x * SIDE + threadIdx.x;
    const float *const row = a + (unsigned long long)i * features;
    const float *const column = b + (unsigned long long)j * features;
    float sum = 0;
    for (unsigned int k = 0; k < features; ++k) {
        const float d = row[k] - column[k];
        sum = fmaf(d, d, sum);
    }
    out[(unsigned long long)i * columns + j] = sum;
}

// The third step of a paper's nearest neighbours, after the products of rows: squared distances, in place of the products. A
// thread keeps the norm of its column for all rows of its block; one thread brings the norm of a row for all columns.

// Settings: THREADS of a block, each of which has a column; ROWS of a block.

extern "C" __global__ void __launch_bounds__(THREADS)
nearest_summation(const unsigned int rows, const unsigned int columns, const float *__restrict__ const row_norms,
                  const float *__restrict__ const column_norms, float *__restrict__ const values)
{
    __shared__ float of_row;

    const unsigned int column = blockIdx.x * THREADS + threadIdx.x;
    const float of_column = column < columns ? column_norms[column] : 0.0f;
    const unsigned int end = min(rows, (blockIdx.y + 1) * ROWS);
    for (unsigned int row = blockIdx.y * ROWS; row < end; ++row) {
        if (threadIdx.x == 0)
            of_row = row_norms[row];
        __syncthreads();
        if (column < columns) {
            float *const slot = values + (unsigned long long)row * columns + column;
            *slot = fmaf(-2.0f, *slot, of_row + of_column);
        }
        __syncthreads();
    }
}

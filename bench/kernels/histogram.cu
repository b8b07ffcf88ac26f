// Counts the distances of all pairs i > j in bins of equal widths: persistent blocks, each with a histogram in shared memory. A
// thread has some rows of a tile, and all threads loop over its columns. With GLOBAL, each pair adds to global memory instead.

constexpr unsigned int WIDTH = 256, ROWS = 4, HEIGHT = ROWS * WIDTH, MOST_BINS = 8191;

extern "C" __global__ void __launch_bounds__(WIDTH)
histogram(const unsigned int n, const float4 *__restrict__ const points, const float scale, const unsigned int bins,
          unsigned long long *const totals)
{
    __shared__ unsigned int counters[MOST_BINS + 1];
    __shared__ float4 columns[WIDTH];
    for (unsigned int k = threadIdx.x; !GLOBAL && k <= bins; k += WIDTH)
        counters[k] = 0;
    const unsigned int across = (n + WIDTH - 1) / WIDTH, down = (n + HEIGHT - 1) / HEIGHT;
    for (unsigned long long tile = blockIdx.x; tile < (unsigned long long)across * down; tile += gridDim.x) {
        const unsigned int top = (unsigned int)(tile / across) * HEIGHT, first = (unsigned int)(tile % across) * WIDTH;
        // A tile above the diagonal.
        if (first >= top + HEIGHT - 1)
            continue;
        __syncthreads();
        columns[threadIdx.x] = points[min(first + threadIdx.x, n - 1)];
        __syncthreads();
        float4 row[ROWS];
#pragma unroll
        for (unsigned int r = 0; r < ROWS; ++r)
            row[r] = points[min(top + r * WIDTH + threadIdx.x, n - 1)];
        const bool is_whole = first + WIDTH <= top && top + HEIGHT <= n;
#pragma unroll 4
        for (unsigned int c = 0; c < WIDTH; ++c) {
            const float4 column = columns[c];
#pragma unroll
            for (unsigned int r = 0; r < ROWS; ++r) {
                const unsigned int i = top + r * WIDTH + threadIdx.x;
                if (!is_whole && (i >= n || first + c >= i))
                    continue;
                const float x = row[r].x - column.x, y = row[r].y - column.y, z = row[r].z - column.z;
                const float square = fmaf(z, z, fmaf(y, y, x * x));
                const unsigned int bin = min((unsigned int)(square * rsqrtf(square) * scale), bins);
                if (GLOBAL)
                    atomicAdd(totals + bin, 1ull);
                else
                    atomicAdd(counters + bin, 1u);
            }
        }
    }
    __syncthreads();
    for (unsigned int k = threadIdx.x; !GLOBAL && k <= bins; k += WIDTH) {
        if (counters[k] != 0)
            atomicAdd(totals + k, (unsigned long long)counters[k]);
    }
}

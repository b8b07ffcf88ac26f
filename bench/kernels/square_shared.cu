// Square distances of points in the plane, the third rung: the block's rows, and the columns chunk by
// chunk, come from shared memory. A place in a chunk is still found by a division.

#ifndef CHUNK
#define CHUNK 1024
#endif

extern "C" __global__ void __launch_bounds__(256)
square_shared(const unsigned int n, const float2 *__restrict__ const points,
              float *__restrict__ const out)
{
    __shared__ float2 rows[256], columns[CHUNK];
    const unsigned int first = blockIdx.x * blockDim.x;
    const unsigned int height = min(blockDim.x, n - first);
    if (threadIdx.x < height)
        rows[threadIdx.x] = points[first + threadIdx.x];
    for (unsigned int start = 0; start < n; start += CHUNK) {
        const unsigned int width = min(CHUNK, n - start);
        for (unsigned int k = threadIdx.x; k < width; k += blockDim.x)
            columns[k] = points[start + k];
        __syncthreads();
        for (unsigned int place = threadIdx.x; place < height * width; place += blockDim.x) {
            const unsigned int r = place / width, c = place % width;
            const float dx = rows[r].x - columns[c].x, dy = rows[r].y - columns[c].y;
            out[(unsigned long long)(first + r) * n + start + c] = sqrtf(dx * dx + dy * dy);
        }
        __syncthreads();
    }
}

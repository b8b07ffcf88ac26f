// Square distances of points in the plane, the fourth rung: as the third, with the place in a chunk counted
// on by an addition and a comparison. A chunk's last columns may be fewer than a block's threads, and then
// a step goes over more than one row.

#ifndef CHUNK
#define CHUNK 1024
#endif

extern "C" __global__ void __launch_bounds__(256)
square_counted(const unsigned int n, const float2 *__restrict__ const points,
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
        unsigned int r = 0, c = threadIdx.x;
        for (;;) {
            while (c >= width) {
                c -= width;
                ++r;
            }
            if (r >= height)
                break;
            const float dx = rows[r].x - columns[c].x, dy = rows[r].y - columns[c].y;
            out[(unsigned long long)(first + r) * n + start + c] = sqrtf(dx * dx + dy * dy);
            c += blockDim.x;
        }
        __syncthreads();
    }
}

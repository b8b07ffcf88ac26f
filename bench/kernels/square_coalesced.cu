// Square distances of points in the plane, the second rung: the threads of a block go along its rows
// together, so that a warp stores side by side. Each finds its row and column by a division.

extern "C" __global__ void __launch_bounds__(256)
square_coalesced(const unsigned int n, const float2 *__restrict__ const points,
                 float *__restrict__ const out)
{
    const unsigned int first = blockIdx.x * blockDim.x;
    const unsigned int places = min(blockDim.x, n - first) * n;
    for (unsigned int place = threadIdx.x; place < places; place += blockDim.x) {
        const unsigned int i = first + place / n, j = place % n;
        const float2 a = points[i], b = points[j];
        const float dx = a.x - b.x, dy = a.y - b.y;
        out[(unsigned long long)i * n + j] = sqrtf(dx * dx + dy * dy);
    }
}

// Square distances of points in the plane, the first rung: a thread has a row and goes along it. The stores
// of a warp go to 32 rows, each to a sector of its own.

extern "C" __global__ void __launch_bounds__(256)
square_naive(const unsigned int n, const float2 *__restrict__ const points, float *__restrict__ const out)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float2 a = points[i];
    float *const row = out + (unsigned long long)i * n;
    for (unsigned int j = 0; j < n; ++j) {
        const float2 b = points[j];
        const float dx = a.x - b.x, dy = a.y - b.y;
        row[j] = sqrtf(dx * dx + dy * dy);
    }
}

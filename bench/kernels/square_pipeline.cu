// Square distances of points in the plane, the fifth rung: as the fourth, with the next chunk on its way to
// shared memory while this one is worked on.

#ifndef CHUNK
#define CHUNK 1024
#endif

// Copies without waiting, where the GPU can.
static __device__ __forceinline__ void copy(float2 *const to, const float2 *const from)
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;"
                 :: "r"((unsigned int)__cvta_generic_to_shared(to)), "l"(from) : "memory");
#else
    *to = *from;
#endif
}

// What was copied since the last commit is a group.
static __device__ __forceinline__ void commit()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

// Waits for all groups but the latest.
static __device__ __forceinline__ void wait_for_earlier()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group 1;" ::: "memory");
#endif
}

extern "C" __global__ void __launch_bounds__(256)
square_pipeline(const unsigned int n, const float2 *__restrict__ const points,
                float *__restrict__ const out)
{
    __shared__ float2 rows[256], columns[2][CHUNK];
    const unsigned int first = blockIdx.x * blockDim.x;
    const unsigned int height = min(blockDim.x, n - first);
    if (threadIdx.x < height)
        rows[threadIdx.x] = points[first + threadIdx.x];
    for (unsigned int k = threadIdx.x; k < min(CHUNK, n); k += blockDim.x)
        copy(&columns[0][k], &points[k]);
    commit();
    unsigned int stage = 0;
    for (unsigned int start = 0; start < n; start += CHUNK) {
        const unsigned int width = min(CHUNK, n - start);
        for (unsigned int k = threadIdx.x; start + CHUNK + k < n && k < CHUNK; k += blockDim.x)
            copy(&columns[stage ^ 1][k], &points[start + CHUNK + k]);
        // Behind the last chunk an empty group, so that there always is a latest one.
        commit();
        wait_for_earlier();
        __syncthreads();
        unsigned int r = 0, c = threadIdx.x;
        for (;;) {
            while (c >= width) {
                c -= width;
                ++r;
            }
            if (r >= height)
                break;
            const float2 b = columns[stage][c];
            const float dx = rows[r].x - b.x, dy = rows[r].y - b.y;
            out[(unsigned long long)(first + r) * n + start + c] = sqrtf(dx * dx + dy * dy);
            c += blockDim.x;
        }
        __syncthreads();
        stage ^= 1;
    }
}

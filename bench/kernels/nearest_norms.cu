// The first step of a paper's nearest neighbours: the square of each row's norm. A block goes along one row, and each of its
// threads adds what it has to the sum in the GPU's memory, which is zero at first.

// Setting: THREADS of a block.

extern "C" __global__ void __launch_bounds__(THREADS)
nearest_norms(const unsigned int features, const float *__restrict__ const a, float *__restrict__ const norms)
{
    const float *const row = a + (unsigned long long)blockIdx.x * features;
    float sum = 0;
    for (unsigned int k = threadIdx.x; k < features; k += THREADS)
        sum = fmaf(row[k], row[k], sum);
    atomicAdd(norms + blockIdx.x, sum);
}

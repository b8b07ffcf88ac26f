// Softened gravity on each body (x, y, z, mass), over the full square: each pair is computed for both of its bodies, and
// no thread waits for another one's sums. A block has THREADS * ROWS rows, ROWS of them in each thread's registers with
// their sums, and COLUMNS columns in shared memory, which all threads read in the same order: a load is one for
// ROWS * 32 pairs, without conflicts.
//
// The loop has 16.3 instructions for each ordered pair (sm_90), and so 32.6 for both: 3 FADD, 6 FFMA,
// 3 FMUL, the root with its unit's instruction, an FSETP and 2 FMUL, and 0.3 of shared loads and of the loop.

#define ROWS 4
#define THREADS 256
#define COLUMNS 512

extern "C" __global__ void __launch_bounds__(THREADS)
forces_square(const unsigned int n, const float4 *__restrict__ const bodies, const float softening,
              float *const accelerations)
{
    __shared__ float4 columns[COLUMNS];

    const unsigned int first_row = blockIdx.x * (THREADS * ROWS) + threadIdx.x;
    const unsigned int first_column = blockIdx.y * COLUMNS;

    float4 rows[ROWS];
    float3 sums[ROWS];
    #pragma unroll
    for (unsigned int k = 0; k < ROWS; ++k) {
        rows[k] = bodies[min(first_row + k * THREADS, n - 1)];
        sums[k] = make_float3(0, 0, 0);
    }
    // Past the last body there is one without mass, which pulls nothing.
    #pragma unroll
    for (unsigned int k = threadIdx.x; k < COLUMNS; k += THREADS)
        columns[k] = first_column + k < n ? bodies[first_column + k] : make_float4(0, 0, 0, 0);
    __syncthreads();

    // A row meets itself too: the difference is 0, and so is the pull.
    #pragma unroll 8
    for (unsigned int column = 0; column < COLUMNS; ++column) {
        const float4 body = columns[column];
        #pragma unroll
        for (unsigned int k = 0; k < ROWS; ++k) {
            const float dx = body.x - rows[k].x, dy = body.y - rows[k].y, dz = body.z - rows[k].z;
            // The softening comes first, where it is the term of a multiply-add.
            const float w = rsqrtf(fmaf(dz, dz, fmaf(dy, dy, fmaf(dx, dx, softening))));
            const float pull = body.w * w * (w * w);
            sums[k].x = fmaf(pull, dx, sums[k].x);
            sums[k].y = fmaf(pull, dy, sums[k].y);
            sums[k].z = fmaf(pull, dz, sums[k].z);
        }
    }

    #pragma unroll
    for (unsigned int k = 0; k < ROWS; ++k) {
        const unsigned int i = first_row + k * THREADS;
        if (i < n) {
            atomicAdd(&accelerations[3 * i], sums[k].x);
            atomicAdd(&accelerations[3 * i + 1], sums[k].y);
            atomicAdd(&accelerations[3 * i + 2], sums[k].z);
        }
    }
}

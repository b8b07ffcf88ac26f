// Counts the colliding spheres (x, y, z, radius) at nearly the rate at which instructions are issued:
// one warp has a tile of 128 x 128 pairs, each lane four rows in registers, and all lanes go along the
// columns together. A column is then one load from shared memory for 128 pairs, without conflicts.

#define ROWS 4
#define TILE (32 * ROWS)

static __device__ __forceinline__ bool touch(const float4 a, const float4 b)
{
    const float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z, r = a.w + b.w;
    return dx * dx + dy * dy + dz * dz <= r * r;
}

// The row of a unit of the triangle, counted row by row: an estimate, at most one row off, repaired.
static __device__ __forceinline__ unsigned int triangle_row(const unsigned int unit)
{
    unsigned int row = (unsigned int)((sqrtf(8.0f * unit + 1.0f) - 1.0f) * 0.5f);
    if (row * (row + 1) / 2 > unit)
        --row;
    else if ((row + 1) * (row + 2) / 2 <= unit)
        ++row;
    return row;
}

extern "C" __global__ void __launch_bounds__(32)
collision_count(const unsigned int n, const float4 *__restrict__ const spheres,
                unsigned long long *const total)
{
    __shared__ float4 columns[TILE];

    const unsigned int tile_row = triangle_row(blockIdx.x);
    const unsigned int tile_column = blockIdx.x - tile_row * (tile_row + 1) / 2;
    const unsigned int first_row = tile_row * TILE + threadIdx.x, first_column = tile_column * TILE;

    float4 rows[ROWS];
    #pragma unroll
    for (unsigned int k = 0; k < ROWS; ++k) {
        rows[k] = spheres[min(first_row + 32 * k, n - 1)];
        columns[32 * k + threadIdx.x] = spheres[min(first_column + 32 * k + threadIdx.x, n - 1)];
    }
    __syncthreads();

    unsigned int touching = 0;
    if (tile_column < tile_row && (tile_row + 1) * TILE <= n) {
        #pragma unroll 16
        for (unsigned int column = 0; column < TILE; ++column) {
            const float4 sphere = columns[column];
            #pragma unroll
            for (unsigned int k = 0; k < ROWS; ++k) {
                if (touch(rows[k], sphere)) {
                    // Keeps the addition behind a predicate, where it is one instruction; the compiler
                    // would else select between 0 and 1 and add that.
                    asm volatile("");
                    touching += 1;
                }
            }
        }
    } else {
        // On the diagonal a row ends before itself, and past the last element there is none.
        #pragma unroll
        for (unsigned int k = 0; k < ROWS; ++k) {
            const unsigned int i = first_row + 32 * k;
            const unsigned int end = i < n && i > first_column ? min(i - first_column, TILE) : 0;
            #pragma unroll 1
            for (unsigned int column = 0; column < end; ++column)
                touching += touch(rows[k], columns[column]);
        }
    }

    for (unsigned int lanes = 16; lanes > 0; lanes /= 2)
        touching += __shfl_down_sync(0xffffffff, touching, lanes);
    if (threadIdx.x == 0 && touching > 0)
        atomicAdd(total, (unsigned long long)touching);
}

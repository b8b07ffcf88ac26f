// Lists the colliding spheres (x, y, z, radius): one warp has a tile of 128 x 128 pairs, each lane four
// rows in registers, and all lanes go along the columns together. A hit only sets a bit, one for each
// column of a window, and the pairs are pushed behind the window: so no branch stands between the tests.

// The columns of a window.
#ifndef WINDOW
#define WINDOW 16
#endif

#define ROWS 4
#define TILE (32 * ROWS)

static_assert(WINDOW <= 32 && TILE % WINDOW == 0, "a window fits a mask, and a tile is made of windows");

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

// A place in the list for each pair. Few pairs touch, so an atomic for each of them costs little.
static __device__ __forceinline__ void push(uint2 *const list, unsigned long long *const count,
                                            const unsigned long long capacity,
                                            const unsigned int i, const unsigned int j)
{
    const unsigned long long place = atomicAdd(count, 1ull);
    if (place < capacity)
        list[place] = make_uint2(i, j);
}

extern "C" __global__ void __launch_bounds__(32)
collision_list(const unsigned int n, const float4 *__restrict__ const spheres, uint2 *const list,
               unsigned long long *const count, const unsigned long long capacity)
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

    if (tile_column < tile_row && (tile_row + 1) * TILE <= n) {
        #pragma unroll 1
        for (unsigned int window = 0; window < TILE; window += WINDOW) {
            unsigned int hits[ROWS] = {};
            #pragma unroll
            for (unsigned int column = 0; column < WINDOW; ++column) {
                const float4 sphere = columns[window + column];
                #pragma unroll
                for (unsigned int k = 0; k < ROWS; ++k) {
                    if (touch(rows[k], sphere))
                        hits[k] |= 1u << column;
                }
            }
            #pragma unroll
            for (unsigned int k = 0; k < ROWS; ++k) {
                for (; hits[k] != 0; hits[k] &= hits[k] - 1) {
                    const unsigned int column = window + __ffs(hits[k]) - 1;
                    push(list, count, capacity, first_row + 32 * k, first_column + column);
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
            for (unsigned int column = 0; column < end; ++column) {
                if (touch(rows[k], columns[column]))
                    push(list, count, capacity, i, first_column + column);
            }
        }
    }
}

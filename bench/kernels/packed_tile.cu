// Packed Euclidean distances at the speed of the memory: tiles of TILE x TILE pairs, each of a block of
// THREADS_X x THREADS_Y threads, a thread with four neighbouring columns at a time.
//
// Rows of packed slots start anywhere, and a warp's store is fast only where it covers whole lines of
// 128 bytes. So each row of a tile is moved to the left by its skew, the distance of its start from the
// line's: it covers the columns from first - skew on, and the next tile goes on where it ends.

typedef float4 Point;

static __device__ __forceinline__ float distance(const Point a, const Point b)
{
    const float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z, dw = a.w - b.w;
    return sqrtf(dx * dx + dy * dy + dz * dz + dw * dw);
}

#define TILE 64
#define THREADS_X 8
#define THREADS_Y 16

// The floats of a line of 128 bytes.
#define LINE 32

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

extern "C" __global__ void __launch_bounds__(THREADS_X * THREADS_Y)
packed_tile(const unsigned int n, const Point *__restrict__ const points, float *__restrict__ const out)
{
    // The tile's columns and a line before them, dealt out to four arrays by their index modulo 4, so
    // that threads side by side read side by side. Arrays 4 to 6 are 0 to 2 once more, one further on:
    // four neighbours are then in four arrays at one index, whichever of them is the first.
    __shared__ Point columns[7][(TILE + LINE) / 4];
    __shared__ Point rows[TILE];

    const unsigned int tile_row = triangle_row(blockIdx.x);
    const unsigned int tile_column = blockIdx.x - tile_row * (tile_row + 1) / 2;
    const unsigned int first_row = tile_row * TILE, first_column = tile_column * TILE;
    const unsigned int thread = threadIdx.y * THREADS_X + threadIdx.x;

    #pragma unroll
    for (unsigned int k = thread; k < TILE + LINE; k += THREADS_X * THREADS_Y) {
        // Before the first column and behind the last element some other element, which is not used.
        const unsigned int column = first_column + k - LINE;
        const Point point = points[column < n ? column : 0];
        columns[k % 4][k / 4] = point;
        if (k >= 4 && k % 4 < 3)
            columns[k % 4 + 4][k / 4 - 1] = point;
    }
    #pragma unroll
    for (unsigned int k = thread; k < TILE; k += THREADS_X * THREADS_Y)
        rows[k] = points[min(first_row + k, n - 1)];
    __syncthreads();

    if (tile_column > 0 && tile_column < tile_row && first_row + TILE <= n) {
        // Every slot of these rows is the tile's own.
        const unsigned int i = first_row + threadIdx.y;
        const unsigned long long start = (unsigned long long)i * (i - 1) / 2;
        float *line = out + start + first_column + 4 * threadIdx.x;
        // Only the start's last five bits count from here on.
        unsigned int low = (unsigned int)start;
        // From a row's start to that of the thread's next row; it grows by as much each time.
        unsigned int step = THREADS_Y * i + THREADS_Y * (THREADS_Y - 1) / 2;
        #pragma unroll 2
        for (unsigned int r = 0; r < TILE; r += THREADS_Y) {
            const unsigned int skew = low % LINE, entry = LINE - skew;
            const Point row = rows[threadIdx.y + r];
            #pragma unroll
            for (unsigned int part = 0; part < TILE / 4; part += THREADS_X) {
                const unsigned int place = entry / 4 + threadIdx.x + part;
                float4 value;
                value.x = distance(row, columns[entry % 4][place]);
                value.y = distance(row, columns[entry % 4 + 1][place]);
                value.z = distance(row, columns[entry % 4 + 2][place]);
                value.w = distance(row, columns[entry % 4 + 3][place]);
                // Streamed past the caches: nobody reads the distances soon.
                __stcs(reinterpret_cast<float4 *>(line - skew) + part, value);
            }
            line += step;
            low += step;
            step += THREADS_Y * THREADS_Y;
        }
    } else {
        // At the edges of the triangle a row of the tile begins with column 0 or ends with the diagonal.
        for (unsigned int r = threadIdx.y; r < TILE && first_row + r < n; r += THREADS_Y) {
            const unsigned int i = first_row + r;
            const unsigned long long start = (unsigned long long)i * (i - 1) / 2;
            const unsigned int skew = (unsigned int)start % LINE;
            const unsigned int begin = tile_column == 0 ? 0 : first_column - skew;
            const unsigned int end = tile_column == tile_row ? i : first_column + TILE - skew;
            const Point row = rows[r];
            for (unsigned int j = begin + threadIdx.x; j < end; j += THREADS_X) {
                const unsigned int k = j + LINE - first_column;
                out[start + j] = distance(row, columns[k % 4][k / 4]);
            }
        }
    }
}

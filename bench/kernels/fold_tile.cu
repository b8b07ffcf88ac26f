// Sums over features for the pairs of two sets of rows: a block has 128 x 128 pairs, and each of its 256 threads the sums
// of 8 x 8 of them, in registers. The features come in chunks through shared memory, of which one is read while the next
// one is on its way.

// Settings: CHUNK, the features of a chunk, of which the number of features is a multiple; DOT, products, or else squares of
// differences.

// Pairs per side.
#define TILE 128
#define THREADS 256
// The distance of a feature's values in shared memory from the next feature's. A warp writes 16 rows of four features and
// of the next four: with 4 more than the tile's side, these are in different banks.
#define STRIDE (TILE + 4)
// Features that two threads bring of a row, a vector each.
#define STEP 8
// Rows of a thread whose results are in shared memory together, before they are stored: as many as there is room for.
#define TOGETHER (CHUNK / 4)

static_assert(CHUNK % STEP == 0, "the two threads of a row have whole vectors");
static_assert(16 * TOGETHER <= 4 * CHUNK && 8 % TOGETHER == 0, "these results have room where the chunks are");

static __device__ __forceinline__ float added(const float sum, const float a, const float b)
{
    return DOT ? fmaf(a, b, sum) : fmaf(a - b, a - b, sum);
}

// A vector, from registers to shared memory, where each feature has the values of all rows side by side.
static __device__ __forceinline__ void place(float (*const chunk)[STRIDE], const float4 values, const unsigned int row)
{
    chunk[0][row] = values.x;
    chunk[1][row] = values.y;
    chunk[2][row] = values.z;
    chunk[3][row] = values.w;
}

// Eight values of a feature: four neighbours, and four at some distance.
static __device__ __forceinline__ void take(float (&values)[8], const float *const from, const unsigned int distance)
{
    const float4 low = *reinterpret_cast<const float4 *>(from);
    const float4 high = *reinterpret_cast<const float4 *>(from + distance);
    values[0] = low.x, values[1] = low.y, values[2] = low.z, values[3] = low.w;
    values[4] = high.x, values[5] = high.y, values[6] = high.z, values[7] = high.w;
}

// Rows begin at multiples of 16 bytes, and each side has at most 2^32 vectors.
extern "C" __global__ void __launch_bounds__(THREADS, 2)
fold_tile(const unsigned int rows, const unsigned int columns, const unsigned int features,
          const float *__restrict__ const a, const float *__restrict__ const b, float *__restrict__ const out)
{
    // Two chunks of each side; at the end, results.
    __shared__ __align__(16) float shared[4 * CHUNK * STRIDE];
    float (*const of_rows)[CHUNK][STRIDE] = reinterpret_cast<float (*)[CHUNK][STRIDE]>(shared);
    float (*const of_columns)[CHUNK][STRIDE] = of_rows + 2;

    const unsigned int tile_row = blockIdx.y, tile_column = blockIdx.x;
    const unsigned int first_row = tile_row * TILE, first_column = tile_column * TILE;
    const unsigned int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;

    // What the thread brings: half of a row of each side. Behind the last row it is the last one, which is not used.
    const unsigned int line = thread / 2, part = thread % 2;
    const float4 *const row_vectors = reinterpret_cast<const float4 *>(a);
    const float4 *const column_vectors = reinterpret_cast<const float4 *>(b);
    unsigned int row_place = min(first_row + line, rows - 1) * (features / 4) + part;
    unsigned int column_place = min(first_column + line, columns - 1) * (features / 4) + part;

    // What it adds up: a warp has 32 x 64 pairs, a lane four rows and four more 16 further on, and four columns and four
    // more 32 further on. So a warp reads few different vectors at once.
    const unsigned int high = warp / 2 * 32 + lane / 8 * 4, left = warp % 2 * 64 + lane % 8 * 4;

    float sums[8][8];
    #pragma unroll
    for (unsigned int r = 0; r < 8; ++r) {
        #pragma unroll
        for (unsigned int c = 0; c < 8; ++c)
            sums[r][c] = 0;
    }

    unsigned int chunks = features / CHUNK;
    #pragma unroll
    for (unsigned int first = 0; first < CHUNK; first += STEP) {
        place(&of_rows[chunks % 2][first + 4 * part], row_vectors[row_place + first / 4], line);
        place(&of_columns[chunks % 2][first + 4 * part], column_vectors[column_place + first / 4], line);
    }
    __syncthreads();

    #pragma unroll 1
    for (; chunks > 0; --chunks) {
        const unsigned int now = chunks % 2;
        // With the last chunk there is no next one: it is brought once more, and not used.
        if (chunks > 1) {
            row_place += CHUNK / 4;
            column_place += CHUNK / 4;
        }
        #pragma unroll
        for (unsigned int first = 0; first < CHUNK; first += STEP) {
            const float4 next_row = row_vectors[row_place + first / 4];
            const float4 next_column = column_vectors[column_place + first / 4];
            #pragma unroll
            for (unsigned int k = first; k < first + STEP; ++k) {
                float x[8], y[8];
                take(x, &of_rows[now][k][high], 16);
                take(y, &of_columns[now][k][left], 32);
                #pragma unroll
                for (unsigned int c = 0; c < 8; ++c) {
                    #pragma unroll
                    for (unsigned int r = 0; r < 8; ++r)
                        sums[r][c] = added(sums[r][c], x[r], y[c]);
                }
            }
            // The other chunk was read before the last barrier.
            place(&of_rows[1 - now][first + 4 * part], next_row, line);
            place(&of_columns[1 - now][first + 4 * part], next_column, line);
        }
        __syncthreads();
    }

    // Packed rows start anywhere, so that no thread can store vectors: a warp stores neighbours instead. Some rows of all
    // threads at a time go through shared memory.
    float (*const results)[STRIDE] = reinterpret_cast<float (*)[STRIDE]>(shared);
    #pragma unroll
    for (unsigned int begin = 0; begin < 8; begin += TOGETHER) {
        #pragma unroll
        for (unsigned int r = 0; r < TOGETHER; ++r) {
            #pragma unroll
            for (unsigned int c = 0; c < 8; c += 4) {
                const float *const from = &sums[begin + r][c];
                float *const to = results[(warp / 2 * 4 + lane / 8) * TOGETHER + r];
                *reinterpret_cast<float4 *>(&to[left + 8 * c]) = make_float4(from[0], from[1], from[2], from[3]);
            }
        }
        __syncthreads();
        #pragma unroll 1
        for (unsigned int r = warp; r < 16 * TOGETHER; r += THREADS / 32) {
            // The row of a thread, and that of the tile.
            const unsigned int own = begin + r % TOGETHER;
            const unsigned int i = first_row + r / TOGETHER / 4 * 32 + r / TOGETHER % 4 * 4 + own / 4 * 16 + own % 4;
            const unsigned int end = i >= rows ? 0 : columns;
            const unsigned long long start = (unsigned long long)i * columns;
            #pragma unroll
            for (unsigned int c = lane; c < TILE; c += 32) {
                if (first_column + c < end)
                    __stcs(&out[start + first_column + c], results[r][c]);
            }
        }
        __syncthreads();
    }
}

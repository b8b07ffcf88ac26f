// Products of floats that are split into two 16-bit floats, high and low: high high' + high low' + low high'. What is left out
// is 2^-22 of a product.
#ifdef __CUDA_ARCH_FEAT_SM90_ALL

// Keeps the compiler from moving accesses to the sums across this point.
static __device__ __forceinline__ void td_fence_products(float (&sums)[16][4])
{
#pragma unroll
    for (unsigned int c = 0; c < 16; ++c)
        asm volatile("" : "+f"(sums[c][0]), "+f"(sums[c][1]), "+f"(sums[c][2]), "+f"(sums[c][3])::"memory");
}

// The descriptor of 16-byte words in shared memory, without swizzling. In units of 16 bytes, a word of an element is 128 from its
// next one, and eight elements are 8 from the next eight.
static __device__ __forceinline__ unsigned long long td_operand(const unsigned int address)
{
    constexpr unsigned int tile = 128, row_group = 8;
    return (unsigned long long)row_group << 32 | (tile << 16 | address);
}

// Begins to multiply 64 rows with 128 columns, over 16 numbers of each, by four warps. The products replace the sums or are added
// to them.
template <bool is_added>
static __device__ __forceinline__ void td_wgmma_f16(
    float (&sums)[16][4], const unsigned long long rows, const unsigned long long columns)
{
    asm volatile(
        "{ .reg .pred is_added; setp.ne.b32 is_added, %66, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
        "%64, %65, is_added, 1, 1, 0, 0; }"
        : "+f"(sums[0][0]), "+f"(sums[0][1]), "+f"(sums[0][2]), "+f"(sums[0][3]), "+f"(sums[1][0]), "+f"(sums[1][1]), "+f"(sums[1][2]), "+f"(sums[1][3]),
          "+f"(sums[2][0]), "+f"(sums[2][1]), "+f"(sums[2][2]), "+f"(sums[2][3]), "+f"(sums[3][0]), "+f"(sums[3][1]), "+f"(sums[3][2]), "+f"(sums[3][3]),
          "+f"(sums[4][0]), "+f"(sums[4][1]), "+f"(sums[4][2]), "+f"(sums[4][3]), "+f"(sums[5][0]), "+f"(sums[5][1]), "+f"(sums[5][2]), "+f"(sums[5][3]),
          "+f"(sums[6][0]), "+f"(sums[6][1]), "+f"(sums[6][2]), "+f"(sums[6][3]), "+f"(sums[7][0]), "+f"(sums[7][1]), "+f"(sums[7][2]), "+f"(sums[7][3]),
          "+f"(sums[8][0]), "+f"(sums[8][1]), "+f"(sums[8][2]), "+f"(sums[8][3]), "+f"(sums[9][0]), "+f"(sums[9][1]), "+f"(sums[9][2]), "+f"(sums[9][3]),
          "+f"(sums[10][0]), "+f"(sums[10][1]), "+f"(sums[10][2]), "+f"(sums[10][3]), "+f"(sums[11][0]), "+f"(sums[11][1]), "+f"(sums[11][2]), "+f"(sums[11][3]),
          "+f"(sums[12][0]), "+f"(sums[12][1]), "+f"(sums[12][2]), "+f"(sums[12][3]), "+f"(sums[13][0]), "+f"(sums[13][1]), "+f"(sums[13][2]), "+f"(sums[13][3]),
          "+f"(sums[14][0]), "+f"(sums[14][1]), "+f"(sums[14][2]), "+f"(sums[14][3]), "+f"(sums[15][0]), "+f"(sums[15][1]), "+f"(sums[15][2]), "+f"(sums[15][3])
        : "l"(rows), "l"(columns), "n"((int)is_added));
}

// Adds the products of a tile's 128 rows and columns, over a part of 32 features of each, to their sums, by eight warps. A part
// has the high halves of the first eight features of all elements, then of their next eight, and so on, and then the low halves.
// Warp w has rows 16 w to 16 w + 15, of which lane l has the sums [c][2 r + k] of row l / 4 + 8 r with column 8 c + 2 (l % 4) + k.
// Tensor cores truncate a sum at its last bit. So they add up one part, the small products first, and floats add up the parts.
static __device__ __forceinline__ void td_multiply_split(
    float (&sums)[16][4], const uint4 *const rows, const uint4 *const columns)
{
    constexpr unsigned int tile = 128, words = 4, low = words * tile, warpgroup_rows = 64;
    // The rows of four warps. The shuffle makes them uniform in a warp for the compiler.
    const unsigned int address = (unsigned int)__cvta_generic_to_shared(rows) / 16 + threadIdx.y / 4 * warpgroup_rows;
    const unsigned int row = __shfl_sync(0xffffffff, address, 0);
    const unsigned int column = (unsigned int)__cvta_generic_to_shared(columns) / 16;
    float products[16][4];
    td_fence_products(products);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    td_wgmma_f16<false>(products, td_operand(row + low), td_operand(column));
    td_wgmma_f16<true>(products, td_operand(row + low + 2 * tile), td_operand(column + 2 * tile));
    td_wgmma_f16<true>(products, td_operand(row), td_operand(column + low));
    td_wgmma_f16<true>(products, td_operand(row + 2 * tile), td_operand(column + low + 2 * tile));
    td_wgmma_f16<true>(products, td_operand(row), td_operand(column));
    td_wgmma_f16<true>(products, td_operand(row + 2 * tile), td_operand(column + 2 * tile));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    td_fence_products(products);
#pragma unroll
    for (unsigned int c = 0; c < 16; ++c) {
#pragma unroll
        for (unsigned int k = 0; k < 4; ++k)
            sums[c][k] += products[c][k];
    }
}

#else

// Reads four matrices of 8 x 8 16-bit floats from shared memory: lane l passes the address of row l % 8 of matrix l / 8, and
// receives the numbers 2 (l % 4) and 2 (l % 4) + 1 of row l / 4 of each.
static __device__ __forceinline__ void td_load_fragments(unsigned int (&words)[4], const void *const row)
{
#ifdef __CUDA_ARCH__
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
                 : "r"((unsigned int)__cvta_generic_to_shared(row))
                 : "memory");
#else
    td_cpu::load_matrices(words, row);
#endif
}

// Adds the products of 16 rows with 8 columns, over 16 numbers of each, to their sums, by a warp: lane l has those of
// rows l / 4 and l / 4 + 8 with columns 2 (l % 4) and 2 (l % 4) + 1.
static __device__ __forceinline__ void td_mma_f16(
    float (&sums)[4], const unsigned int (&rows)[4], const unsigned int first, const unsigned int second)
{
#ifdef __CUDA_ARCH__
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(rows[0]), "r"(rows[1]), "r"(rows[2]), "r"(rows[3]), "r"(first), "r"(second));
#else
    td_cpu::multiply<td_cpu::float16>(sums, rows, first, second);
#endif
}

// The same by mma.sync, in the same lanes and sums: two groups of eight columns at a time.
static __device__ __forceinline__ void td_multiply_split(
    float (&sums)[16][4], const uint4 *const rows, const uint4 *const columns)
{
    constexpr unsigned int tile = 128, words = 4, low = words * tile, warp_rows = 16;
    const unsigned int lane = threadIdx.x, warp = threadIdx.y;
    unsigned int row_high[words / 2][4], row_low[words / 2][4];
#pragma unroll
    for (unsigned int step = 0; step < words / 2; ++step) {
        const uint4 *const row = rows + tile * (2 * step + lane / 16) + warp_rows * warp + lane % 16;
        td_load_fragments(row_high[step], row);
        td_load_fragments(row_low[step], row + low);
    }
#pragma unroll
    for (unsigned int c = 0; c < 16; c += 2) {
        unsigned int column_high[words / 2][4], column_low[words / 2][4];
#pragma unroll
        for (unsigned int step = 0; step < words / 2; ++step) {
            const uint4 *const column = columns + tile * (2 * step + lane / 8 % 2) + 8 * c + lane / 16 * 8 + lane % 8;
            td_load_fragments(column_high[step], column);
            td_load_fragments(column_low[step], column + low);
        }
#pragma unroll
        for (unsigned int next = 0; next < 2; ++next) {
            float products[4]{};
#pragma unroll
            for (unsigned int step = 0; step < words / 2; ++step) {
                td_mma_f16(products, row_low[step], column_high[step][2 * next], column_high[step][2 * next + 1]);
                td_mma_f16(products, row_high[step], column_low[step][2 * next], column_low[step][2 * next + 1]);
            }
#pragma unroll
            for (unsigned int step = 0; step < words / 2; ++step)
                td_mma_f16(products, row_high[step], column_high[step][2 * next], column_high[step][2 * next + 1]);
#pragma unroll
            for (unsigned int k = 0; k < 4; ++k)
                sums[c + next][k] += products[k];
        }
    }
}

#endif

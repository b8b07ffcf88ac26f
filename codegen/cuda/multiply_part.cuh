// On sm_90 tensor cores read both operands from shared memory, elsewhere from registers.
#ifdef __CUDA_ARCH_FEAT_SM90_ALL

// The descriptor of a part in shared memory, without swizzling. In units of 16 bytes, a word of an element is 128 from its next
// one, and eight elements are 8 from the next eight.
static __device__ __forceinline__ unsigned long long td_matrices(const unsigned int from)
{
    return 8ull << 32 | (128 << 16 | from);
}

// Keeps the compiler from moving accesses to the sums across this point.
static __device__ __forceinline__ void td_keep(float (&sums)[16][4])
{
#pragma unroll
    for (unsigned int c = 0; c < 16; ++c)
        asm volatile("" : "+f"(sums[c][0]), "+f"(sums[c][1]), "+f"(sums[c][2]), "+f"(sums[c][3])::"memory");
}

// Begins to add the products of 64 rows with 128 columns, over 16 numbers of each, to their sums, by four warps.
static __device__ __forceinline__ void td_multiply_rows(
    float (&sums)[16][4], const unsigned long long rows, const unsigned long long columns)
{
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
        "%64, %65, 1, 1, 1, 0, 0;"
        : "+f"(sums[0][0]), "+f"(sums[0][1]), "+f"(sums[0][2]), "+f"(sums[0][3]), "+f"(sums[1][0]), "+f"(sums[1][1]), "+f"(sums[1][2]), "+f"(sums[1][3]),
          "+f"(sums[2][0]), "+f"(sums[2][1]), "+f"(sums[2][2]), "+f"(sums[2][3]), "+f"(sums[3][0]), "+f"(sums[3][1]), "+f"(sums[3][2]), "+f"(sums[3][3]),
          "+f"(sums[4][0]), "+f"(sums[4][1]), "+f"(sums[4][2]), "+f"(sums[4][3]), "+f"(sums[5][0]), "+f"(sums[5][1]), "+f"(sums[5][2]), "+f"(sums[5][3]),
          "+f"(sums[6][0]), "+f"(sums[6][1]), "+f"(sums[6][2]), "+f"(sums[6][3]), "+f"(sums[7][0]), "+f"(sums[7][1]), "+f"(sums[7][2]), "+f"(sums[7][3]),
          "+f"(sums[8][0]), "+f"(sums[8][1]), "+f"(sums[8][2]), "+f"(sums[8][3]), "+f"(sums[9][0]), "+f"(sums[9][1]), "+f"(sums[9][2]), "+f"(sums[9][3]),
          "+f"(sums[10][0]), "+f"(sums[10][1]), "+f"(sums[10][2]), "+f"(sums[10][3]), "+f"(sums[11][0]), "+f"(sums[11][1]), "+f"(sums[11][2]), "+f"(sums[11][3]),
          "+f"(sums[12][0]), "+f"(sums[12][1]), "+f"(sums[12][2]), "+f"(sums[12][3]), "+f"(sums[13][0]), "+f"(sums[13][1]), "+f"(sums[13][2]), "+f"(sums[13][3]),
          "+f"(sums[14][0]), "+f"(sums[14][1]), "+f"(sums[14][2]), "+f"(sums[14][3]), "+f"(sums[15][0]), "+f"(sums[15][1]), "+f"(sums[15][2]), "+f"(sums[15][3])
        : "l"(rows), "l"(columns));
}

// Adds the products of a tile's 128 rows and columns, over a part of 64 features of each, to their sums, by eight warps. A part
// has the first eight features of all elements, then their next eight. Warp w has rows 16 w to 16 w + 15, of which lane l has
// the sums [c][2 r + k] of row l / 4 + 8 r with column 8 c + 2 (l % 4) + k.
static __device__ __forceinline__ void td_multiply_part(
    float (&sums)[16][4], const uint4 *const rows, const uint4 *const columns)
{
    // The rows of four warps. The shuffle makes them uniform in a warp for the compiler.
    const unsigned int own = (unsigned int)__cvta_generic_to_shared(rows) / 16 + threadIdx.y / 4 * 64;
    const unsigned int down = __shfl_sync(0xffffffff, own, 0), across = (unsigned int)__cvta_generic_to_shared(columns) / 16;
    td_keep(sums);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (unsigned int word = 0; word < 8; word += 2)
        td_multiply_rows(sums, td_matrices(down + 128 * word), td_matrices(across + 128 * word));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    td_keep(sums);
}

#else

// Reads four matrices of 8 x 8 bfloat16 from shared memory: lane l passes the address of row l % 8 of matrix l / 8, and
// receives the numbers 2 (l % 4) and 2 (l % 4) + 1 of row l / 4 of each.
static __device__ __forceinline__ void td_load_matrices(unsigned int (&words)[4], const void *const row)
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
static __device__ __forceinline__ void td_multiply(
    float (&sums)[4], const unsigned int (&rows)[4], const unsigned int low, const unsigned int high)
{
#ifdef __CUDA_ARCH__
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(rows[0]), "r"(rows[1]), "r"(rows[2]), "r"(rows[3]), "r"(low), "r"(high));
#else
    td_cpu::multiply(sums, rows, low, high);
#endif
}

// The same product by mma.sync, in the same lanes and sums.
static __device__ __forceinline__ void td_multiply_part(
    float (&sums)[16][4], const uint4 *const rows, const uint4 *const columns)
{
    const unsigned int lane = threadIdx.x, warp = threadIdx.y;
#pragma unroll
    for (unsigned int word = 0; word < 8; word += 2) {
        unsigned int left[4];
        td_load_matrices(left, rows + 128 * (word + lane / 16) + 16 * warp + lane % 16);
#pragma unroll
        for (unsigned int c = 0; c < 16; c += 2) {
            unsigned int upper[4];
            td_load_matrices(upper, columns + 128 * (word + lane / 8 % 2) + 8 * c + lane / 16 * 8 + lane % 8);
            td_multiply(sums[c], left, upper[0], upper[1]);
            td_multiply(sums[c + 1], left, upper[2], upper[3]);
        }
    }
}

#endif

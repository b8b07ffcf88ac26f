// On sm_90 tensor cores read both operands from shared memory, elsewhere from registers.
#ifdef __CUDA_ARCH_FEAT_SM90_ALL

// The descriptor of a part in shared memory, without swizzling. In units of 16 bytes, a word of an element is 128 from its next
// one, and eight elements are 8 from the next eight.
static __device__ __forceinline__ unsigned long long td_smem_descriptor(const unsigned int address)
{
    constexpr unsigned int tile = 128, row_group = 8;
    return (unsigned long long)row_group << 32 | (tile << 16 | address);
}

// Keeps the compiler from moving accesses to the sums across this point.
static __device__ __forceinline__ void td_fence_sums(float (&sums)[16][4])
{
#pragma unroll
    for (unsigned int c = 0; c < 16; ++c)
        asm volatile("" : "+f"(sums[c][0]), "+f"(sums[c][1]), "+f"(sums[c][2]), "+f"(sums[c][3])::"memory");
}

// Begins to add the products of 64 rows with 128 columns, over 16 numbers of each, to their sums, by four warps.
static __device__ __forceinline__ void td_wgmma_m64n128k16(
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
    constexpr unsigned int tile = 128, words = 8, warpgroup_rows = 64;
    // The rows of four warps. The shuffle makes them uniform in a warp for the compiler.
    const unsigned int address = (unsigned int)__cvta_generic_to_shared(rows) / 16 + threadIdx.y / 4 * warpgroup_rows;
    const unsigned int row_address = __shfl_sync(0xffffffff, address, 0);
    const unsigned int column_address = (unsigned int)__cvta_generic_to_shared(columns) / 16;
    td_fence_sums(sums);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (unsigned int word = 0; word < words; word += 2)
        td_wgmma_m64n128k16(sums, td_smem_descriptor(row_address + tile * word), td_smem_descriptor(column_address + tile * word));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    td_fence_sums(sums);
}

#else

// Reads four matrices of 8 x 8 bfloat16 from shared memory: lane l passes the address of row l % 8 of matrix l / 8, and
// receives the numbers 2 (l % 4) and 2 (l % 4) + 1 of row l / 4 of each.
static __device__ __forceinline__ void td_ldmatrix_x4(unsigned int (&words)[4], const void *const row)
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
static __device__ __forceinline__ void td_mma_m16n8k16(
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
    constexpr unsigned int tile = 128, words = 8, warp_rows = 16;
    const unsigned int lane = threadIdx.x, warp = threadIdx.y;
#pragma unroll
    for (unsigned int word = 0; word < words; word += 2) {
        unsigned int row_fragment[4];
        td_ldmatrix_x4(row_fragment, rows + tile * (word + lane / 16) + warp_rows * warp + lane % 16);
#pragma unroll
        for (unsigned int c = 0; c < 16; c += 2) {
            unsigned int column_fragments[4];
            td_ldmatrix_x4(column_fragments, columns + tile * (word + lane / 8 % 2) + 8 * c + lane / 16 * 8 + lane % 8);
            td_mma_m16n8k16(sums[c], row_fragment, column_fragments[0], column_fragments[1]);
            td_mma_m16n8k16(sums[c + 1], row_fragment, column_fragments[2], column_fragments[3]);
        }
    }
}

#endif

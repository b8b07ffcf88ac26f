// Products of tensor cores: 16-bit floats are multiplied, and the products are added up in 32-bit floats. bfloat16 has the
// exponent of a 32-bit float, the other type has more digits.
template <bool is_bfloat16>
struct td_multiply_add {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    // On sm_90 both operands are in shared memory, and four warps multiply together.

    // Keeps the compiler from moving accesses to the sums across this point.
    static __device__ __forceinline__ void fence(float (&sums)[16][4])
    {
#pragma unroll
        for (unsigned int c = 0; c < 16; ++c)
            asm volatile("" : "+f"(sums[c][0]), "+f"(sums[c][1]), "+f"(sums[c][2]), "+f"(sums[c][3])::"memory");
    }

    // Before the first product of a group, and after its last one.
    static __device__ __forceinline__ void begin(float (&sums)[16][4])
    {
        fence(sums);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    }
    static __device__ __forceinline__ void end(float (&sums)[16][4])
    {
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
        fence(sums);
    }

    // The descriptor of words in shared memory, without swizzling. In units of 16 bytes, a word of an element is 128 from its
    // next one, and eight elements are 8 from the next eight.
    static __device__ __forceinline__ unsigned long long operand(const unsigned int address)
    {
        constexpr unsigned int tile = 128, row_group = 8;
        return (unsigned long long)row_group << 32 | (tile << 16 | address);
    }

    // Multiplies 64 rows with 128 columns, over two words of each. The products replace the sums or are added to them.
    template <bool is_added>
    static __device__ __forceinline__ void multiply(float (&sums)[16][4], const unsigned int row, const unsigned int column)
    {
        const unsigned long long rows = operand(row), columns = operand(column);
#define TD_REGISTERS \
        "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "\
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "\
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "\
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
#define TD_SUMS \
          "+f"(sums[0][0]), "+f"(sums[0][1]), "+f"(sums[0][2]), "+f"(sums[0][3]), "+f"(sums[1][0]), "+f"(sums[1][1]), "+f"(sums[1][2]), "+f"(sums[1][3]), \
          "+f"(sums[2][0]), "+f"(sums[2][1]), "+f"(sums[2][2]), "+f"(sums[2][3]), "+f"(sums[3][0]), "+f"(sums[3][1]), "+f"(sums[3][2]), "+f"(sums[3][3]), \
          "+f"(sums[4][0]), "+f"(sums[4][1]), "+f"(sums[4][2]), "+f"(sums[4][3]), "+f"(sums[5][0]), "+f"(sums[5][1]), "+f"(sums[5][2]), "+f"(sums[5][3]), \
          "+f"(sums[6][0]), "+f"(sums[6][1]), "+f"(sums[6][2]), "+f"(sums[6][3]), "+f"(sums[7][0]), "+f"(sums[7][1]), "+f"(sums[7][2]), "+f"(sums[7][3]), \
          "+f"(sums[8][0]), "+f"(sums[8][1]), "+f"(sums[8][2]), "+f"(sums[8][3]), "+f"(sums[9][0]), "+f"(sums[9][1]), "+f"(sums[9][2]), "+f"(sums[9][3]), \
          "+f"(sums[10][0]), "+f"(sums[10][1]), "+f"(sums[10][2]), "+f"(sums[10][3]), "+f"(sums[11][0]), "+f"(sums[11][1]), "+f"(sums[11][2]), "+f"(sums[11][3]), \
          "+f"(sums[12][0]), "+f"(sums[12][1]), "+f"(sums[12][2]), "+f"(sums[12][3]), "+f"(sums[13][0]), "+f"(sums[13][1]), "+f"(sums[13][2]), "+f"(sums[13][3]), \
          "+f"(sums[14][0]), "+f"(sums[14][1]), "+f"(sums[14][2]), "+f"(sums[14][3]), "+f"(sums[15][0]), "+f"(sums[15][1]), "+f"(sums[15][2]), "+f"(sums[15][3])
        if constexpr (is_bfloat16)
            asm volatile(
                "{ .reg .pred is_added; setp.ne.b32 is_added, %66, 0;\n"
                "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 " TD_REGISTERS
                "%64, %65, is_added, 1, 1, 0, 0; }"
                : TD_SUMS
                : "l"(rows), "l"(columns), "n"((int)is_added));
        else
            asm volatile(
                "{ .reg .pred is_added; setp.ne.b32 is_added, %66, 0;\n"
                "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 " TD_REGISTERS
                "%64, %65, is_added, 1, 1, 0, 0; }"
                : TD_SUMS
                : "l"(rows), "l"(columns), "n"((int)is_added));
#undef TD_REGISTERS
#undef TD_SUMS
    }
#else
    // Elsewhere a warp reads both operands from registers.

    // Reads four matrices of 8 x 8 numbers from shared memory: lane l passes the address of row l % 8 of matrix l / 8, and
    // receives the numbers 2 (l % 4) and 2 (l % 4) + 1 of row l / 4 of each.
    static __device__ __forceinline__ void load(unsigned int (&words)[4], const void *const row)
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

    // Adds the products of 16 rows with 8 columns, over 16 numbers of each, to their sums: lane l has those of rows l / 4 and
    // l / 4 + 8 with columns 2 (l % 4) and 2 (l % 4) + 1.
    static __device__ __forceinline__ void multiply(
        float (&sums)[4], const unsigned int (&rows)[4], const unsigned int first, const unsigned int second)
    {
#ifdef __CUDA_ARCH__
        if constexpr (is_bfloat16)
            asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                : "r"(rows[0]), "r"(rows[1]), "r"(rows[2]), "r"(rows[3]), "r"(first), "r"(second));
        else
            asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                : "r"(rows[0]), "r"(rows[1]), "r"(rows[2]), "r"(rows[3]), "r"(first), "r"(second));
#else
        td_cpu::multiply<is_bfloat16>(sums, rows, first, second);
#endif
    }
#endif
};

// Products of tensor cores: signed or unsigned 8-bit integers are multiplied, and the products are added up in 32-bit integers.
template <typename Byte>
struct td_multiply_bytes {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    // On sm_90 both operands are in shared memory, and four warps multiply together.

    // Keeps the compiler from moving accesses to the sums across this point.
    static __device__ __forceinline__ void fence(int (&sums)[16][4])
    {
#pragma unroll
        for (unsigned int c = 0; c < 16; ++c)
            asm volatile("" : "+r"(sums[c][0]), "+r"(sums[c][1]), "+r"(sums[c][2]), "+r"(sums[c][3])::"memory");
    }

    // Before the first product of a group, and after its last one.
    static __device__ __forceinline__ void begin(int (&sums)[16][4])
    {
        fence(sums);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    }
    static __device__ __forceinline__ void end(int (&sums)[16][4])
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
    static __device__ __forceinline__ void multiply(int (&sums)[16][4], const unsigned int row, const unsigned int column)
    {
        const unsigned long long rows = operand(row), columns = operand(column);
#define TD_REGISTERS \
        "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "\
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "\
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "\
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
#define TD_SUMS \
          "+r"(sums[0][0]), "+r"(sums[0][1]), "+r"(sums[0][2]), "+r"(sums[0][3]), "+r"(sums[1][0]), "+r"(sums[1][1]), "+r"(sums[1][2]), "+r"(sums[1][3]), \
          "+r"(sums[2][0]), "+r"(sums[2][1]), "+r"(sums[2][2]), "+r"(sums[2][3]), "+r"(sums[3][0]), "+r"(sums[3][1]), "+r"(sums[3][2]), "+r"(sums[3][3]), \
          "+r"(sums[4][0]), "+r"(sums[4][1]), "+r"(sums[4][2]), "+r"(sums[4][3]), "+r"(sums[5][0]), "+r"(sums[5][1]), "+r"(sums[5][2]), "+r"(sums[5][3]), \
          "+r"(sums[6][0]), "+r"(sums[6][1]), "+r"(sums[6][2]), "+r"(sums[6][3]), "+r"(sums[7][0]), "+r"(sums[7][1]), "+r"(sums[7][2]), "+r"(sums[7][3]), \
          "+r"(sums[8][0]), "+r"(sums[8][1]), "+r"(sums[8][2]), "+r"(sums[8][3]), "+r"(sums[9][0]), "+r"(sums[9][1]), "+r"(sums[9][2]), "+r"(sums[9][3]), \
          "+r"(sums[10][0]), "+r"(sums[10][1]), "+r"(sums[10][2]), "+r"(sums[10][3]), "+r"(sums[11][0]), "+r"(sums[11][1]), "+r"(sums[11][2]), "+r"(sums[11][3]), \
          "+r"(sums[12][0]), "+r"(sums[12][1]), "+r"(sums[12][2]), "+r"(sums[12][3]), "+r"(sums[13][0]), "+r"(sums[13][1]), "+r"(sums[13][2]), "+r"(sums[13][3]), \
          "+r"(sums[14][0]), "+r"(sums[14][1]), "+r"(sums[14][2]), "+r"(sums[14][3]), "+r"(sums[15][0]), "+r"(sums[15][1]), "+r"(sums[15][2]), "+r"(sums[15][3])
        if constexpr ((Byte)-1 < 0)
            asm volatile(
                "{ .reg .pred is_added; setp.ne.b32 is_added, %66, 0;\n"
                "wgmma.mma_async.sync.aligned.m64n128k32.s32.s8.s8 " TD_REGISTERS
                "%64, %65, is_added; }"
                : TD_SUMS
                : "l"(rows), "l"(columns), "n"((int)is_added));
        else
            asm volatile(
                "{ .reg .pred is_added; setp.ne.b32 is_added, %66, 0;\n"
                "wgmma.mma_async.sync.aligned.m64n128k32.s32.u8.u8 " TD_REGISTERS
                "%64, %65, is_added; }"
                : TD_SUMS
                : "l"(rows), "l"(columns), "n"((int)is_added));
#undef TD_REGISTERS
#undef TD_SUMS
    }
#else
    // Elsewhere a warp reads both operands from registers.

    // Reads four matrices of 8 rows of 16 bytes from shared memory: lane l passes the address of row l % 8 of matrix l / 8, and
    // receives the bytes 4 (l % 4) to 4 (l % 4) + 3 of row l / 4 of each.
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

    // Adds the products of 16 rows with 8 columns, over 32 numbers of each, to their sums: lane l has those of rows l / 4 and
    // l / 4 + 8 with columns 2 (l % 4) and 2 (l % 4) + 1.
    static __device__ __forceinline__ void multiply(
        int (&sums)[4], const unsigned int (&rows)[4], const unsigned int first, const unsigned int second)
    {
#ifdef __CUDA_ARCH__
        if constexpr ((Byte)-1 < 0)
            asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
                : "r"(rows[0]), "r"(rows[1]), "r"(rows[2]), "r"(rows[3]), "r"(first), "r"(second));
        else
            asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
                : "r"(rows[0]), "r"(rows[1]), "r"(rows[2]), "r"(rows[3]), "r"(first), "r"(second));
#else
        td_cpu::multiply_bytes<Byte>(sums, rows, first, second);
#endif
    }
#endif
};
